// Nearest points of small primitives as weights of their corners, three numbers a corner (Ericson 2005, 5.1.5, 5.1.9).

const dot = (x: ArrayLike<number>, a: number, b: number, c: number, e: number): number =>
  (x[b] - x[a]) * (x[e] - x[c]) +
  (x[b + 1] - x[a + 1]) * (x[e + 1] - x[c + 1]) +
  (x[b + 2] - x[a + 2]) * (x[e + 2] - x[c + 2]);

/** out[o ..] := weights of the triangle's corners (nine numbers from `t` on) at its point nearest to that at `p`. */
export function nearestOnTriangle(
  out: Float64Array,
  o: number,
  x: ArrayLike<number>,
  p: number,
  t: number,
): Float64Array {
  const [a, b, c] = [t, t + 3, t + 6];
  const write = (u: number, v: number, w: number): Float64Array => {
    out[o] = u;
    out[o + 1] = v;
    out[o + 2] = w;
    return out;
  };
  const [d1, d2] = [dot(x, a, b, a, p), dot(x, a, c, a, p)];
  if (d1 <= 0 && d2 <= 0) return write(1, 0, 0);
  const [d3, d4] = [dot(x, a, b, b, p), dot(x, a, c, b, p)];
  if (d3 >= 0 && d4 <= d3) return write(0, 1, 0);
  const onC = d1 * d4 - d3 * d2;
  if (onC <= 0 && d1 >= 0 && d3 <= 0) return write(1 - d1 / (d1 - d3), d1 / (d1 - d3), 0);
  const [d5, d6] = [dot(x, a, b, c, p), dot(x, a, c, c, p)];
  if (d6 >= 0 && d5 <= d6) return write(0, 0, 1);
  const onB = d5 * d2 - d1 * d6;
  if (onB <= 0 && d2 >= 0 && d6 <= 0) return write(1 - d2 / (d2 - d6), 0, d2 / (d2 - d6));
  const onA = d3 * d6 - d5 * d4;
  if (onA <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    return write(0, 1 - w, w);
  }
  const sum = onA + onB + onC;
  return write(onA / sum, onB / sum, onC / sum);
}

/** out (four) := weights of the ends of two segments, twelve numbers, at their nearest points. */
export function nearestOnSegments(out: Float64Array, x: ArrayLike<number>): void {
  const a = dot(x, 0, 3, 0, 3);
  const e = dot(x, 6, 9, 6, 9);
  const b = dot(x, 0, 3, 6, 9);
  const c = dot(x, 0, 3, 6, 0);
  const f = dot(x, 6, 9, 6, 0);
  const clamp = (share: number): number => Math.max(0, Math.min(1, share));
  const denominator = a * e - b * b;
  let s = denominator > 1e-12 * a * e ? clamp((b * f - c * e) / denominator) : 0.5;
  let t = e > 0 ? (b * s + f) / e : 0;
  if (t < 0 || t > 1) {
    t = clamp(t);
    s = a > 0 ? clamp((b * t - c) / a) : 0;
  }
  out[0] = 1 - s;
  out[1] = s;
  out[2] = 1 - t;
  out[3] = t;
}
