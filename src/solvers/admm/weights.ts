/**
 * The diagonal approximation W of A (Daviet 2020, §6.2.6): per node
 *
 *   w = max(σ η, min(β m, η)),   η the least eigenvalue of the node's 3×3 block of A, m its mass.
 *
 * σ keeps w from vanishing beside stiff light nodes, β from following a stiffness that the whole object does not
 * have. The eigenvalue is found by Jacobi's rotations: to rounding of the largest one, with square roots only.
 */

/** σ and β of the paper, used there for all its scenes. */
export const DEFAULT_SIGMA = 0.001;
export const DEFAULT_BETA = 25;

/**
 * σ for strands. The paper's 0.001 suits its hair; under a rope pulled taut over a drum η is the tension's T dt²/ℓ, a
 * thousand times the mass, and w = 25 m lets every iteration take back a fraction of the tension's share only.
 */
export const STRAND_SIGMA = 0.04;

/**
 * β for a solve of at most so many iterations: the paper's 25, but no more than the iterations. A heavy w makes every
 * impulse as large, and it takes as many iterations to find the way back to the strand's own inertia.
 */
export function strandBeta(iterations: number): number {
  return Math.max(1, Math.min(DEFAULT_BETA, iterations));
}

/**
 * A σ above the paper's raises w up to this many masses only: enough for a taut rope. The bending of a stiff rod makes η
 * some 1e5 masses, and 4 % of that would hold its nodes where they are.
 */
const MOST_BY_TENSION = 100;

const m = new Float64Array(9);

/** w of a node [kg] from its block xx xy xz yy yz zz of A [kg] and its mass [kg]. */
export function nodeWeight(
  xx: number,
  xy: number,
  xz: number,
  yy: number,
  yz: number,
  zz: number,
  mass: number,
  sigma = DEFAULT_SIGMA,
  beta = DEFAULT_BETA,
): number {
  const least = Math.max(leastEigenvalue(xx, xy, xz, yy, yz, zz), mass);
  const share = Math.max(Math.min(sigma * least, MOST_BY_TENSION * mass), DEFAULT_SIGMA * least);
  return Math.max(share, Math.min(beta * mass, least));
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
