// Derivatives of energy densities of isotropic solids by the principal stretches, for two elements at a time: lanes of
// f64×2. Twin of mechanics/solid/stretch-energy.ts, which says what the laws are.

import {
  ALIKE_STRETCHES,
  COROTATED,
  EXTENDED_STRETCH,
  LEAST_STRETCH_SUM,
  LIMITED_STRETCH,
  NEO_HOOKEAN,
  RECOVERY_LAME,
} from '../../../core/elastic-constants';
import { LN2_HIGH, LN2_LOW } from '../../../core/number-constants';
import { projectSecond } from './project-second';

/**
 * What is written: vectors of 16 bytes, of index or pair k = 0, 1, 2; pair k is the two stretches other than k.
 * ∂Ψ/∂s_k; ∂²Ψ/∂s_k²; the mixed derivative of pair k; (Ψ_i − Ψ_j)/(s_i −
 * s_j); (Ψ_i + Ψ_j)/(s_i + s_j) [Pa].
 */
export const D_FIRST: usize = 0;
export const D_SECOND: usize = 48;
export const D_MIXED: usize = 96;
export const D_DIFFERENCE: usize = 144;
export const D_SUM: usize = 192;
const DERIVATIVES = 240;

/** The law: model, μ, λ [Pa]. */
let model: i32 = 0;
let mu: f64 = 0;
let lambda: f64 = 0;

/** Takes Young's modulus [Pa] and Poisson's ratio for what comes. */
export function setLaw(newModel: i32, young: f64, poisson: f64): void {
  model = newModel;
  mu = young / (2 * (1 + poisson));
  lambda = (young * poisson) / ((1 + poisson) * (1 - 2 * poisson));
}

/** The law by which a solid comes back that is crushed, in place of its own: recoveryLaw of the mechanics. */
export function recover(): void {
  model = COROTATED;
  lambda = min<f64>(lambda, RECOVERY_LAME * mu);
}

/** ∂Ψ/∂s alone, and the sums: what `seen` stresses need. */
export function differentiateOnce(out: usize, s: usize): void {
  if (model == NEO_HOOKEAN) neoHookeanFirst(out, s);
  else if (model == COROTATED) corotatedFirst(out, s);
  else fixedFirst(out, s);
  addUp(out, s);
}

/** All of them, without negative curvature. */
export function differentiateStretches(out: usize, s: usize): void {
  if (model == NEO_HOOKEAN) neoHookean(out, s);
  else if (model == COROTATED) corotated(out, s);
  else fixedCorotated(out, s);
  addUp(out, s);
  if (model != COROTATED || lambda < 0) projectSecond(out + D_SECOND);
  const zero = f64x2.splat(0);
  for (let k = out + D_DIFFERENCE; k < out + DERIVATIVES; k += 16) v128.store(k, f64x2.max(v128.load(k), zero));
}

/** (Ψ_i + Ψ_j)/(s_i + s_j). */
function addUp(out: usize, s: usize): void {
  const least = f64x2.splat(LEAST_STRETCH_SUM);
  const a = v128.load(s);
  const b = v128.load(s, 16);
  const c = v128.load(s, 32);
  const f = v128.load(out);
  const g = v128.load(out, 16);
  const h = v128.load(out, 32);
  v128.store(out, f64x2.div(f64x2.add(g, h), f64x2.max(least, f64x2.add(b, c))), D_SUM);
  v128.store(out, f64x2.div(f64x2.add(h, f), f64x2.max(least, f64x2.add(c, a))), D_SUM + 16);
  v128.store(out, f64x2.div(f64x2.add(f, g), f64x2.max(least, f64x2.add(a, b))), D_SUM + 32);
}

/** 2 μ (s_k − 1). */
function pull(s: usize): v128 {
  return f64x2.mul(f64x2.splat(2 * mu), f64x2.sub(v128.load(s), f64x2.splat(1)));
}

function corotatedFirst(out: usize, s: usize): void {
  const sum = f64x2.add(f64x2.add(v128.load(s), v128.load(s, 16)), v128.load(s, 32));
  const volume = f64x2.mul(f64x2.splat(lambda), f64x2.sub(sum, f64x2.splat(3)));
  for (let k: usize = 0; k < 48; k += 16) v128.store(out + k, f64x2.add(pull(s + k), volume));
}

function corotated(out: usize, s: usize): void {
  corotatedFirst(out, s);
  const own = f64x2.splat(2 * mu + lambda);
  const mixed = f64x2.splat(lambda);
  const difference = f64x2.splat(2 * mu);
  for (let k = out; k < out + 48; k += 16) {
    v128.store(k, own, D_SECOND);
    v128.store(k, mixed, D_MIXED);
    v128.store(k, difference, D_DIFFERENCE);
  }
}

