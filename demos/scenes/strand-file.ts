// Strands of a scene as a file: the groom that a scene names needs bytes, and USC-HairSalon's layout is the plainest.

import type { Vec3 } from './demo-scene';

/** int32 number of strands, then for each int32 number of points and its points as float32, little-endian. */
export function strandFile(strands: readonly (readonly Vec3[])[]): Uint8Array {
  const points = strands.reduce((sum, strand) => sum + strand.length, 0);
  const view = new DataView(new ArrayBuffer(4 + 4 * strands.length + 12 * points));
  view.setInt32(0, strands.length, true);
  let at = 4;
  for (const strand of strands) {
    view.setInt32(at, strand.length, true);
    at += 4;
    for (const point of strand)
      for (const value of point) {
        // Engines disagree about the last bit of sin and cos: rounded, the file is the same everywhere.
        view.setFloat32(at, Math.round(value * 1e7) / 1e7, true);
        at += 4;
      }
  }
  return new Uint8Array(view.buffer);
}
