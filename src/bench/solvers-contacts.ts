// One-contact problems of `stiction bench solvers`: those that sweeps meet in the batch, and random ones; how often
// does each local solver leave an error above 1e-3?

import { createBlockSweeps, type KernelLocalName } from '../dynamics/block-sweeps';
import { type ContactProblem, createContactProblem } from '../solvers/contact-problem';
import { solveBracketed } from '../solvers/local/bracketed';
import { chooseLocal, type LocalSolverName } from '../solvers/local/choose-local';
import { followSweeps } from './solvers-local';
import { type BatchProblem, createChance } from './solvers-problems';

/** Many contacts in flat arrays: W nine, b three, mu one number each. */
export interface OneContacts {
  count: number;
  W: Float64Array;
  b: Float64Array;
  mu: Float64Array;
}

/** Error that counts as a failure [-]. */
const FAILED = 1e-3;
/**
 * Impulses λ‖r‖/‖b‖ beyond this have no answer in f32 [-]: rounding W and r to 24 bits makes velocities wrong
 * by up to about 6 · 2⁻²⁴ λ‖r‖, which is an error of 1e-3 whatever the solver.
 */
export const F32_REACH = 2800;

/** Room for contacts. */
function createOneContacts(count: number): OneContacts {
  return {
    count,
    W: new Float64Array(9 * count),
    b: new Float64Array(3 * count),
    mu: new Float64Array(count),
  };
}

/** The local problems of the first `sweeps` sweeps on each problem: W_cc, and what all other contacts leave of b. */
export function collectContacts(batch: readonly BatchProblem[], sweeps: number): OneContacts {
  const all = createOneContacts(batch.reduce((sum, { problem }) => sum + problem.contactCount * sweeps, 0));
  let at = 0;
  for (const { problem } of batch) {
    followSweeps(
      problem,
      (r, rAt, W, wAt, b, bAt, mu) => {
        for (let i = 0; i < 9; i++) all.W[9 * at + i] = W[wAt + i];
        for (let i = 0; i < 3; i++) all.b[3 * at + i] = b[bAt + i];
        all.mu[at++] = mu;
        return solveBracketed(r, rAt, W, wAt, b, bAt, mu);
      },
      sweeps,
    );
  }
  return all;
}

/** Random contacts: W symmetric positive definite with a condition up to `condition`, b that mostly closes, mu <= 2. */
export function drawContacts(count: number, condition: number, seed: number): OneContacts {
  const chance = createChance(seed);
  const all = createOneContacts(count);
  for (let c = 0; c < count; c++) {
    const worst = condition ** chance();
    const eigen = [1, worst ** -chance(), 1 / worst];
    const Q = drawRotation(chance);
    const mass = 10 ** (8 * chance() - 4);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        for (let e = 0; e < 3; e++) all.W[9 * c + 3 * i + j] += mass * eigen[e] * Q[3 * e + i] * Q[3 * e + j];
      }
    }
    const unit = 10 ** (8 * chance() - 4);
    for (let i = 0; i < 3; i++) all.b[3 * c + i] = unit * (2 * chance() - 1);
    if (chance() < 0.8) all.b[3 * c] = -Math.abs(all.b[3 * c]);
    all.mu[c] = 2 * chance();
  }
  return all;
}

/** Rotation matrix of a random unit quaternion. */
function drawRotation(chance: () => number): number[] {
  for (;;) {
    const [x, y, z, w] = Array.from({ length: 4 }, () => 2 * chance() - 1);
    const s = x * x + y * y + z * z + w * w;
    if (s < 0.01 || s > 1) continue;
    return [
      ...[1 - (2 * (y * y + z * z)) / s, (2 * (x * y - z * w)) / s, (2 * (x * z + y * w)) / s],
      ...[(2 * (x * y + z * w)) / s, 1 - (2 * (x * x + z * z)) / s, (2 * (y * z - x * w)) / s],
      ...[(2 * (x * z - y * w)) / s, (2 * (y * z + x * w)) / s, 1 - (2 * (x * x + y * y)) / s],
    ];
  }
}

/** The contacts as one problem that couples none of them. */
function problemOfContacts({ count, W, b, mu }: OneContacts): ContactProblem {
  const problem = createContactProblem(count, count);
  problem.contactCount = count;
  for (let c = 0; c < count; c++) {
    problem.rowStart[c + 1] = c + 1;
    problem.column[c] = c;
    problem.diagonal[c] = c;
  }
  problem.values.set(W);
  problem.b.set(b);
  problem.mu.set(mu);
  return problem;
}

/**
 * Natural map of contact c without scales: W by its mean diagonal, b by its norm; ‖r −
 * P_K(r − (u + mu‖u_T‖ e_N))‖.
 */
