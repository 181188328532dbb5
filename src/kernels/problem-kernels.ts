// Instantiates the solvers of friction problems on a memory. A module of its own: the command line and benchmarks use
// it, and the library, which does not, stays small.

import embedded from 'virtual:problem-kernels';
import { createInstantiator } from './instantiate';

/** contact-law/local-contact.ts. Each takes the address of a job (state/problem-job-layout.ts). */
export interface ProblemKernels {
  /** Each contact on its own. */
  solveLocalContacts64(job: number): void;
  solveLocalContacts32(job: number): void;
  /** Block Gauss–Seidel. */
  sweepContactBlocks64(job: number): void;
  sweepContactBlocks32(job: number): void;
}

/** The solvers, working on `memory`; compiled once. */
export const instantiateProblemKernels = /* @__PURE__ */ createInstantiator<ProblemKernels>(embedded, 'problem kernel');
