// How good an iterate is: norms of the residual, the error of active rows, and one number that knows no states.

import { OPEN, SLIDE } from '../../core/contact-law-constants';
import { frictionalError } from '../residual';
import { addTransposed } from './rows';
import type { MixedProblem, Work } from './work';

/** Norm of the right-hand side, all rows, in the metric of the residuals. */
export function scaleOf({ operator, rows, f }: MixedProblem, { give }: Work): number {
  let sum = 0;
  for (let i = 0; i < operator.size; i++) sum += operator.inverseDiagonal[i] * f[i] * f[i];
  for (let i = 0; i < 3 * rows.count; i++) if (give[i] > 0) sum += (rows.w[i] * rows.w[i]) / give[i];
  return Math.sqrt(sum);
}

/** Largest |u| of an active row that something moves [m/s]. */
export function rowError({ rows }: MixedProblem, { rowResidual, inverse }: Work): number {
  let worst = 0;
  for (let i = 0; i < 3 * rows.count; i++) {
    if (inverse[i] > 0 && Math.abs(rowResidual[i]) > worst) worst = Math.abs(rowResidual[i]);
  }
  return worst;
}

/** admissible := r inside the cones, exactly. */
export function admit({ rows }: MixedProblem, { r, admissible, state, slip }: Work): void {
  for (let c = 0; c < rows.count; c++) {
    const at = 3 * c;
    if (rows.bilateral && rows.bilateral[c] === 1) {
      for (let i = at; i < at + 3; i++) admissible[i] = r[i];
      continue;
    }
    const normal = state[c] === OPEN ? 0 : Math.max(r[at], 0);
    const limit = rows.mu[c] * normal;
    const friction = Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]);
    admissible[at] = normal;
    if (state[c] === SLIDE && !(friction > 0)) {
      admissible[at + 1] = -limit * slip[2 * c];
      admissible[at + 2] = -limit * slip[2 * c + 1];
    } else if (state[c] === SLIDE) {
      admissible[at + 1] = (limit / friction) * r[at + 1];
      admissible[at + 2] = (limit / friction) * r[at + 2];
    } else {
      const share = friction > limit ? limit / friction : 1;
      admissible[at + 1] = share * r[at + 1];
      admissible[at + 2] = share * r[at + 2];
    }
  }
}

/**
 * How far an iterate is from the answer, whatever its states: the norm of f + Hᵀ r − A v with r made
 * admissible, and of the error of Coulomb's law between u and r (the residual (23) of the paper, with
 * one number a contact) [m/s √kg]. work.error := the largest of its parts [m/s].
 */
export function meritOf(problem: MixedProblem, work: Work): number {
  const { operator, rows } = problem;
  const { admissible, free, spare, give, u } = work;
  admit(problem, work);
  for (let i = 0; i < operator.size; i++) spare[i] = free[i];
  addTransposed(spare, rows, work.state, admissible, true);
  let sum = 0;
  work.error = 0;
  for (let i = 0; i < operator.size; i++) {
    const step = operator.inverseDiagonal[i] * spare[i];
    sum += step * spare[i];
    work.error = Math.max(work.error, Math.abs(step));
  }
  for (let c = 0; c < rows.count; c++) {
    const at = 3 * c;
    const scale = (give[at] + give[at + 1] + give[at + 2]) / 3;
    if (scale === 0) continue;
    let error = 0;
    if (rows.bilateral && rows.bilateral[c] === 1) {
      error = Math.sqrt(u[at] * u[at] + u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
    } else {
      error = frictionalError(scale, rows.mu[c], admissible, at, u, at);
    }
    sum += (error * error) / scale;
    work.error = Math.max(work.error, error);
  }
  const merit = Math.sqrt(sum);
  return Number.isNaN(merit) ? Number.POSITIVE_INFINITY : merit;
}

export function keepBest({ operator, rows }: MixedProblem, { v, admissible, bestV, bestR }: Work): void {
  for (let i = 0; i < operator.size; i++) bestV[i] = v[i];
  for (let i = 0; i < 3 * rows.count; i++) bestR[i] = admissible[i];
}

/** Norm of the residual. */
export function normOf(problem: MixedProblem, work: Work): number {
  return Math.sqrt(squaredNorm(problem, work, work.residual, work.rowResidual));
}

/**
 * Squared norm of a residual in the metric of the diagonal preconditioner without Z [kg (m/s)²]: units agree in it.
 */
export function squaredNorm(
  { operator, rows }: MixedProblem,
  { give, state }: Work,
  x: Float64Array,
  xRow: Float64Array,
): number {
  const { size, inverseDiagonal } = operator;
  let sum = 0;
  for (let i = 0; i < size; i++) sum += inverseDiagonal[i] * x[i] * x[i];
  for (let c = 0; c < rows.count; c++) {
    if (state[c] === OPEN) continue;
    for (let i = 3 * c; i < 3 * c + 3; i++) if (give[i] > 0) sum += (xRow[i] * xRow[i]) / give[i];
  }
  return sum;
}
