// Baked grooms: strands with the rest shape and stiffness that hold them as drawn. Reader and writer.
//
// Little-endian. Header of 16 bytes: "SAGF", u32 version (2), u32 strands, u32 points, then f64 … of what it was
// baked for: radius, density, Young's, shear and stretch modulus, gravity x y z, 1 where the ends are held, else 0
// (72 bytes). Then i32 points of each strand (padded to 8 bytes), f64 x y z of each point, 7 × f64 a point and 3 ×
// f64 a strand (state/baked-strands.ts).

import { BAKED_NODE, BAKED_STRAND, type BakedFor, unpackRest } from '../../state/baked-strands';
import { type GroomStrands, refuseFile, requireBytes } from './groom';

const KIND = 'baked';
const MAGIC = 0x53414746;
const VERSION = 2;
const HEADER = 16;
const MADE_FOR = 72;

/** Whether the file begins like a baked groom. */
export function isBaked(view: DataView): boolean {
  return view.byteLength >= 4 && view.getUint32(0, false) === MAGIC;
}

/** Reads a baked groom. Throws UsageError. */
export function readBaked(view: DataView): GroomStrands {
  requireBytes(KIND, view, HEADER + MADE_FOR, 'its header');
  if (!isBaked(view)) refuseFile(KIND, 'must begin with "SAGF"', 'something else');
  const version = view.getUint32(4, true);
  if (version !== VERSION) refuseFile(KIND, `must be of version ${VERSION}`, version);
  const strands = view.getUint32(8, true);
  const points = view.getUint32(12, true);
  const at = HEADER + MADE_FOR;
  const positionsAt = at + 8 * Math.ceil(strands / 2);
  const end = positionsAt + 8 * (points * (3 + BAKED_NODE) + strands * BAKED_STRAND);
  if (view.byteLength !== end) refuseFile(KIND, `must have ${end} bytes for its strands and points`, view.byteLength);
  const counts = new Int32Array(strands);
  let sum = 0;
  for (let s = 0; s < strands; s++) {
    counts[s] = view.getInt32(at + 4 * s, true);
    if (counts[s] < 3) refuseFile(KIND, `must have at least 3 points in strand ${s}`, counts[s]);
    sum += counts[s];
  }
  if (sum !== points) refuseFile(KIND, `must have ${points} points in its strands`, sum);
  const numbers = (from: number, count: number): Float64Array => {
    const out = new Float64Array(count);
    for (let k = 0; k < count; k++) out[k] = view.getFloat64(from + 8 * k, true);
    return out;
  };
  const [radius, density, youngModulus, shearModulus, stretchModulus, gx, gy, gz, held] = numbers(HEADER, 9);
  const positions = numbers(positionsAt, 3 * points);
  const packed = numbers(positionsAt + 24 * points, BAKED_NODE * points);
  const baked: BakedFor = {
    radius,
    density,
    youngModulus,
    shearModulus,
    stretchModulus,
    gravity: [gx, gy, gz],
    clampEnd: held === 1,
  };
  return { counts, positions, rest: unpackRest(packed), baked };
}

/** Bytes of a baked groom. */
export function writeBaked(
  { counts, positions }: GroomStrands,
  baked: BakedFor,
  numbers: { readonly nodes: Float64Array; readonly strands: Float64Array },
): Uint8Array {
  const points = positions.length / 3;
  const size = HEADER + MADE_FOR + 8 * Math.ceil(counts.length / 2) + 8 * (3 * points);
  const view = new DataView(new ArrayBuffer(size + 8 * (numbers.nodes.length + numbers.strands.length)));
  view.setUint32(0, MAGIC, false);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, counts.length, true);
  view.setUint32(12, points, true);
  let at = HEADER;
  const put = (values: ArrayLike<number>): void => {
    for (let k = 0; k < values.length; k++, at += 8) view.setFloat64(at, values[k], true);
  };
  const { radius, density, youngModulus, shearModulus, stretchModulus, gravity, clampEnd } = baked;
  put([radius, density, youngModulus, shearModulus, stretchModulus, ...gravity, clampEnd ? 1 : 0]);
  for (let s = 0; s < counts.length; s++) view.setInt32(at + 4 * s, counts[s], true);
  at += 8 * Math.ceil(counts.length / 2);
  put(positions);
  put(numbers.nodes);
  put(numbers.strands);
  return new Uint8Array(view.buffer);
}
