// Small vector helpers, inlined away. (Not parsed by the linter: decorators on functions are AssemblyScript only.)

// @ts-ignore: decorator
@inline
export function dot3(ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64): f64 {
  return ax * bx + ay * by + az * bz;
}

/** Square of x. */
// @ts-ignore: decorator
@inline
export function sqr(x: f64): f64 {
  return x * x;
}

// @ts-ignore: decorator
@inline
export function clamp(x: f64, low: f64, high: f64): f64 {
  return x < low ? low : x > high ? high : x;
}

// ── Four f32 in a v128 ──────────────────────────────────────────────────────────────────────────────

/** Lane 0 in all lanes. */
// @ts-ignore: decorator
@inline
export function splat0(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 0, 0, 0, 0);
}

// @ts-ignore: decorator
@inline
export function splat1(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 1, 1, 1);
}

// @ts-ignore: decorator
@inline
export function splat2(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 2, 2, 2, 2);
}

// @ts-ignore: decorator
@inline
export function splat3(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 3, 3, 3, 3);
}

/** a + b·c. */
// @ts-ignore: decorator
@inline
export function addMul(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(a, f32x4.mul(b, c));
}

/** Columns x y z times the vector in lanes 0 1 2 of v. */
// @ts-ignore: decorator
@inline
export function mulColumns(x: v128, y: v128, z: v128, v: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, splat0(v)), f32x4.mul(y, splat1(v))), f32x4.mul(z, splat2(v)));
}

/** Cross product of lanes 0 1 2; lane 3 is a₃b₃ − a₃b₃. */
// @ts-ignore: decorator
@inline
export function crossLanes(a: v128, b: v128): v128 {
  const c = f32x4.sub(
    f32x4.mul(a, v128.shuffle<f32>(b, b, 1, 2, 0, 3)),
    f32x4.mul(v128.shuffle<f32>(a, a, 1, 2, 0, 3), b),
  );
  return v128.shuffle<f32>(c, c, 1, 2, 0, 3);
}

/** (sum of a's lanes, sum of b's, sum of c's, 0). */
// @ts-ignore: decorator
@inline
export function sumLanes(a: v128, b: v128, c: v128): v128 {
  const zero = f32x4.splat(0);
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
  const c0 = f32x4.add(v128.shuffle<f32>(c, zero, 0, 4, 1, 5), v128.shuffle<f32>(c, zero, 2, 6, 3, 7));
  return f32x4.add(v128.shuffle<f32>(ab, c0, 0, 1, 4, 5), v128.shuffle<f32>(ab, c0, 2, 3, 6, 7));
}

/** Sum of the lanes, in all lanes. */
// @ts-ignore: decorator
@inline
export function splatSum(a: v128): v128 {
  const pairs = f32x4.add(a, v128.shuffle<f32>(a, a, 1, 0, 3, 2));
  return f32x4.add(pairs, v128.shuffle<f32>(pairs, pairs, 2, 3, 0, 1));
}
