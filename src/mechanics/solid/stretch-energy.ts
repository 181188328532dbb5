// Energy densities of isotropic solids as functions of the three principal stretches, with their derivatives.
//
// s: singular values of the deformation gradient F between two rotations (math/svd3: the smallest carries the sign of
// det F). μ, λ: Lamé's parameters [Pa]. All three are linear elasticity to first order around rest.
//
// - corotated: μ Σ(s_i − 1)² + λ/2 (Σ s_i − 3)² (Müller and Gross 2004); volume to first order
// - fixed corotated: μ Σ(s_i − 1)² + λ/2 (J − 1)², J = s₀s₁s₂ (Stomakhin et al. 2012, section 3)
// - neo-Hookean: μ/2 (Σ s_i² − 3) − μ ln J + λ/2 (ln J)² (Bonet and Wood 2008, 6.27)
//
// The neo-Hookean energy has a pole at zero volume. Below EXTENDED_STRETCH (compressed by 70 %) the logarithm goes on
// as its tangent, in each principal direction by itself: a quadratic energy from there on, through flat and inverted
// states, with a force that always leads back (Stomakhin et al. 2012 extend the energy in the same variables; Verschoor
// and Jalba 2019, section 6.2.1, linearly too, from 70 % of the volume on). Extending ln J as a function of J would be
// simpler, but has no force at all in an element crushed to a line or a point, for dJ/dF = 0 there.
//
// The fixed corotated energy grows as the sixth power of a stretch of all sides. What was let go flat overshoots, and
// a linearised step back from there ends farther out than it began. Beyond LIMITED_STRETCH a stretch counts in J by
// φ(s) = B + x/(1 + x), x = s − B, only: far out µ alone pulls back, which is quadratic.

import {
  ALIKE_STRETCHES,
  COROTATED,
  EXTENDED_STRETCH as EXTENDED,
  FIXED_COROTATED,
  LEAST_STRETCH_SUM as LEAST_SUM,
  LIMITED_STRETCH as LIMITED,
  NEO_HOOKEAN,
  RECOVERY_LAME,
} from '../../core/elastic-constants';
import { logarithm } from '../../math/logarithm';

/** Model by its name in scene files. */
export const SOLID_MODELS = {
  corotated: COROTATED,
  'fixed-corotated': FIXED_COROTATED,
  'neo-hookean': NEO_HOOKEAN,
} as const;

/** A model with its moduli. */
export interface SolidLaw {
  /** COROTATED, FIXED_COROTATED or NEO_HOOKEAN. */
  model: number;
  /** Lamé's second parameter, the shear modulus [Pa]. */
  mu: number;
  /** Lamé's first parameter [Pa]. */
  lambda: number;
}

/** Derivatives of an energy density Ψ by the stretches. Pair k: the two stretches i, j other than k. */
export interface StretchDerivatives {
  /** ∂Ψ/∂s_i [Pa]. */
  readonly first: Float64Array;
  /** ∂²Ψ/∂s_i∂s_j, nine numbers [Pa]. */
  readonly second: Float64Array;
  /** (Ψ_i − Ψ_j)/(s_i − s_j), in the limit where the two agree [Pa]. */
  readonly difference: Float64Array;
  /** (Ψ_i + Ψ_j)/(s_i + s_j) [Pa]. */
  readonly sum: Float64Array;
}

/** Lamé's parameters of Young's modulus [Pa] and Poisson's ratio. */
export function lameParameters(young: number, poisson: number): { mu: number; lambda: number } {
  return { mu: young / (2 * (1 + poisson)), lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)) };
}

/**
 * The law by which a solid comes back that is crushed (crushed.ts). Far from rest the others have states that
 * look like one, and a volume that is nearly kept makes steps that go farther than they come back: of toys and balls
 * that begin flat, as a point, mirrored or as a cloud of points all regain their shape with this.
 */
export function recoveryLaw({ mu, lambda }: SolidLaw): SolidLaw {
  return { model: COROTATED, mu, lambda: Math.min(lambda, RECOVERY_LAME * mu) };
}

/** Room for derivatives. */
export function createStretchDerivatives(): StretchDerivatives {
  return {
    first: new Float64Array(3),
    second: new Float64Array(9),
    difference: new Float64Array(3),
    sum: new Float64Array(3),
  };
}

/** Energy density at stretches s [J/m³]. */
export function stretchEnergy({ model, mu, lambda }: SolidLaw, s: ArrayLike<number>): number {
  const [a, b, c] = [s[0], s[1], s[2]];
  if (model === NEO_HOOKEAN) {
    const log = extendedLogarithm(a) + extendedLogarithm(b) + extendedLogarithm(c);
    return 0.5 * mu * (a * a + b * b + c * c - 3) - mu * log + 0.5 * lambda * log * log;
  }
  const volume = model === COROTATED ? a + b + c - 3 : limited(a) * limited(b) * limited(c) - 1;
  return mu * ((a - 1) ** 2 + (b - 1) ** 2 + (c - 1) ** 2) + 0.5 * lambda * volume * volume;
}

