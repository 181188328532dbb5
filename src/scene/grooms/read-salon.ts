// Reader of .data, the strands of the USC-HairSalon database (Hu, Ma, Luo, Li 2015).
//
// Little-endian: i32 strands, then for each i32 points and 3 × f32 a point. Bald places are strands of one point; they
// are kept here and dropped by resampling.

import { type GroomStrands, refuseFile, requireBytes } from './groom';

const KIND = '.data';

/** Whether the counts of a .data file lead exactly to the end of the file. */
export function isSalon(view: DataView): boolean {
  if (view.byteLength < 4) return false;
  const strands = view.getInt32(0, true);
  // Each strand has a count of its own.
  if (strands < 1 || 4 + 4 * strands > view.byteLength) return false;
  let at = 4;
  for (let s = 0; s < strands; s++) {
    if (at + 4 > view.byteLength) return false;
    const points = view.getInt32(at, true);
    if (points < 0) return false;
    at += 4 + 12 * points;
  }
  return at === view.byteLength;
}

/** Reads a .data file. Throws UsageError. */
export function readSalon(view: DataView): GroomStrands {
  requireBytes(KIND, view, 4, 'a number of strands');
  const strands = view.getInt32(0, true);
  if (strands < 1) refuseFile(KIND, 'must have at least 1 strand', strands);
  requireBytes(KIND, view, 4 + 4 * strands, `the counts of ${strands} strands`);
  const counts = new Int32Array(strands);
  // All counts are checked before room is made for the points.
  let sum = 0;
  let at = 4;
  for (let s = 0; s < strands; s++) {
    requireBytes(KIND, view, at + 4, `the count of strand ${s}`);
    const points = view.getInt32(at, true);
    if (points < 0) refuseFile(KIND, `must have at least 0 points in strand ${s}`, points);
    at += 4 + 12 * points;
    requireBytes(KIND, view, at, `${points} points of strand ${s}`);
    counts[s] = points;
    sum += points;
  }
  const positions = new Float32Array(3 * sum);
  at = 4;
  let k = 0;
  for (let s = 0; s < strands; s++) {
    at += 4;
    for (const end = at + 12 * counts[s]; at < end; at += 4) positions[k++] = view.getFloat32(at, true);
  }
  return { counts, positions };
}
