// Friction problems solved in kernels, in f64 or f32: block Gauss–Seidel over all contacts, or contacts one by one.
//
// In: a contact problem, copied once into a memory of its own; out: impulses in f64 and what the run needed. The
// residual that kernels report is summed in their own arithmetic: f32 sees its rounding as progress or none, so a
// caller that judges measures again with solvers/residual.

import { createArena } from '../core/arena';
import { createKernelScratch } from '../core/scratch';
import { instantiateProblemKernels } from '../kernels/problem-kernels';
import type { ContactProblem } from '../solvers/contact-problem';
import type { LocalSolverName } from '../solvers/local/choose-local';
import { createLocalCounts, type LocalCounts } from '../solvers/local/hybrid';
import * as L from '../state/layout';
import * as J from '../state/problem-job-layout';
import { ARENA_LAYOUT } from '../state/tables';

/** Numbers the kernels compute with. */
export type Arithmetic = 'f64' | 'f32';

/**
 * Local solvers of the kernels. In f32, `bracketed` computes in f64 on f32 data and `bracketed-plain` in f32
 * throughout, as a device without f64 would; in f64 they are the same.
 */
export type KernelLocalName = LocalSolverName | 'bracketed-plain';

/** Codes of the kernel. */
const SOLVER_CODES: Readonly<Record<KernelLocalName, number>> = {
  isotropic: 0,
  bracketed: 1,
  newton: 2,
  enumerative: 3,
  hybrid: 4,
  'bracketed-plain': 5,
};

export interface BlockSweepOptions {
  /** Solver of one contact; default bracketed. */
  local?: KernelLocalName;
  /** Sweeps at most [-]. */
  sweepLimit: number;
  /** Sweeps between two looks at the residual, each about a sweep's work [-]; 0: none, all sweeps are done. */
  checkInterval: number;
  /** Residual to stop at [m/s]. */
  target: number;
  /** Sweeps that a quiet contact is left alone [-]; default 0, no freezing. */
  freezeSweeps?: number;
  /** Change that counts as quiet, relative to the largest of the sweep before [-]; default 0.01. */
  freezeThreshold?: number;
  /** Counts calls and failures of the local solver; costs time. Default false. */
  counted?: boolean;
}

export interface BlockSweepReport {
  sweeps: number;
  /** Residual of the r returned, as the kernels see it [m/s]; infinite when they did not look. */
  residual: number;
  /** Contacts left alone by freezing, summed over sweeps. */
  skipped: number;
  /** `calls` and `failures` only when counted. */
  local: LocalCounts;
}

/** Kernels with room for one problem at a time. */
export interface BlockSweeps {
  /** Copies a problem in, for as many runs as wanted. mu above 1e6 counts as 1e6. */
  load(problem: ContactProblem, arithmetic: Arithmetic): void;
  /** Solves from r (three impulses per contact [N·s]) in place. */
  run(r: Float64Array, options: BlockSweepOptions): BlockSweepReport;
  /**
   * Solves each contact of the problem as if it were alone, from r in place, and returns the counts. Nothing
   * is read of the problem but diagonal blocks in order: a block per contact, W_c = values[9c…9c+8].
   */
  runApart(r: Float64Array, local: KernelLocalName, counted?: boolean): LocalCounts;
}

/** The law does not tell larger coefficients apart, f32 does. */
const MU_LIMIT = 1e6;

/** Addresses from the job on, each on a cache line behind it: [cell that holds it, address], and the end of all [B]. */
function planJob(contacts: number, blocks: number, width: 4 | 8): { places: [number, number][]; top: number } {
  let top: number = J.JOB_BYTES;
  const places: [number, number][] = [];
  const place = (offset: number, bytes: number): void => {
    top = Math.ceil(top / 64) * 64;
    places.push([offset, top]);
    top += bytes;
  };
  place(J.ROW_START, 4 * (contacts + 1));
  place(J.COLUMN, 4 * blocks);
  place(J.DIAGONAL, 4 * contacts);
  place(J.LAW, 4 * contacts);
  place(J.REST, 4 * contacts);
  place(J.VALUES, 9 * blocks * width);
  place(J.OFFSET, 3 * contacts * width);
  place(J.FRICTION, contacts * width);
  place(J.IMPULSE, 3 * contacts * width);
  place(J.BEST, 3 * contacts * width);
  return { places, top };
}