/** All derivatives at stretches s. */
export function differentiateStretches(out: StretchDerivatives, law: SolidLaw, s: ArrayLike<number>): void {
  if (law.model === NEO_HOOKEAN) neoHookean(out, law, s);
  else if (law.model === COROTATED) corotated(out, law, s);
  else fixedCorotated(out, law, s);
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    out.sum[k] = (out.first[i] + out.first[j]) / Math.max(LEAST_SUM, s[i] + s[j]);
  }
}

function corotated(
  { first, second, difference }: StretchDerivatives,
  { mu, lambda }: SolidLaw,
  s: ArrayLike<number>,
): void {
  const volume = lambda * (s[0] + s[1] + s[2] - 3);
  second.fill(lambda);
  for (let i = 0; i < 3; i++) {
    first[i] = 2 * mu * (s[i] - 1) + volume;
    second[4 * i] += 2 * mu;
    difference[i] = 2 * mu;
  }
}

const side = new Float64Array(3);
const slope = new Float64Array(3);

function fixedCorotated(
  { first, second, difference }: StretchDerivatives,
  { mu, lambda }: SolidLaw,
  s: ArrayLike<number>,
): void {
  for (let k = 0; k < 3; k++) {
    side[k] = limited(s[k]);
    slope[k] = limitedSlope(s[k]);
  }
  const J = side[0] * side[1] * side[2];
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    const area = side[i] * side[j] * slope[k];
    first[k] = 2 * mu * (s[k] - 1) + lambda * (J - 1) * area;
    second[4 * k] = 2 * mu + lambda * area * area + lambda * (J - 1) * side[i] * side[j] * limitedBend(s[k]);
    const mixed = lambda * (2 * J - 1) * side[k] * slope[i] * slope[j];
    second[3 * i + j] = mixed;
    second[3 * j + i] = mixed;
    difference[k] = 2 * mu + lambda * (J - 1) * side[k] * sideDifference(s[i], s[j]);
  }
}

function neoHookean(
  { first, second, difference }: StretchDerivatives,
  { mu, lambda }: SolidLaw,
  s: ArrayLike<number>,
): void {
  const log = extendedLogarithm(s[0]) + extendedLogarithm(s[1]) + extendedLogarithm(s[2]);
  const pressure = lambda * log - mu;
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    const slope = logarithmSlope(s[k]);
    first[k] = mu * s[k] + pressure * slope;
    second[4 * k] = mu + lambda * slope * slope - (s[k] > EXTENDED ? pressure * slope * slope : 0);
    const mixed = lambda * logarithmSlope(s[i]) * logarithmSlope(s[j]);
    second[3 * i + j] = mixed;
    second[3 * j + i] = mixed;
    difference[k] = mu + pressure * slopeDifference(s[i], s[j]);
  }
}

/** φ: what a stretch counts as in the volume. */
function limited(s: number): number {
  return s > LIMITED ? LIMITED + (s - LIMITED) / (1 + s - LIMITED) : s;
}

/** φ′. */
function limitedSlope(s: number): number {
  const scale = 1 + s - LIMITED;
  return s > LIMITED ? 1 / (scale * scale) : 1;
}

/** φ″. */
function limitedBend(s: number): number {
  const scale = 1 + s - LIMITED;
  return s > LIMITED ? -2 / (scale * scale * scale) : 0;
}

/** (φ′(a) φ(b) − φ′(b) φ(a))/(a − b). */
function sideDifference(a: number, b: number): number {
  if (!(a > LIMITED || b > LIMITED)) return -1;
  const gap = a - b;
  if (Math.abs(gap) < ALIKE_STRETCHES) return limitedBend(a) * limited(b) - limitedSlope(a) * limitedSlope(b);
  return (limitedSlope(a) * limited(b) - limitedSlope(b) * limited(a)) / gap;
}

/** ln s, below EXTENDED its tangent. */
function extendedLogarithm(s: number): number {
  return s > EXTENDED ? logarithm(s) : LOG_EXTENDED + (s - EXTENDED) / EXTENDED;
}

const LOG_EXTENDED = logarithm(EXTENDED);

/** Its slope. */
function logarithmSlope(s: number): number {
  return 1 / (s > EXTENDED ? s : EXTENDED);
}

/** (slope(a) − slope(b))/(a − b), without cancellation. */
function slopeDifference(a: number, b: number): number {
  const high = a > b ? a : b;
  const low = a > b ? b : a;
  if (low > EXTENDED) return -1 / (a * b);
  if (!(high > EXTENDED)) return 0;
  return -(high - EXTENDED) / (high * EXTENDED * (high - low));
}
