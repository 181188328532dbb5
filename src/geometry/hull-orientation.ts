// On which side of a plane a point lies, exactly.
//
// In: coordinates as doubles. Out: a number with the exact sign of the determinant. The floating-point value
// is used where its error bound (Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic, the static
// filter of orient3d) proves the sign; the few remaining cases are computed with whole numbers, which doubles
// are once scaled by a power of two. Set-up only: the exact path allocates.

/** (7 + 56 ε) ε with ε = 2⁻⁵³: bound of the rounding error relative to the sum of the terms' sizes. */
const ERROR_BOUND = 7.7715611723761e-16;

const bits = new DataView(new ArrayBuffer(8));

/** A point set with exact side tests. Indices count points. */
export interface ExactPoints {
  readonly coordinates: Float64Array;
  /** The same numbers as whole multiples of one power of two; made when first needed. */
  whole: bigint[] | null;
}

/** Prepares the points x y z … for `orientation`. */
export function prepareExact(coordinates: Float64Array): ExactPoints {
  return { coordinates, whole: null };
}

/** Exponent of the lowest bit of x ≠ 0. */
function lowestExponent(x: number): number {
  bits.setFloat64(0, x);
  const exponent = (bits.getUint16(0) >> 4) & 0x7ff;
  return Math.max(exponent, 1) - 1075;
}

function toWhole(coordinates: Float64Array): bigint[] {
  let lowest = 1024;
  for (const x of coordinates) if (x !== 0) lowest = Math.min(lowest, lowestExponent(x));
  return Array.from(coordinates, (x) => {
    if (x === 0) return 0n;
    bits.setFloat64(0, x);
    const raw = bits.getBigUint64(0);
    const exponent = Number((raw >> 52n) & 0x7ffn);
    const mantissa = (raw & 0xfffffffffffffn) | (exponent > 0 ? 0x10000000000000n : 0n);
    const whole = mantissa << BigInt(lowestExponent(x) - lowest);
    return x < 0 ? -whole : whole;
  });
}

/**
 * Six times the signed volume of points a b c d [m³], positive when d lies on the side of (b − a) × (c − a);
 * the sign is exact, the size is not when it is tiny.
 */
export function orientation(points: ExactPoints, a: number, b: number, c: number, d: number): number {
  const p = points.coordinates;
  const ux = p[3 * b] - p[3 * a];
  const uy = p[3 * b + 1] - p[3 * a + 1];
  const uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a];
  const vy = p[3 * c + 1] - p[3 * a + 1];
  const vz = p[3 * c + 2] - p[3 * a + 2];
  const wx = p[3 * d] - p[3 * a];
  const wy = p[3 * d + 1] - p[3 * a + 1];
  const wz = p[3 * d + 2] - p[3 * a + 2];
  const determinant = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
  const size =
    Math.abs(wx) * (Math.abs(uy * vz) + Math.abs(uz * vy)) +
    Math.abs(wy) * (Math.abs(uz * vx) + Math.abs(ux * vz)) +
    Math.abs(wz) * (Math.abs(ux * vy) + Math.abs(uy * vx));
  if (Math.abs(determinant) > ERROR_BOUND * size) return determinant;
  points.whole ??= toWhole(p);
  const sign = wholeSign(points.whole, a, b, c, d);
  return sign === 0 ? 0 : sign * Math.max(Math.abs(determinant), Number.MIN_VALUE);
}

function wholeSign(p: bigint[], a: number, b: number, c: number, d: number): number {
  const ux = p[3 * b] - p[3 * a];
  const uy = p[3 * b + 1] - p[3 * a + 1];
  const uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a];
  const vy = p[3 * c + 1] - p[3 * a + 1];
  const vz = p[3 * c + 2] - p[3 * a + 2];
  const wx = p[3 * d] - p[3 * a];
  const wy = p[3 * d + 1] - p[3 * a + 1];
  const wz = p[3 * d + 2] - p[3 * a + 2];
  const determinant = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
  return determinant > 0n ? 1 : determinant < 0n ? -1 : 0;
}