/** Whether a stretch of one of the two elements counts less than it is. */
function isLimited(s: usize): bool {
  const most = f64x2.max(f64x2.max(v128.load(s), v128.load(s, 16)), v128.load(s, 32));
  return v128.any_true(f64x2.gt(most, f64x2.splat(LIMITED_STRETCH)));
}

function fixedFirst(out: usize, s: usize): void {
  if (isLimited(s)) {
    for (let lane: usize = 0; lane < 16; lane += 8) limitedFixed(out + lane, s + lane, false);
    return;
  }
  const a = v128.load(s);
  const b = v128.load(s, 16);
  const c = v128.load(s, 32);
  const bc = f64x2.mul(b, c);
  const ca = f64x2.mul(c, a);
  const ab = f64x2.mul(a, b);
  const volume = f64x2.mul(f64x2.splat(lambda), f64x2.sub(f64x2.mul(ab, c), f64x2.splat(1)));
  v128.store(out, f64x2.add(pull(s), f64x2.mul(volume, bc)));
  v128.store(out, f64x2.add(pull(s + 16), f64x2.mul(volume, ca)), 16);
  v128.store(out, f64x2.add(pull(s + 32), f64x2.mul(volume, ab)), 32);
}

/** Derivatives of one lane's element with the limits on its stretches; the first ones, or all. */
function limitedFixed(out: usize, s: usize, all: bool): void {
  const x = load<f64>(s);
  const y = load<f64>(s, 16);
  const z = load<f64>(s, 32);
  const strain = lambda * (limited(x) * limited(y) * limited(z) - 1);
  limitedSide(out, x, y, z, strain, all);
  limitedSide(out + 16, y, z, x, strain, all);
  limitedSide(out + 32, z, x, y, strain, all);
}

/** Those by stretch x, and of the pair of the other two. */
function limitedSide(out: usize, x: f64, y: f64, z: f64, strain: f64, all: bool): void {
  const face = limited(y) * limited(z);
  const slope = limitedSlope(x);
  store<f64>(out, 2 * mu * (x - 1) + strain * face * slope);
  if (!all) return;
  store<f64>(out, 2 * mu + lambda * face * slope * face * slope + strain * face * limitedBend(x), D_SECOND);
  const twice = 2 * strain + lambda;
  store<f64>(out, twice * limited(x) * limitedSlope(y) * limitedSlope(z), D_MIXED);
  store<f64>(out, 2 * mu + strain * limited(x) * sideDifference(y, z), D_DIFFERENCE);
}

/** φ, φ′ and φ″ of a stretch. */
function limited(s: f64): f64 {
  return s > LIMITED_STRETCH ? LIMITED_STRETCH + (s - LIMITED_STRETCH) / (1 + s - LIMITED_STRETCH) : s;
}

function limitedSlope(s: f64): f64 {
  const scale = 1 + s - LIMITED_STRETCH;
  return s > LIMITED_STRETCH ? 1 / (scale * scale) : 1;
}

function limitedBend(s: f64): f64 {
  const scale = 1 + s - LIMITED_STRETCH;
  return s > LIMITED_STRETCH ? -2 / (scale * scale * scale) : 0;
}

/** (φ′(a) φ(b) − φ′(b) φ(a))/(a − b). */
function sideDifference(a: f64, b: f64): f64 {
  if (!(max<f64>(a, b) > LIMITED_STRETCH)) return -1;
  const gap = a - b;
  if (abs<f64>(gap) < ALIKE_STRETCHES) return limitedBend(a) * limited(b) - limitedSlope(a) * limitedSlope(b);
  return (limitedSlope(a) * limited(b) - limitedSlope(b) * limited(a)) / gap;
}

function fixedCorotated(out: usize, s: usize): void {
  if (isLimited(s)) {
    for (let lane: usize = 0; lane < 16; lane += 8) limitedFixed(out + lane, s + lane, true);
    return;
  }
  fixedFirst(out, s);
  const twoMu = f64x2.splat(2 * mu);
  const by = f64x2.splat(lambda);
  const a = v128.load(s);
  const b = v128.load(s, 16);
  const c = v128.load(s, 32);
  const bc = f64x2.mul(b, c);
  const ca = f64x2.mul(c, a);
  const ab = f64x2.mul(a, b);
  v128.store(out, f64x2.add(twoMu, f64x2.mul(by, f64x2.mul(bc, bc))), D_SECOND);
  v128.store(out, f64x2.add(twoMu, f64x2.mul(by, f64x2.mul(ca, ca))), D_SECOND + 16);
  v128.store(out, f64x2.add(twoMu, f64x2.mul(by, f64x2.mul(ab, ab))), D_SECOND + 32);
  const volume = f64x2.mul(ab, c);
  const one = f64x2.splat(1);
  const twice = f64x2.mul(by, f64x2.sub(f64x2.add(volume, volume), one));
  const once = f64x2.mul(by, f64x2.sub(volume, one));
  for (let k: usize = 0; k < 48; k += 16) {
    const x = v128.load(s + k);
    v128.store(out + k, f64x2.mul(twice, x), D_MIXED);
    v128.store(out + k, f64x2.sub(twoMu, f64x2.mul(once, x)), D_DIFFERENCE);
  }
}