/** Makes the kernels and their memory. */
export function createBlockSweeps(): BlockSweeps {
  const arena = createArena(ARENA_LAYOUT, 1024 * 1024);
  const scratch = createKernelScratch(arena, { address: L.KERNEL_SCRATCH_ADDRESS, size: L.KERNEL_SCRATCH_SIZE });
  const kernels = instantiateProblemKernels(arena.memory);
  let job = 0;
  let contacts = 0;
  let isDouble = true;

  const cell = (offset: number): number => arena.i32[(job + offset) >> 2];
  const setCell = (offset: number, value: number): void => {
    arena.i32[(job + offset) >> 2] = value;
  };
  const setNumber = (offset: number, value: number): void => {
    arena.f64[(job + offset) >> 3] = value;
  };
  const numbers = (address: number, count: number): Float64Array | Float32Array =>
    isDouble
      ? new Float64Array(arena.memory.buffer, address, count)
      : new Float32Array(arena.memory.buffer, address, count);

  function load(problem: ContactProblem, arithmetic: Arithmetic): void {
    isDouble = arithmetic === 'f64';
    contacts = problem.contactCount;
    const blocks = problem.rowStart[contacts];
    const { places, top } = planJob(contacts, blocks, isDouble ? 8 : 4);
    job = scratch.address(top);
    arena.u8.fill(0, job, job + J.JOB_BYTES);
    for (const [offset, at] of places) setCell(offset, job + at);
    setCell(J.CONTACT_COUNT, contacts);

    arena.i32.set(problem.rowStart.subarray(0, contacts + 1), cell(J.ROW_START) >> 2);
    arena.i32.set(problem.column.subarray(0, blocks), cell(J.COLUMN) >> 2);
    arena.i32.set(problem.diagonal.subarray(0, contacts), cell(J.DIAGONAL) >> 2);
    if (problem.law) arena.i32.set(problem.law.subarray(0, contacts), cell(J.LAW) >> 2);
    else setCell(J.LAW, 0);
    numbers(cell(J.VALUES), 9 * blocks).set(problem.values.subarray(0, 9 * blocks));
    numbers(cell(J.OFFSET), 3 * contacts).set(problem.b.subarray(0, 3 * contacts));
    const mu = numbers(cell(J.FRICTION), contacts);
    for (let c = 0; c < contacts; c++) mu[c] = Math.min(problem.mu[c], MU_LIMIT);
  }

  function prepare(r: Float64Array, local: KernelLocalName, counted: boolean): void {
    numbers(cell(J.IMPULSE), 3 * contacts).set(r.subarray(0, 3 * contacts));
    setCell(J.SOLVER, SOLVER_CODES[local]);
    setCell(J.WITH_ERRORS, counted ? 1 : 0);
    for (let offset: number = J.CALLS; offset <= J.SKIPPED; offset += 4) setCell(offset, 0);
  }

  function readBack(r: Float64Array): LocalCounts {
    r.set(numbers(cell(J.IMPULSE), 3 * contacts));
    const counts = createLocalCounts();
    counts.calls = cell(J.CALLS);
    counts.enumerative = cell(J.FAIL_SAFES);
    counts.bracketed = cell(J.LAST_CALLS);
    counts.failures = cell(J.FAILURES);
    counts.noSolution = cell(J.UNSOLVABLE);
    return counts;
  }

  return {
    load,
    run(r, options) {
      const { local = 'bracketed', counted = false, freezeSweeps = 0, freezeThreshold = 0.01 } = options;
      prepare(r, local, counted);
      arena.i32.fill(0, cell(J.REST) >> 2, (cell(J.REST) >> 2) + contacts);
      setCell(J.SWEEPS, options.sweepLimit);
      setCell(J.CHECK_INTERVAL, options.checkInterval);
      setCell(J.FREEZE_SWEEPS, freezeSweeps);
      setNumber(J.FREEZE_THRESHOLD, freezeThreshold);
      setNumber(J.TARGET, options.target);
      setNumber(J.LARGEST, 0);
      if (isDouble) kernels.sweepContactBlocks64(job);
      else kernels.sweepContactBlocks32(job);
      const counts = readBack(r);
      const residual = arena.f64[(job + J.RESIDUAL) >> 3];
      return { sweeps: cell(J.SWEEPS_DONE), residual, skipped: cell(J.SKIPPED), local: counts };
    },
    runApart(r, local, counted = false) {
      prepare(r, local, counted);
      if (isDouble) kernels.solveLocalContacts64(job);
      else kernels.solveLocalContacts32(job);
      return readBack(r);
    },
  };
}