export function contactError({ W, b, mu }: OneContacts, c: number, r: ArrayLike<number>): number {
  const w = 9 * c;
  const at = 3 * c;
  const scale = (W[w] + W[w + 4] + W[w + 8]) / 3;
  const size = Math.hypot(b[at], b[at + 1], b[at + 2]);
  if (size === 0) return 0;
  const q = [0, 1, 2].map((i) => (r[at + i] * scale) / size);
  const u = [0, 1, 2].map(
    (i) => b[at + i] / size + (W[w + 3 * i] * q[0] + W[w + 3 * i + 1] * q[1] + W[w + 3 * i + 2] * q[2]) / scale,
  );
  const m = mu[c];
  const x0 = q[0] - u[0] - m * Math.hypot(u[1], u[2]);
  const x1 = q[1] - u[1];
  const x2 = q[2] - u[2];
  const length = Math.hypot(x1, x2);
  let n = x0;
  let keep = 1;
  if (length > m * x0) {
    n = Math.max(0, (x0 + m * length) / (1 + m * m));
    keep = n > 0 ? (m * n) / length : 0;
  }
  const error = Math.hypot(q[0] - n, q[1] - keep * x1, q[2] - keep * x2);
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}

/** λ‖r‖/‖b‖ of contact c. */
function impulseSize({ W, b }: OneContacts, c: number, r: ArrayLike<number>): number {
  const size = Math.hypot(b[3 * c], b[3 * c + 1], b[3 * c + 2]);
  const scale = (W[9 * c] + W[9 * c + 4] + W[9 * c + 8]) / 3;
  return size === 0 ? 0 : (scale * Math.hypot(r[3 * c], r[3 * c + 1], r[3 * c + 2])) / size;
}

export interface ContactRow {
  solver: string;
  engine: string;
  /** Errors above 1e-3. */
  failures: number;
  /** Those of them with an answer that f32 can hold. */
  within: number;
  /** 99.9th percentile of the error, and the largest, among contacts within the reach of f32. */
  p999: number;
  largest: number;
  /** Time of a call [µs]. */
  microseconds: number;
}

/** Solvers by engine. In f32 bracketed runs in mixed arithmetic and, `bracketed-plain`, in f32 throughout. */
const RUNS: readonly (readonly [string, readonly KernelLocalName[]])[] = [
  ['f64 TS', ['newton', 'enumerative', 'hybrid', 'bracketed']],
  ['f64 kernel', ['newton', 'enumerative', 'hybrid', 'bracketed']],
  ['f32 kernel', ['newton', 'enumerative', 'hybrid', 'bracketed', 'bracketed-plain']],
];

/** A row a local solver and engine, and how many contacts are beyond f32. */
export function benchContacts(contacts: OneContacts): { rows: ContactRow[]; beyond: number } {
  const { count } = contacts;
  const problem = problemOfContacts(contacts);
  const kernels = createBlockSweeps();
  const isBeyond = new Uint8Array(count);
  const exact = new Float64Array(3 * count);
  kernels.load(problem, 'f64');
  kernels.runApart(exact, 'bracketed');
  for (let c = 0; c < count; c++) isBeyond[c] = impulseSize(contacts, c, exact) > F32_REACH ? 1 : 0;

  const rows: ContactRow[] = [];
  for (const [engine, solvers] of RUNS) {
    if (engine !== 'f64 TS') kernels.load(problem, engine === 'f64 kernel' ? 'f64' : 'f32');
    for (const solver of solvers) {
      const r = new Float64Array(3 * count);
      const start = performance.now();
      if (engine === 'f64 TS') solveScript(r, contacts, solver as LocalSolverName);
      else kernels.runApart(r, solver);
      const microseconds = (1000 * (performance.now() - start)) / count;
      rows.push({ solver, engine, ...judge(contacts, r, isBeyond), microseconds });
    }
  }
  return { rows, beyond: isBeyond.reduce((sum, x) => sum + x, 0) };
}

function solveScript(r: Float64Array, { count, W, b, mu }: OneContacts, name: LocalSolverName): void {
  const solve = chooseLocal(name, null);
  for (let c = 0; c < count; c++) solve(r, 3 * c, W, 9 * c, b, 3 * c, mu[c]);
}

function judge(contacts: OneContacts, r: Float64Array, isBeyond: Uint8Array) {
  let failures = 0;
  let within = 0;
  const errors: number[] = [];
  for (let c = 0; c < contacts.count; c++) {
    const error = contactError(contacts, c, r);
    if (error > FAILED) failures++;
    if (isBeyond[c] === 1) continue;
    if (error > FAILED) within++;
    errors.push(error);
  }
  errors.sort((a, b) => a - b);
  const p999 = errors[Math.max(0, Math.ceil(0.999 * errors.length) - 1)] ?? 0;
  return { failures, within, p999, largest: errors.at(-1) ?? 0 };
}
