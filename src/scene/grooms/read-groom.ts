// The door for groom files: bytes of any of the known formats in, strands out.

import { UsageError } from '../../core/errors';
import { isBaked, readBaked } from './baked-groom';
import { type Bytes, type GroomStrands, viewBytes } from './groom';
import { isHair, readHair } from './read-hair';
import { isSalon, readSalon } from './read-salon';
import { isTressFx, readTressFx } from './read-tressfx';

const FORMATS: readonly [ending: string, fits: (view: DataView) => boolean, read: (view: DataView) => GroomStrands][] =
  [
    ['.sag', isBaked, readBaked],
    ['.hair', isHair, readHair],
    ['.tfx', isTressFx, readTressFx],
    ['.data', isSalon, readSalon],
  ];

/**
 * Reads a groom: .hair (Cem Yuksel), .tfx (TressFX 4), .data (USC-HairSalon), or one that `stiction bake` wrote (with
 * `rest`). The format is found in the bytes; `name`, where given, only decides which error a broken file gets. Points
 * are in the file's units and may be degenerate: see resampleGroom. Throws UsageError for a file that is none of these
 * or ends too early; never allocates more than the file's size.
 */
export function readGroom(bytes: Bytes, name = ''): GroomStrands {
  const view = viewBytes('readGroom', bytes);
  for (const [, fits, read] of FORMATS) if (fits(view)) return read(view);
  const ending = name.toLowerCase();
  for (const [known, , read] of FORMATS) if (ending.endsWith(known)) return read(view);
  throw new UsageError(
    `readGroom: file must be .hair, .tfx (version 4), .data or a baked groom, got ${view.byteLength} bytes of ` +
      'another kind',
  );
}
