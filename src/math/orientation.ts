// On which side of a plane through three points a fourth lies, without error.
//
// In: coordinates, three numbers a point. Out: the sign of the determinant of the differences. Most are settled by the
// bound on f64's own rounding (J. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates", 1997, bound A of orient3d); what is left is computed in whole numbers, for every f64 is one over a power
// of two. That is slow and short: nothing but checks asks for it.

/** (7 + 56 ε) ε with ε = 2⁻⁵³. */
const BOUND = (7 + 56 * 2 ** -53) * 2 ** -53;

const bits = new DataView(new ArrayBuffer(8));

/** 2¹⁰⁷⁴ x, a whole number for every finite f64. */
function whole(x: number): bigint {
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const size = exponent === 0 ? fraction : (fraction | 0x10000000000000n) << BigInt(exponent - 1);
  return word >> 63n === 0n ? size : -size;
}

/**
 * Sign of the volume of the tetrahedron a b c d, points at rows `ia` to `id` (four numbers a row) of `p`: 1 where a, b,
 * c turn clockwise seen from d, −1 counter-clockwise, 0 in one plane.
 */
function orientation(p: Float64Array, ia: number, ib: number, ic: number, id: number): -1 | 0 | 1 {
  const [a, b, c, d] = [4 * ia, 4 * ib, 4 * ic, 4 * id];
  const [ax, ay, az] = [p[a] - p[d], p[a + 1] - p[d + 1], p[a + 2] - p[d + 2]];
  const [bx, by, bz] = [p[b] - p[d], p[b + 1] - p[d + 1], p[b + 2] - p[d + 2]];
  const [cx, cy, cz] = [p[c] - p[d], p[c + 1] - p[d + 1], p[c + 2] - p[d + 2]];
  const value = az * (bx * cy - cx * by) + bz * (cx * ay - ax * cy) + cz * (ax * by - bx * ay);
  const size =
    (Math.abs(bx * cy) + Math.abs(cx * by)) * Math.abs(az) +
    (Math.abs(cx * ay) + Math.abs(ax * cy)) * Math.abs(bz) +
    (Math.abs(ax * by) + Math.abs(bx * ay)) * Math.abs(cz);
  if (Math.abs(value) > BOUND * size) return value > 0 ? 1 : -1;
  return exactly(p, a, b, c, d);
}

function exactly(p: Float64Array, a: number, b: number, c: number, d: number): -1 | 0 | 1 {
  const from = (at: number): [bigint, bigint, bigint] => [
    whole(p[at]) - whole(p[d]),
    whole(p[at + 1]) - whole(p[d + 1]),
    whole(p[at + 2]) - whole(p[d + 2]),
  ];
  const [ax, ay, az] = from(a);
  const [bx, by, bz] = from(b);
  const [cx, cy, cz] = from(c);
  const value = az * (bx * cy - cx * by) + bz * (cx * ay - ax * cy) + cz * (ax * by - bx * ay);
  return value === 0n ? 0 : value > 0n ? 1 : -1;
}

/** Whether the edge d–e goes through the triangle a b c, from one side to the other; touching is not enough. */
export function goesThrough(p: Float64Array, d: number, e: number, a: number, b: number, c: number): boolean {
  if (orientation(p, a, b, c, d) * orientation(p, a, b, c, e) >= 0) return false;
  const side = orientation(p, d, e, a, b);
  return side !== 0 && orientation(p, d, e, b, c) === side && orientation(p, d, e, c, a) === side;
}
