/**
 * Nonsmooth Newton steps on all contacts of a problem at once, damped by Levenberg and Marquardt.
 *
 * f(r) = 0 is the Fischer–Burmeister form of the law, contact by contact (`math/second-order-cone`; scalar for
 * mu = 0, u itself for bilateral contacts), contact c in units of its own λ_c. A step d solves
 * (JᵀJ + ν diag) d = −Jᵀ f with the dense J = A W + B of the generalised derivatives, and is taken if ‖f‖
 * falls: ½‖f‖² is continuously differentiable, so that there is always such a ν short of a stationary point.
 *
 * For problems that neither sets, sweeps nor splitting settle: low rank, large mu, friction that feeds back on the
 * normal. Stationary points that are no solutions exist there too; the caller sees it by the residual. Dense: up
 * to a few hundred contacts, offline.
 */
import { fischerBurmeister } from '../math/second-order-cone';
import { hasAbsurdImpulses } from './absurd-impulses';
import { type ContactProblem, contactScale, velocityOf, velocityScale } from './contact-problem';
import { residualAt, residualOf } from './residual';
import { LAW_BILATERAL, LAW_BOUNDED } from './row-law';

export interface ContactNewtonReport {
  iterations: number;
  /** Residual of the r returned [m/s]. */
  residual: number;
}

/** Damping relative to the largest diagonal of JᵀJ: at the start, its bounds, and by what it falls and rises. */
const DAMPING = 1e-3;
const LEAST = 1e-14;
const MOST = 1e6;
const EASE = 0.2;
const BACK = 4;

/** Derivatives of one contact: J_c = A W_c + B δ. */
const x = new Float64Array(3);
const y = new Float64Array(3);
const value = new Float64Array(3);
const Jx = new Float64Array(9);
const Jy = new Float64Array(9);

/**
 * f (three numbers at 3c) and, unless null, A and B (nine numbers at 9c) of every contact, for scaled r and u; `unit`
 * is the impulse that r = 1 stands for.
 */
function evaluateLaw(
  f: Float64Array,
  A: Float64Array | null,
  B: Float64Array | null,
  problem: ContactProblem,
  r: Float64Array,
  u: Float64Array,
  unit: Float64Array,
): void {
  const { contactCount, law } = problem;

  for (let c = 0; c < contactCount; c++) {
    const at = 3 * c;
    const mu = problem.mu[c];
    if (A && B) {
      A.fill(0, 9 * c, 9 * c + 9);
      B.fill(0, 9 * c, 9 * c + 9);
    }

    if (law && law[c] === LAW_BILATERAL) {
      for (let i = 0; i < 3; i++) {
        f[at + i] = u[at + i];
        if (A) A[9 * c + 4 * i] = 1;
      }
      continue;
    }

    if (law && law[c] === LAW_BOUNDED) {
      // Cut off at the bounds.
      for (let i = 0; i < 3; i++) {
        const row = at + i;
        const step = r[row] - u[row];
        const cut = unit[c] > 0 ? Math.min(Math.max(step, problem.low[row] / unit[c]), problem.high[row] / unit[c]) : 0;
        f[row] = r[row] - cut;
        if (!A || !B) continue;
        if (cut === step) A[9 * c + 4 * i] = 1;
        else B[9 * c + 4 * i] = 1;
      }
      continue;
    }

    if (mu === 0) {
      const size = Math.sqrt(r[at] * r[at] + u[at] * u[at]);
      f[at] = r[at] + u[at] - size;
      f[at + 1] = r[at + 1];
      f[at + 2] = r[at + 2];
      if (!A || !B) continue;
      A[9 * c] = size > 0 ? 1 - u[at] / size : 1 - Math.SQRT1_2;
      B[9 * c] = size > 0 ? 1 - r[at] / size : 1 - Math.SQRT1_2;
      B[9 * c + 4] = 1;
      B[9 * c + 8] = 1;
      continue;
    }

    const slip = Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
    x[0] = mu * r[at];
    x[1] = r[at + 1];
    x[2] = r[at + 2];
    y[0] = u[at] + mu * slip;
    y[1] = mu * u[at + 1];
    y[2] = mu * u[at + 2];
    fischerBurmeister(value, A ? Jx : null, A ? Jy : null, x, y);
    for (let i = 0; i < 3; i++) f[at + i] = value[i];
    if (!A || !B) continue;
    const d1 = slip > 0 ? (mu * u[at + 1]) / slip : 0;
    const d2 = slip > 0 ? (mu * u[at + 2]) / slip : 0;

    for (let i = 0; i < 3; i++) {
      const row = 9 * c + 3 * i;
      A[row] = Jy[3 * i];
      A[row + 1] = Jy[3 * i] * d1 + mu * Jy[3 * i + 1];
      A[row + 2] = Jy[3 * i] * d2 + mu * Jy[3 * i + 2];
      B[row] = mu * Jx[3 * i];
      B[row + 1] = Jx[3 * i + 1];
      B[row + 2] = Jx[3 * i + 2];
    }
  }
}

/**
 * Steps from r (finite) in place, at most `iterationLimit`, until the residual is `target` [m/s]; returns the iterate
 * of least residual. Each iteration costs about (3·contacts)³ multiplications.
 */
