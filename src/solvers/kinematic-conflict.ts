/**
 * Proof that a contact problem has no solution, whatever the friction: contacts that ask for the impossible.
 *
 * If d >= 0 on normals (any value on bilateral rows, nothing on tangents or between two bounds) has W d = 0 and bᵀd <
 * 0, then for every r: dᵀu = dᵀ(W r + b) = bᵀd < 0, while u_N >= 0 and u = 0 on bilateral rows want
 * dᵀu >= 0: a box between two walls that close in. By Farkas' lemma such a d exists whenever no r at
 * all gives admissible velocities.
 *
 * It is looked for as the minimum of ½ dᵀW d + ½(bᵀd + 1)², zero iff there is one, by coordinate descent.
 * A d within rounding is accepted when an answer would need impulses a thousand million times the
 * natural ones. Other causes of no solution (friction that jams) are not found here.
 */
import { type ContactProblem, contactScale, multiplyOperator } from './contact-problem';
import { LAW_BOUNDED, LAW_COULOMB } from './row-law';

/** Impulses, relative to |b|/λ, beyond which an answer does not count as one [-]. */
const ABSURD = 1e9;

/**
 * The contact with the largest part in bᵀd when there is such a d, else −1. `sweeps` bounds the search: each
 * costs a product with W.
 */
export function findKinematicConflict(problem: ContactProblem, sweeps = 1000): number {
  const { contactCount: n, rowStart, column, diagonal, values, b, law } = problem;
  const d = new Float64Array(3 * n);
  const product = new Float64Array(3 * n);
  // Contact c in units of √λ, velocities in units of the largest |b| so measured.
  const scale = new Float64Array(n);
  let bLargest = 0;
  for (let c = 0; c < n; c++) {
    const lambda = contactScale(problem, c);
    scale[c] = lambda > 0 ? 1 / Math.sqrt(lambda) : 1;
    for (let i = 0; i < 3; i++) bLargest = Math.max(bLargest, Math.abs(b[3 * c + i]) * scale[c]);
  }
  if (!(bLargest > 0) || !Number.isFinite(bLargest)) return -1;

  let gain = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    for (let c = 0; c < n; c++) {
      const rows = law !== null && law[c] !== LAW_COULOMB ? 3 : 1;
      for (let i = 0; i < rows; i++) {
        const row = 3 * c + i;
        const least = leastImpulse(problem, c, row);
        const most = mostImpulse(problem, c, row);
        if (Number.isFinite(least) && Number.isFinite(most)) continue;
        let gradient = 0;
        for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
          const at = 9 * k + 3 * i;
          const from = 3 * column[k];
          const other = scale[column[k]];
          gradient += other * (values[at] * d[from] + values[at + 1] * d[from + 1] + values[at + 2] * d[from + 2]);
        }
        const bRow = (b[row] * scale[c]) / bLargest;
        gradient = gradient * scale[c] + bRow * (gain + 1);
        const curvature = values[9 * diagonal[c] + 4 * i] * scale[c] * scale[c] + bRow * bRow;
        if (!(curvature > 0)) continue;
        let next = d[row] - gradient / curvature;
        if (least === 0 && next < 0) next = 0;
        if (most === 0 && next > 0) next = 0;
        const change = next - d[row];
        d[row] = next;
        gain += bRow * change;
        moved = Math.max(moved, Math.abs(change) * Math.sqrt(curvature));
      }
    }
    if (moved <= 1e-15) break;
    if (sweep % 20 === 19 && isProof(problem, d, product, scale, gain)) return worstOf(problem, d, scale);
  }
  return isProof(problem, d, product, scale, gain) ? worstOf(problem, d, scale) : -1;
}

/** The contact whose velocity bᵀd is mostly made of. */
function worstOf({ contactCount, b }: ContactProblem, d: Float64Array, scale: Float64Array): number {
  let worst = 0;
  let most = Number.POSITIVE_INFINITY;
  for (let c = 0; c < contactCount; c++) {
    let part = 0;
    for (let i = 0; i < 3; i++) part += b[3 * c + i] * d[3 * c + i] * scale[c];
    if (part >= most) continue;
    most = part;
    worst = c;
  }
  return worst;
}

/** Bounds of what d may be in a row: of an impulse with two finite ones nothing follows. */
function leastImpulse({ law, low }: ContactProblem, c: number, row: number): number {
  if (law === null || law[c] === LAW_COULOMB) return 0;
  return law[c] === LAW_BOUNDED ? low[row] : Number.NEGATIVE_INFINITY;
}

function mostImpulse({ law, high }: ContactProblem, c: number, row: number): number {
  return law !== null && law[c] === LAW_BOUNDED ? high[row] : Number.POSITIVE_INFINITY;
}

/** bᵀd = gain < 0 with so small a W d that r would have to be absurd. */
function isProof(
  problem: ContactProblem,
  d: Float64Array,
  product: Float64Array,
  scale: Float64Array,
  gain: number,
): boolean {
  if (!(gain < 0)) return false;
  const n = problem.contactCount;
  const own = new Float64Array(3 * n);
  for (let i = 0; i < 3 * n; i++) own[i] = d[i] * scale[(i / 3) | 0];
  multiplyOperator(product, problem, own);
  let sum = 0;
  for (let i = 0; i < 3 * n; i++) sum += Math.abs(product[i] * scale[(i / 3) | 0]);
  return sum * ABSURD <= -gain;
}
