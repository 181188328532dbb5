// Instantiates the solvers of friction problems on a memory. A module of its own: the command line and benchmarks use
// it, and the library, which does not, stays small.

import embedded from 'virtual:problem-kernels';
import { createInstantiator } from './instantiate';

/** contact-law/local-contact.ts. Each takes the address of a job, whose cells JOB names. */
export interface ProblemKernels {
  /** Each contact on its own. */
  solveLocalContacts64(job: number): void;
  solveLocalContacts32(job: number): void;
  /** Block Gauss–Seidel. */
  sweepContactBlocks64(job: number): void;
  sweepContactBlocks32(job: number): void;
}

/**
 * Offsets in a job [B], as in contact-law/local-contact.ts: addresses and counts are i32,
 * the four of the second group f64.
 */
export const JOB = {
  contactCount: 0,
  rowStart: 4,
  column: 8,
  diagonal: 12,
  values: 16,
  offset: 20,
  friction: 24,
  bilateral: 28,
  impulse: 32,
  rest: 36,
  best: 40,
  solver: 44,
  sweeps: 48,
  checkInterval: 52,
  freezeSweeps: 56,
  withErrors: 60,

  freezeThreshold: 64,
  target: 72,
  residual: 80,
  largest: 88,

  sweepsDone: 96,
  calls: 100,
  failSafes: 104,
  lastCalls: 108,
  failures: 112,
  unsolvable: 116,
  skipped: 120,
  end: 128,
} as const;

/** The solvers, working on `memory`; compiled once. */
export const instantiateProblemKernels = /* @__PURE__ */ createInstantiator<ProblemKernels>(embedded, 'problem kernel');
