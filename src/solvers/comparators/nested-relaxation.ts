/**
 * Nested relaxation, iterative constraint anticipation (Otaduy et al. 2009), as Verschoor and Jalba 2019 compare with
 * it (§6.2.2): an outer Gauss–Seidel relaxation of the velocities, and inside it contact problems with the diagonal
 * of A alone,
 *
 *   v* = D⁻¹ (f − (A − D) v), u = H D⁻¹ Hᵀ r + H v* + w by sweeps with the
 *   exact cone, then a sweep of A v = f +
 * Hᵀ r
 *
 * The first iterations relax the velocities without contacts. A comparator for bench and lab: it allocates.
 */
import type { MixedProblem } from '../conjugate-residual/work';
import type { ContactProblem } from '../contact-problem';
import { createGaussSeidelReport, solveGaussSeidel } from '../gauss-seidel';
import { createScratch } from '../scratch';
import type { CompressedRows } from '../sparse-form';

export interface NestedOptions {
  /** Largest change of a velocity over an iteration that ends them [m/s]. */
  tolerance: number;
  /** Relaxations of the velocities at most, the first ones without contacts included [-]. */
  iterationLimit: number;
  /** Sweeps of each contact problem at most [-], and the residual that ends them, relative to its largest b [-]. */
  sweeps: number;
  sweepTolerance: number;
  onIteration?: (iterations: number) => void;
}

export const defaultNestedOptions: Omit<NestedOptions, 'tolerance' | 'iterationLimit'> = {
  sweeps: 50,
  sweepTolerance: 1e-12,
};

export interface NestedReport {
  status: 'converged' | 'iteration-limit';
  iterations: number;
  sweeps: number;
}

/**
 * Solves from nothing into r, three impulses a contact [N·s]. `A` is the matrix of the problem's operator; `diagonal`
 * the contact problem with the diagonal of A in its place, whose b is written over.
 */
export function solveNested(
  { operator, rows, f }: MixedProblem,
  A: CompressedRows,
  diagonal: ContactProblem,
  r: Float64Array,
  options: NestedOptions,
): NestedReport {
  const { size, inverseDiagonal } = operator;
  const v = new Float64Array(size);
  const ahead = new Float64Array(size);
  const force = f.slice();
  const scratch = createScratch();
  const sweepReport = createGaussSeidelReport();
  const report: NestedReport = { status: 'iteration-limit', iterations: 0, sweeps: 0 };
  r.fill(0);
  let isFree = true;

  while (report.iterations < options.iterationLimit) {
    if (!isFree) {
      anticipate(ahead, A, v, f, inverseDiagonal);
      const { b } = diagonal;
      for (let c = 0; c < rows.count; c++) {
        for (let i = 0; i < 3; i++) {
          b[3 * c + i] = rows.w[3 * c + i];
          for (let k = rows.start[c]; k < rows.start[c + 1]; k++) {
            b[3 * c + i] += rows.value[3 * k + i] * ahead[rows.column[k]];
          }
        }
      }
      scratch.reset();
      const own = { tolerance: options.sweepTolerance, sweepLimit: options.sweeps, checkInterval: 5 };
      solveGaussSeidel(diagonal, r, scratch, own, sweepReport);
      report.sweeps += sweepReport.sweeps;
      force.set(f);
      for (let c = 0; c < rows.count; c++) {
        for (let k = rows.start[c]; k < rows.start[c + 1]; k++) {
          for (let i = 0; i < 3; i++) force[rows.column[k]] += rows.value[3 * k + i] * r[3 * c + i];
        }
      }
    }

    const change = relax(v, A, force, inverseDiagonal);
    report.iterations++;
    options.onIteration?.(report.iterations);

    if (change <= options.tolerance) {
      if (!isFree) {
        report.status = 'converged';
        break;
      }
      isFree = false;
    }
  }

  return report;
}

/** out := D⁻¹ (f − (A − D) v) */
function anticipate(
  out: Float64Array,
  { start, column, value }: CompressedRows,
  v: Float64Array,
  f: Float64Array,
  inverse: Float64Array,
): void {
  for (let i = 0; i < out.length; i++) {
    let sum = f[i];
    for (let k = start[i]; k < start[i + 1]; k++) if (column[k] !== i) sum -= value[k] * v[column[k]];
    out[i] = inverse[i] * sum;
  }
}

/** One sweep over the velocities; the largest change [m/s]. */
function relax(
  v: Float64Array,
  { start, column, value }: CompressedRows,
  force: Float64Array,
  inverse: Float64Array,
): number {
  let worst = 0;
  for (let i = 0; i < v.length; i++) {
    let sum = force[i];
    for (let k = start[i]; k < start[i + 1]; k++) if (column[k] !== i) sum -= value[k] * v[column[k]];
    const next = inverse[i] * sum;
    worst = Math.max(worst, Math.abs(next - v[i]));
    v[i] = next;
  }
  return worst;
}