export function solveContactNewton(
  problem: ContactProblem,
  r: Float64Array,
  target: number,
  iterationLimit: number,
): ContactNewtonReport {
  const n = problem.contactCount;
  const size = 3 * n;
  const velocity = new Float64Array(size);
  const best = r.slice(0, size);
  const report: ContactNewtonReport = { iterations: 0, residual: residualOf(velocity, problem, best) };

  // Contact c in units of √λ; those that nothing moves keep their zeros.
  const unit = new Float64Array(n);
  for (let c = 0; c < n; c++) {
    const lambda = contactScale(problem, c);
    unit[c] = lambda > 0 ? 1 / Math.sqrt(lambda) : 0;
  }

  // Impulses and velocities of order one, so that the damping means the same for every problem.
  const speed = velocityScale(problem) * Math.max(...unit) || 1;
  const impulseUnit = unit.map((own) => own * speed);
  const now = new Float64Array(size);
  const u = new Float64Array(size);
  const f = new Float64Array(size);
  const A = new Float64Array(9 * n);
  const B = new Float64Array(9 * n);
  const trial = new Float64Array(size);
  const own = new Float64Array(size);
  const J = new Float64Array(size * size);
  const normal = new Float64Array(size * size);
  const factor = new Float64Array(size * size);
  const gradient = new Float64Array(size);
  const step = new Float64Array(size);

  const measure = (point: Float64Array): number => {
    for (let i = 0; i < size; i++) own[i] = point[i] * speed * unit[(i / 3) | 0];
    velocityOf(velocity, problem, own);
    for (let i = 0; i < size; i++) u[i] = (velocity[i] * unit[(i / 3) | 0]) / speed;
    return residualAt(problem, own, velocity);
  };
  for (let i = 0; i < size; i++) now[i] = unit[(i / 3) | 0] > 0 ? r[i] / (speed * unit[(i / 3) | 0]) : 0;

  let damping = DAMPING;

  while (report.iterations < iterationLimit && report.residual > target && damping <= MOST) {
    measure(now);
    evaluateLaw(f, A, B, problem, now, u, impulseUnit);
    const before = sumOfSquares(f);
    fillJacobian(J, problem, unit, A, B);
    const largest = fillNormal(normal, gradient, J, f, size);
    let isBetter = false;
    while (!isBetter && damping <= MOST && report.iterations < iterationLimit) {
      report.iterations++;
      if (solveDamped(step, factor, normal, gradient, damping * largest, size)) {
        for (let i = 0; i < size; i++) trial[i] = now[i] + step[i];
        const residual = measure(trial);
        evaluateLaw(f, null, null, problem, trial, u, impulseUnit);
        isBetter = sumOfSquares(f) < before * (1 - 1e-12);
        if (residual < report.residual && !hasAbsurdImpulses(problem, own)) {
          report.residual = residual;
          best.set(own);
        }
      }
      damping = isBetter ? Math.max(LEAST, damping * EASE) : damping * BACK;
    }
    if (isBetter) now.set(trial);
  }

  for (let i = 0; i < size; i++) r[i] = best[i];
  return report;
}

function sumOfSquares(f: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < f.length; i++) sum += f[i] * f[i];
  return sum;
}

/** J := A W + B in scaled units, dense and row-major. */
function fillJacobian(
  J: Float64Array,
  problem: ContactProblem,
  unit: Float64Array,
  A: Float64Array,
  B: Float64Array,
): void {
  const { contactCount: n, rowStart, column, values } = problem;
  const size = 3 * n;
  J.fill(0);
  for (let c = 0; c < n; c++) {
    for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
      const scale = unit[c] * unit[column[k]];
      for (let i = 0; i < 3; i++) {
        const row = (3 * c + i) * size + 3 * column[k];
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let m = 0; m < 3; m++) sum += A[9 * c + 3 * i + m] * values[9 * k + 3 * m + j];
          J[row + j] += scale * sum;
        }
      }
    }
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) J[(3 * c + i) * size + 3 * c + j] += B[9 * c + 3 * i + j];
  }
}

/** Lower triangle of JᵀJ, and Jᵀf; returns the largest diagonal entry. */
function fillNormal(
  normal: Float64Array,
  gradient: Float64Array,
  J: Float64Array,
  f: Float64Array,
  size: number,
): number {
  normal.fill(0);
  gradient.fill(0);
  for (let row = 0; row < size; row++) {
    const at = row * size;
    for (let i = 0; i < size; i++) {
      const value = J[at + i];
      if (value === 0) continue;
      gradient[i] += value * f[row];
      for (let j = 0; j <= i; j++) normal[i * size + j] += value * J[at + j];
    }
  }
  let largest = 0;
  for (let i = 0; i < size; i++) largest = Math.max(largest, normal[i * size + i]);
  return largest;
}

/** step := −(normal + shift I)⁻¹ gradient by Cholesky; false when it breaks down. */
function solveDamped(
  step: Float64Array,
  factor: Float64Array,
  normal: Float64Array,
  gradient: Float64Array,
  shift: number,
  size: number,
): boolean {
  for (let i = 0; i < size; i++) {
    const rowI = i * size;
    for (let j = 0; j <= i; j++) {
      const rowJ = j * size;
      let sum = normal[rowI + j] + (i === j ? shift : 0);
      for (let k = 0; k < j; k++) sum -= factor[rowI + k] * factor[rowJ + k];
      if (i === j) {
        if (!(sum > 0)) return false;
        factor[rowI + i] = Math.sqrt(sum);
      } else factor[rowI + j] = sum / factor[rowJ + j];
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = -gradient[i];
    for (let k = 0; k < i; k++) sum -= factor[i * size + k] * step[k];
    step[i] = sum / factor[i * size + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = step[i];
    for (let k = i + 1; k < size; k++) sum -= factor[k * size + i] * step[k];
    step[i] = sum / factor[i * size + i];
  }
  return true;
}
