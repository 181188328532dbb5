// Reader of .tfx, binary strands of TressFX 4.
//
// Little-endian header of 160 bytes: f32 version (4), u32 strands, u32 vertices a strand, u32 byte offsets of the
// vertex positions, strand uv, vertex uv, strand thickness and vertex colours, 32 × u32 reserved. Positions are
// 4 × f32 a vertex: x y z and an inverse mass (0 where held), which is not read.

import { type GroomStrands, readPoints, refuseFile, requireBytes } from './groom';

const KIND = '.tfx';
const HEADER = 160;

/** Whether the file begins like a .tfx file of version 4. */
export function isTressFx(view: DataView): boolean {
  if (view.byteLength < HEADER || Math.floor(view.getFloat32(0, true)) !== 4) return false;
  return view.getUint32(12, true) >= HEADER && view.getUint32(12, true) <= view.byteLength;
}

/** Reads a .tfx file. Throws UsageError. */
export function readTressFx(view: DataView): GroomStrands {
  requireBytes(KIND, view, HEADER, 'its header');
  const version = view.getFloat32(0, true);
  if (Math.floor(version) !== 4) refuseFile(KIND, 'must be of version 4', version);
  const strands = view.getUint32(4, true);
  const vertices = view.getUint32(8, true);
  const at = view.getUint32(12, true);
  if (strands < 1 || vertices < 1)
    refuseFile(KIND, 'must have at least 1 strand of 1 vertex', `${strands} of ${vertices}`);
  if (at < HEADER) refuseFile(KIND, `must have its positions after the header, from byte ${HEADER}`, at);
  requireBytes(KIND, view, at + 16 * strands * vertices, `${strands} strands of ${vertices} vertices`);
  return {
    counts: new Int32Array(strands).fill(vertices),
    positions: readPoints(view, at, strands * vertices, 16),
  };
}
