// The strands of a scene's groom: those in the scene itself, or those of its file.

import type { Bytes, GroomStrands } from './groom';
import { readGroom } from './read-groom';

/** Flat strands of lists of points. */
function flatten(strands: readonly (readonly (readonly number[])[])[]): GroomStrands {
  return {
    counts: Int32Array.from(strands, (points) => points.length),
    positions: Float64Array.from(strands.flat(2)),
  };
}

/**
 * The strands of a groom as they are given, not yet resampled, scaled or placed; `readFile` gives the bytes of a file.
 * Throws UsageError on a damaged file.
 */
export function strandsOf(
  { file, strands }: { readonly file?: string; readonly strands?: readonly (readonly (readonly number[])[])[] },
  readFile: (file: string) => Bytes,
): GroomStrands {
  return file === undefined ? flatten(strands ?? []) : readGroom(readFile(file), file);
}
