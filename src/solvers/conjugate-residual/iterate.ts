// Steps of preconditioned conjugate residuals on B y = d with the active rows at hand: lines 7 to 21 of Algorithm 1.

import { OPEN, SLIDE } from '../../core/contact-law-constants';
import type { ConjugateResidualOptions } from './options';
import { precondition } from './preconditioner';
import { addTransposed, contactVelocities, keepAcross, multiplyRows } from './rows';
import type { MixedProblem, Work } from './work';

/** free := f − A v. */
export function refreshFree({ operator, f }: MixedProblem, { free, v }: Work): void {
  operator.multiply(free, v);
  for (let i = 0; i < operator.size; i++) free[i] = f[i] - free[i];
}

/** Residual from free, r and v; z; p = z with its products. Returns zᵀ B z. */
export function restart(problem: MixedProblem, work: Work, kind: ConjugateResidualOptions['preconditioner']): number {
  const { operator, rows } = problem;
  const { free, residual, rowResidual, state, across, z, zRow, az, bz, bzRow, p, pRow, ap, bp, bpRow, u } = work;
  const { size } = operator;
  for (let i = 0; i < size; i++) residual[i] = free[i];
  addTransposed(residual, rows, state, work.r, true);
  contactVelocities(u, rows, work.v);
  for (let c = 0; c < rows.count; c++) {
    const isActive = state[c] !== OPEN;
    for (let i = 3 * c; i < 3 * c + 3; i++) rowResidual[i] = isActive ? u[i] : 0;
    if (state[c] !== SLIDE) continue;
    const give = Math.max(across[c], 0);
    for (let i = 3 * c + 1; i < 3 * c + 3; i++) rowResidual[i] += give * work.r[i];
    keepAcross(rowResidual, work, c);
  }
  precondition(kind, problem, work, z, zRow, residual, rowResidual);
  multiply(problem, work);
  for (let i = 0; i < size; i++) {
    p[i] = z[i];
    ap[i] = az[i];
    bp[i] = bz[i];
  }
  for (let i = 0; i < 3 * rows.count; i++) {
    pRow[i] = zRow[i];
    bpRow[i] = bzRow[i];
  }
  return rhoOf(problem, work);
}

/** az := A z, bz := B z. */
function multiply({ operator, rows }: MixedProblem, work: Work): void {
  const { z, zRow, az, bz, bzRow, spare, state, across } = work;
  operator.multiply(az, z);
  spare.fill(0, 0, operator.size);
  addTransposed(spare, rows, state, zRow, false);
  for (let i = 0; i < operator.size; i++) bz[i] = az[i] - spare[i];
  multiplyRows(bzRow, rows, work, z);
  for (let i = 0; i < 3 * rows.count; i++) bzRow[i] = -bzRow[i];
  for (let c = 0; c < rows.count; c++) {
    if (state[c] !== SLIDE || !(across[c] > 0)) continue;
    for (let i = 3 * c + 1; i < 3 * c + 3; i++) bzRow[i] -= across[c] * zRow[i];
  }
}

/** zᵀ B z */
function rhoOf({ operator, rows }: MixedProblem, { z, zRow, bz, bzRow }: Work): number {
  return dot(z, bz, operator.size) + dot(zRow, bzRow, 3 * rows.count);
}

export function dot(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * Where conjugate residuals break down: p := D⁻¹ B D⁻¹ residual, D the diagonal preconditioner's, down the slope
 * of the squared residual itself, with its products (two with A). What breaks them down most is a start with A v = f
 * and all error in the rows: then zᵀ B z = 0, though z is not.
 */
export function turnDownhill(problem: MixedProblem, work: Work): void {
  const { operator, rows } = problem;
  const { z, zRow, az, bz, bzRow, p, pRow, ap, bp, bpRow, residual, rowResidual } = work;
  precondition('diagonal', problem, work, z, zRow, residual, rowResidual);
  multiply(problem, work);
  precondition('diagonal', problem, work, p, pRow, bz, bzRow);
  for (let i = 0; i < operator.size; i++) z[i] = p[i];
  for (let i = 0; i < 3 * rows.count; i++) zRow[i] = pRow[i];
  multiply(problem, work);
  for (let i = 0; i < operator.size; i++) {
    ap[i] = az[i];
    bp[i] = bz[i];
  }
  for (let i = 0; i < 3 * rows.count; i++) bpRow[i] = bzRow[i];
}

/** Step along p that makes the residual least, in the metric of `squaredNorm`. */
export function leastStep({ operator, rows }: MixedProblem, work: Work): number {
  const { residual, rowResidual, bp, bpRow, give } = work;
  let down = 0;
  let length = 0;
  for (let i = 0; i < operator.size; i++) {
    const weighted = operator.inverseDiagonal[i] * bp[i];
    down += weighted * residual[i];
    length += weighted * bp[i];
  }
  for (let i = 0; i < 3 * rows.count; i++) {
    if (give[i] === 0) continue;
    down += (bpRow[i] * rowResidual[i]) / give[i];
    length += (bpRow[i] * bpRow[i]) / give[i];
  }
  return down / length;
}

/** y := y + α p and what follows from it. */
export function advance({ operator, rows }: MixedProblem, work: Work, alpha: number): void {
  const { v, r, free, residual, rowResidual, z, zRow, p, pRow, ap, bp, bpRow, q, qRow } = work;
  for (let i = 0; i < operator.size; i++) {
    v[i] += alpha * p[i];
    free[i] -= alpha * ap[i];
    residual[i] -= alpha * bp[i];
    z[i] -= alpha * q[i];
  }
  for (let i = 0; i < 3 * rows.count; i++) {
    r[i] += alpha * pRow[i];
    rowResidual[i] -= alpha * bpRow[i];
    zRow[i] -= alpha * qRow[i];
  }
}

/** The next p, conjugate to the last; returns zᵀ B z. */
export function follow(problem: MixedProblem, work: Work, rho: number): number {
  const { operator, rows } = problem;
  const { z, zRow, az, bz, bzRow, p, pRow, ap, bp, bpRow } = work;
  multiply(problem, work);
  const next = rhoOf(problem, work);
  const beta = next / rho;
  for (let i = 0; i < operator.size; i++) {
    p[i] = z[i] + beta * p[i];
    ap[i] = az[i] + beta * ap[i];
    bp[i] = bz[i] + beta * bp[i];
  }
  for (let i = 0; i < 3 * rows.count; i++) {
    pRow[i] = zRow[i] + beta * pRow[i];
    bpRow[i] = bzRow[i] + beta * bpRow[i];
  }
  return next;
}