/** λ Σ ln s − μ. */
function pressureOf(s: usize): v128 {
  const low = lambda * logarithms(load<f64>(s), load<f64>(s, 16), load<f64>(s, 32)) - mu;
  const high = lambda * logarithms(load<f64>(s, 8), load<f64>(s, 24), load<f64>(s, 40)) - mu;
  return f64x2(low, high);
}

/** Slope of the extended logarithm. */
function slopeOf(s: v128): v128 {
  return f64x2.div(f64x2.splat(1), f64x2.max(s, f64x2.splat(EXTENDED_STRETCH)));
}

function neoHookeanFirst(out: usize, s: usize): void {
  const pressure = pressureOf(s);
  for (let k: usize = 0; k < 48; k += 16) {
    const x = v128.load(s + k);
    v128.store(out + k, f64x2.add(f64x2.mul(f64x2.splat(mu), x), f64x2.mul(pressure, slopeOf(x))));
  }
}

function neoHookean(out: usize, s: usize): void {
  const pressure = pressureOf(s);
  const shear = f64x2.splat(mu);
  const by = f64x2.splat(lambda);
  const limit = f64x2.splat(EXTENDED_STRETCH);
  for (let k: usize = 0; k < 48; k += 16) {
    const x = v128.load(s + k);
    const slope = slopeOf(x);
    v128.store(out + k, f64x2.add(f64x2.mul(shear, x), f64x2.mul(pressure, slope)));
    const square = f64x2.mul(slope, slope);
    const bend = v128.and(f64x2.mul(pressure, square), f64x2.gt(x, limit));
    v128.store(out + k, f64x2.sub(f64x2.add(shear, f64x2.mul(by, square)), bend), D_SECOND);
  }
  neoHookeanPair(out, v128.load(s, 16), v128.load(s, 32), pressure);
  neoHookeanPair(out + 16, v128.load(s, 32), v128.load(s), pressure);
  neoHookeanPair(out + 32, v128.load(s), v128.load(s, 16), pressure);
}

function neoHookeanPair(out: usize, a: v128, b: v128, pressure: v128): void {
  const p = slopeOf(a);
  const q = slopeOf(b);
  v128.store(out, f64x2.mul(f64x2.splat(lambda), f64x2.mul(p, q)), D_MIXED);
  // (slope(a) − slope(b))/(a − b), without cancellation: −p q where both are above the limit, 0 where none is.
  const limit = f64x2.splat(EXTENDED_STRETCH);
  const high = f64x2.max(a, b);
  const low = f64x2.min(a, b);
  const both = f64x2.mul(p, q);
  const range = f64x2.max(f64x2.sub(high, low), f64x2.splat(1e-300));
  const one = f64x2.div(f64x2.sub(high, limit), f64x2.mul(f64x2.mul(high, limit), range));
  const part = v128.and(one, f64x2.gt(high, limit));
  const slope = v128.bitselect(both, part, f64x2.gt(low, limit));
  v128.store(out, f64x2.sub(f64x2.splat(mu), f64x2.mul(pressure, slope)), D_DIFFERENCE);
}

/** Sum of three logarithms, each below EXTENDED_STRETCH its tangent. */
function logarithms(a: f64, b: f64, c: f64): f64 {
  if (min<f64>(min<f64>(a, b), c) > EXTENDED_STRETCH) return logarithm(a * b * c);
  return extended(a) + extended(b) + extended(c);
}

function extended(s: f64): f64 {
  if (s > EXTENDED_STRETCH) return logarithm(s);
  return logarithm(EXTENDED_STRETCH) + (s - EXTENDED_STRETCH) / EXTENDED_STRETCH;
}

/** ln x of a normal number, x > 0: twin of math/logarithm.ts. */
function logarithm(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  let k = <i32>(bits >> 52) - 1022;
  let m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3fe0000000000000);
  if (m < Math.SQRT1_2) {
    m *= 2;
    k--;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let sum: f64 = 1.0 / 21;
  sum = 1.0 / 19 + z * sum;
  sum = 1.0 / 17 + z * sum;
  sum = 1.0 / 15 + z * sum;
  sum = 1.0 / 13 + z * sum;
  sum = 1.0 / 11 + z * sum;
  sum = 1.0 / 9 + z * sum;
  sum = 1.0 / 7 + z * sum;
  sum = 1.0 / 5 + z * sum;
  sum = 1.0 / 3 + z * sum;
  return <f64>k * LN2_HIGH + (2 * s + (2 * s * z * sum + <f64>k * LN2_LOW));
}
