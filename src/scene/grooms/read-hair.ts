// Reader of .hair, the format of Cem Yuksel's hair models (http://www.cemyuksel.com/research/hairmodels).
//
// Little-endian. Header of 128 bytes: "HAIR", u32 strands, u32 points, u32 arrays present (bit 0 segments, 1 points,
// 2 thickness, 3 transparency, 4 colours), u32 default segments, f32 default thickness, transparency, 3 × f32 colour,
// 88 characters of text. Then the arrays in the order of their bits: u16 segments a strand, 3 × f32 a point, ….
// A strand of n segments has n + 1 points. What comes after the points is not read.

import { type GroomStrands, readPoints, refuseFile, requireBytes } from './groom';

const KIND = '.hair';
const HEADER = 128;

/** Whether the file begins like a .hair file. */
export function isHair(view: DataView): boolean {
  return view.byteLength >= 4 && view.getUint32(0, false) === 0x48414952;
}

/** Reads a .hair file. Throws UsageError. */
export function readHair(view: DataView): GroomStrands {
  requireBytes(KIND, view, HEADER, 'its header');
  if (!isHair(view)) refuseFile(KIND, 'must begin with "HAIR"', 'something else');
  const strands = view.getUint32(4, true);
  const points = view.getUint32(8, true);
  const arrays = view.getUint32(12, true);
  const segments = view.getUint32(16, true);
  if (!(arrays & 2)) refuseFile(KIND, 'must have an array of points', 'none');
  let at = HEADER;
  // Every strand takes bytes in one array or the other: so a count from nowhere is
  // refused before anything is allocated.
  if (arrays & 1) requireBytes(KIND, view, at + 2 * strands, `the segments of ${strands} strands`);
  else if (strands * (segments + 1) > points) {
    refuseFile(KIND, `must have ${strands * (segments + 1)} points for ${strands} strands`, points);
  }
  const pointsAt = at + (arrays & 1 ? 2 * strands : 0);
  requireBytes(KIND, view, pointsAt + 12 * points, `${points} points`);
  const counts = new Int32Array(strands);
  let sum = 0;
  for (let s = 0; s < strands; s++) {
    counts[s] = 1 + (arrays & 1 ? view.getUint16(at, true) : segments);
    if (arrays & 1) at += 2;
    sum += counts[s];
  }
  if (sum > points) refuseFile(KIND, `must have ${sum} points for its segments`, points);
  return { counts, positions: readPoints(view, pointsAt, sum, 12) };
}
