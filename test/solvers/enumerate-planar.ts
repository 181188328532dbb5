/**
 * All solutions of a small planar friction problem by brute force, for W of any rank.
 *
 * In the plane a friction cone is spanned by two rays, (1, mu) and (1, −mu). A solution exists only if one
 * exists whose impulses are non-negative multiples of linearly independent rays: every choice of velocity
 * conditions (open, sliding either way, stuck) and of rays is tried, solved by least squares, and judged by
 * the residual of the whole problem.
 */
import { type ContactProblem, velocityOf } from '../../src/solvers/contact-problem';
import { residualOf } from '../../src/solvers/residual';

/** Rows held at zero and rays used, as masks: bit 0 N or +, bit 1 T or −. */
const CHOICES: readonly (readonly [rows: number, rays: number])[] = [
  [0, 0],
  [1, 1],
  [1, 2],
  [3, 0],
  [3, 1],
  [3, 2],
  [3, 3],
];

/**
 * Impulses of the best choice with a residual below `tolerance` [m/s], or null. T2 of every contact must play no part.
 */
export function enumeratePlanar(problem: ContactProblem, tolerance: number): Float64Array | null {
  const n = problem.contactCount;
  const choice = new Int32Array(n);
  const u = new Float64Array(3 * n);
  for (let code = 0; code < CHOICES.length ** n; code++) {
    let rest = code;
    for (let c = 0; c < n; c++) {
      choice[c] = rest % CHOICES.length;
      rest = Math.floor(rest / CHOICES.length);
    }
    const r = solveChoice(problem, choice);
    if (r && residualOf(u, problem, r) < tolerance) return r;
  }
  return null;
}

function solveChoice(problem: ContactProblem, choice: Int32Array): Float64Array | null {
  const n = problem.contactCount;
  const rows: number[] = [];
  const columns: Float64Array[] = [];
  for (let c = 0; c < n; c++) {
    const [held, rays] = CHOICES[choice[c]];
    for (let i = 0; i < 2; i++) {
      if (held & (1 << i)) rows.push(3 * c + i);
      if (!(rays & (1 << i))) continue;
      const ray = new Float64Array(3 * n);
      ray[3 * c] = 1;
      ray[3 * c + 1] = i === 0 ? problem.mu[c] : -problem.mu[c];
      columns.push(ray);
    }
  }
  // Least squares of (W ray) x = −b on the rows held.
  const free = new Float64Array(3 * n);
  const responses = columns.map((ray) => {
    const response = new Float64Array(3 * n);
    velocityOf(response, problem, ray);
    velocityOf(free, problem, new Float64Array(3 * n));
    return rows.map((row) => response[row] - free[row]);
  });
  velocityOf(free, problem, new Float64Array(3 * n));
  const x = leastSquares(
    responses,
    rows.map((row) => -free[row]),
  );
  if (!x) return null;
  const r = new Float64Array(3 * n);
  columns.forEach((ray, k) => {
    for (let i = 0; i < 3 * n; i++) r[i] += ray[i] * x[k];
  });
  return r;
}

/** x that brings Σ x_k column_k nearest to `right`; null if the columns depend on each other. */
function leastSquares(columns: number[][], right: number[]): number[] | null {
  const m = columns.length;
  const dot = (a: number[], b: number[]) => a.reduce((sum, v, i) => sum + v * b[i], 0);
  const A = columns.map((column) => [...columns.map((other) => dot(column, other)), dot(column, right)]);
  for (let k = 0; k < m; k++) {
    let pivot = k;
    for (let i = k + 1; i < m; i++) if (Math.abs(A[i][k]) > Math.abs(A[pivot][k])) pivot = i;
    [A[k], A[pivot]] = [A[pivot], A[k]];
    if (Math.abs(A[k][k]) < 1e-10) return null;
    for (let i = 0; i < m; i++) {
      if (i === k) continue;
      const factor = A[i][k] / A[k][k];
      for (let j = k; j <= m; j++) A[i][j] -= factor * A[k][j];
    }
  }
  return A.map((row, k) => row[m] / row[k]);
}
