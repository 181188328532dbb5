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

// ── Four f32 in a v128 ──────────────────────────────

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

// ── Rows of four vectors to columns of their coordinates, and back ───────────────

/** (a0 b0 a1 b1). */
// @ts-ignore: decorator
@inline
export function mixLow(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}

/** (a2 b2 a3 b3). */
// @ts-ignore: decorator
@inline
export function mixHigh(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}

/** (a0 a1 b0 b1). */
// @ts-ignore: decorator
@inline
export function joinLow(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 1, 4, 5);
}

/** (a2 a3 b2 b3). */
// @ts-ignore: decorator
@inline
export function joinHigh(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 3, 6, 7);
}

/** Writes four vectors of four numbers as columns of their coordinates, 16 bytes apart. */
// @ts-ignore: decorator
@inline
export function storeColumns(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const low = mixLow(a, b);
  const lowOther = mixLow(c, d);
  const high = mixHigh(a, b);
  const highOther = mixHigh(c, d);
  v128.store(to, joinLow(low, lowOther));
  v128.store(to, joinHigh(low, lowOther), 16);
  v128.store(to, joinLow(high, highOther), 32);
  v128.store(to, joinHigh(high, highOther), 48);
}

// ── Four vectors, a lane each ────────────────────────────

/** Scalar products of four pairs of vectors. */
// @ts-ignore: decorator
@inline
export function dot4(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** a·b − c·d. */
// @ts-ignore: decorator
@inline
export function differ4(a: v128, b: v128, c: v128, d: v128): v128 {
  return f32x4.sub(f32x4.mul(a, b), f32x4.mul(c, d));
}

/** Lanes between low and high; not-a-number stays. */
// @ts-ignore: decorator
@inline
export function clamp4(x: v128, low: v128, high: v128): v128 {
  return f32x4.pmin(f32x4.pmax(x, low), high);
}

/**
 * Bits of the boxes of a block that overlap the one in all lanes of another. Blocks are f32×4 of least x, y, z, of
 * greatest, of least along four diagonals, of greatest: most boxes are refused by the first six.
 */
// @ts-ignore: decorator
@inline
export function overlap4(one: usize, four: usize): i32 {
  const x = v128.or(f32x4.gt(v128.load(one), v128.load(four, 48)), f32x4.gt(v128.load(four), v128.load(one, 48)));
  const y = v128.or(
    f32x4.gt(v128.load(one, 16), v128.load(four, 64)),
    f32x4.gt(v128.load(four, 16), v128.load(one, 64)),
  );
  const z = v128.or(
    f32x4.gt(v128.load(one, 32), v128.load(four, 80)),
    f32x4.gt(v128.load(four, 32), v128.load(one, 80)),
  );
  let outside = v128.or(v128.or(x, y), z);
  if (i32x4.all_true(outside)) return 0;
  for (let k: usize = 96; k < 160; k += 16) {
    outside = v128.or(outside, f32x4.gt(v128.load(one + k), v128.load(four + k, 64)));
    outside = v128.or(outside, f32x4.gt(v128.load(four + k), v128.load(one + k, 64)));
  }
  return ~i32x4.bitmask(outside) & 15;
}

/**
 * Lanes x y z of b's middle less a's, rounded to f32, and the sum of their radii; rows are x y z and radius (f64), a's
 * in two halves with the radius negative.
 */
// @ts-ignore: decorator
@inline
export function between4(aXY: v128, aRest: v128, b: usize): v128 {
  const xy = f64x2.sub(v128.load(b), aXY);
  const rest = f64x2.sub(v128.load(b, 16), aRest);
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(rest), 0, 1, 4, 5);
}

// ── Two f64 lanes: one value of two objects; vectors are three such values, 48 bytes ─────────

/** Two f64 from two addresses. */
// @ts-ignore: decorator
@inline
export function gather2(a: usize, b: usize): v128 {
  return v128.load64_lane(b, v128.load64_splat(a), 1);
}

/** First lane to one address, second to another. */
// @ts-ignore: decorator
@inline
export function scatter2(a: usize, b: usize, value: v128): void {
  v128.store64_lane(a, value, 0);
  v128.store64_lane(b, value, 1);
}

// @ts-ignore: decorator
@inline
export function add2(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}

// @ts-ignore: decorator
@inline
export function sub2(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}

// @ts-ignore: decorator
@inline
export function mul2(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

/** a + b·c */
// @ts-ignore: decorator
@inline
export function addMul2(a: v128, b: v128, c: v128): v128 {
  return f64x2.add(a, f64x2.mul(b, c));
}

/** a − b·c */
// @ts-ignore: decorator
@inline
export function subMul2(a: v128, b: v128, c: v128): v128 {
  return f64x2.sub(a, f64x2.mul(b, c));
}

/** 1/a */
// @ts-ignore: decorator
@inline
export function invert2(a: v128): v128 {
  return f64x2.div(f64x2.splat(1), a);
}

/** Component k of a vector. */
// @ts-ignore: decorator
@inline
export function part2(a: usize, k: usize): v128 {
  return v128.load(a + (k << 4));
}

/** out = (x, y, z) */
// @ts-ignore: decorator
@inline
export function setVector2(out: usize, x: v128, y: v128, z: v128): void {
  v128.store(out, x);
  v128.store(out, y, 16);
  v128.store(out, z, 32);
}

// @ts-ignore: decorator
@inline
export function dot2(a: usize, b: usize): v128 {
  const x = mul2(v128.load(a), v128.load(b));
  return addMul2(addMul2(x, v128.load(a, 16), v128.load(b, 16)), v128.load(a, 32), v128.load(b, 32));
}

/** out = a × b; out may not be a or b. */
// @ts-ignore: decorator
@inline
export function cross2(out: usize, a: usize, b: usize): void {
  const ax = v128.load(a);
  const ay = v128.load(a, 16);
  const az = v128.load(a, 32);
  const bx = v128.load(b);
  const by = v128.load(b, 16);
  const bz = v128.load(b, 32);
  setVector2(out, subMul2(mul2(ay, bz), az, by), subMul2(mul2(az, bx), ax, bz), subMul2(mul2(ax, by), ay, bx));
}

/** out = s·a */
// @ts-ignore: decorator
@inline
export function scale2(out: usize, s: v128, a: usize): void {
  setVector2(out, mul2(s, v128.load(a)), mul2(s, v128.load(a, 16)), mul2(s, v128.load(a, 32)));
}

/** out = a + s·b */
// @ts-ignore: decorator
@inline
export function addScaled2(out: usize, a: usize, s: v128, b: usize): void {
  setVector2(
    out,
    addMul2(v128.load(a), s, v128.load(b)),
    addMul2(v128.load(a, 16), s, v128.load(b, 16)),
    addMul2(v128.load(a, 32), s, v128.load(b, 32)),
  );
}

/** out = a − b */
// @ts-ignore: decorator
@inline
export function subtract2(out: usize, a: usize, b: usize): void {
  setVector2(
    out,
    sub2(v128.load(a), v128.load(b)),
    sub2(v128.load(a, 16), v128.load(b, 16)),
    sub2(v128.load(a, 32), v128.load(b, 32)),
  );
}

/** Adds to one value in memory. */
// @ts-ignore: decorator
@inline
export function accumulate2(at: usize, value: v128): void {
  v128.store(at, f64x2.add(v128.load(at), value));
}

/** Takes from one value in memory. */
// @ts-ignore: decorator
@inline
export function deduct2(at: usize, value: v128): void {
  v128.store(at, f64x2.sub(v128.load(at), value));
}
