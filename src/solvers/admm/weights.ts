/**
 * The diagonal approximation W of A (Daviet 2020, §6.2.6), which decides how fast ADMM converges. Two rules:
 *
 *   nodeWeight the paper's, from the node's own 3×3 block: w = max(σ η, min(β m, η)), η
 *   its least eigenvalue, m the mass.
 *                  σ keeps w from vanishing beside stiff light nodes, β from following a stiffness that the whole
 *                  object does not have. The eigenvalue is found by Jacobi's rotations, with square roots only.
 *   strandWeight from the inverse: w = share · 3/trace((A⁻¹)_jj), what the node
 *   really sets against a push, the whole
 *                  strand behind it: bending, tension and held ends at their own measure. (A⁻¹)_jj costs as much as
 *                  the factor, where A is banded (math/banded-inverse.ts).
 *
 * Measured on kept moments (500 hairs of a shaken ball, tufts, a bundle, a belt, ropes over drums): after 25 iterations
 * the velocities of the paper's rule are 3 to 4 times as far from the answer as those of the inverse.
 */
import {
  BALANCE_DONE,
  BALANCE_GROW,
  BALANCE_SHRINK,
  BALANCE_UNBALANCED,
  PAPER_BETA,
  PAPER_SIGMA,
} from '../../core/elastic-constants';

/**
 * Factor on a strand's share for the next step: residual balancing (Boyd et al. 2011, 3.4.1), with what is left at the
 * end of a solve of ‖v − p‖∞ (`gap`: forces are missing, a heavier W brings them sooner) and of ‖vˡ −
 * vˡ⁻¹‖∞ (`move`: the other way round). All in m/s; `tolerance`: δ∞ over the time step.
 */
export function balance(gap: number, move: number, tolerance: number): number {
  const left = gap + move;
  if (left > tolerance && gap > BALANCE_UNBALANCED * move) return BALANCE_GROW;
  return gap < move || left < BALANCE_DONE * tolerance ? BALANCE_SHRINK : 1;
}

const m = new Float64Array(9);

/** w of a node [kg] from its 3×3 block of A at `at` [kg] and its mass [kg]. */
export function nodeWeight(
  block: ArrayLike<number>,
  at: number,
  mass: number,
  sigma = PAPER_SIGMA,
  beta = PAPER_BETA,
): number {
  const [xx, xy, xz] = [block[at], block[at + 1], block[at + 2]];
  const least = Math.max(leastEigenvalue(xx, xy, xz, block[at + 4], block[at + 5], block[at + 8]), mass);
  return Math.max(sigma * least, Math.min(beta * mass, least));
}

/** Least eigenvalue of a symmetric 3×3 matrix. */
export function leastEigenvalue(xx: number, xy: number, xz: number, yy: number, yz: number, zz: number): number {
  m[0] = xx;
  m[1] = m[3] = xy;
  m[2] = m[6] = xz;
  m[4] = yy;
  m[5] = m[7] = yz;
  m[8] = zz;
  // Five turns of three rotations: quadratic convergence leaves rounding only.
  for (let turn = 0; turn < 5; turn++) {
    if (m[1] * m[1] + m[2] * m[2] + m[5] * m[5] === 0) break;
    rotate(0, 1, 2);
    rotate(0, 2, 1);
    rotate(1, 2, 0);
  }
  return Math.min(m[0], m[4], m[8]);
}

/** Makes entry (p, q) vanish; `o` is the third axis. */
function rotate(p: number, q: number, o: number): void {
  const off = m[3 * p + q];
  if (off === 0) return;
  const h = (m[4 * q] - m[4 * p]) / (2 * off);
  const t = (h >= 0 ? 1 : -1) / (Math.abs(h) + Math.sqrt(h * h + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  m[4 * p] -= t * off;
  m[4 * q] += t * off;
  m[3 * p + q] = m[3 * q + p] = 0;
  const a = m[3 * o + p];
  const b = m[3 * o + q];
  m[3 * o + p] = m[3 * p + o] = c * a - s * b;
  m[3 * o + q] = m[3 * q + o] = s * a + c * b;
}
