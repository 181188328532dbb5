// Instantiates the solvers of friction problems on a memory. A module of its own: the command line and benchmarks use
// it, and the library, which does not, stays small.

import base64 from 'virtual:problem-kernels';

/** local-contact.ts. Each takes the address of a job, whose cells JOB names. */
export interface ProblemKernels {
  /** Each contact on its own. */
  solveLocalContacts64(job: number): void;
  solveLocalContacts32(job: number): void;
  /** Block Gauss–Seidel. */
  sweepContactBlocks64(job: number): void;
  sweepContactBlocks32(job: number): void;
}

/** Offsets in a job [B], as in local-contact.ts: addresses and counts are i32, the four of the second group f64. */
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

let compiled: WebAssembly.Module | null = null;

/** The solvers, working on `memory`; compiled once. */
export function instantiateProblemKernels(memory: WebAssembly.Memory): ProblemKernels {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  const abort = (_message: number, _file: number, line: number, column: number) => {
    throw new Error(`stiction: internal error: problem kernel assertion failed at ${line}:${column}`);
  };
  const instance = new WebAssembly.Instance(compiled, { env: { memory, abort } });
  return instance.exports as unknown as ProblemKernels;
}
