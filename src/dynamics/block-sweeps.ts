// Friction problems solved in kernels, in f64 or f32: block Gauss–Seidel over all contacts, or contacts one by one.
//
// In: a contact problem, copied once into a memory of its own; out: impulses in f64 and what the run needed. The
// residual that kernels report is summed in their own arithmetic: f32 sees its rounding as progress or none, so a
// caller that judges measures again with solvers/residual.

import { createArena } from '../core/arena';
import { createKernelScratch } from '../core/scratch';
import { instantiateProblemKernels, JOB } from '../kernels/problem-kernels';
import type { ContactProblem } from '../solvers/contact-problem';
import type { LocalSolverName } from '../solvers/local/choose-local';
import { createLocalCounts, type LocalCounts } from '../solvers/local/hybrid';
import * as L from '../state/layout';
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
  let top: number = JOB.end;
  const places: [number, number][] = [];
  const place = (offset: number, bytes: number): void => {
    top = Math.ceil(top / 64) * 64;
    places.push([offset, top]);
    top += bytes;
  };
  place(JOB.rowStart, 4 * (contacts + 1));
  place(JOB.column, 4 * blocks);
  place(JOB.diagonal, 4 * contacts);
  place(JOB.bilateral, 4 * contacts);
  place(JOB.rest, 4 * contacts);
  place(JOB.values, 9 * blocks * width);
  place(JOB.offset, 3 * contacts * width);
  place(JOB.friction, contacts * width);
  place(JOB.impulse, 3 * contacts * width);
  place(JOB.best, 3 * contacts * width);
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
    arena.u8.fill(0, job, job + JOB.end);
    for (const [offset, at] of places) setCell(offset, job + at);
    setCell(JOB.contactCount, contacts);

    arena.i32.set(problem.rowStart.subarray(0, contacts + 1), cell(JOB.rowStart) >> 2);
    arena.i32.set(problem.column.subarray(0, blocks), cell(JOB.column) >> 2);
    arena.i32.set(problem.diagonal.subarray(0, contacts), cell(JOB.diagonal) >> 2);
    if (problem.law) arena.i32.set(problem.law.subarray(0, contacts), cell(JOB.bilateral) >> 2);
    else setCell(JOB.bilateral, 0);
    numbers(cell(JOB.values), 9 * blocks).set(problem.values.subarray(0, 9 * blocks));
    numbers(cell(JOB.offset), 3 * contacts).set(problem.b.subarray(0, 3 * contacts));
    const mu = numbers(cell(JOB.friction), contacts);
    for (let c = 0; c < contacts; c++) mu[c] = Math.min(problem.mu[c], MU_LIMIT);
  }

  function prepare(r: Float64Array, local: KernelLocalName, counted: boolean): void {
    numbers(cell(JOB.impulse), 3 * contacts).set(r.subarray(0, 3 * contacts));
    setCell(JOB.solver, SOLVER_CODES[local]);
    setCell(JOB.withErrors, counted ? 1 : 0);
    for (let offset: number = JOB.calls; offset <= JOB.skipped; offset += 4) setCell(offset, 0);
  }

  function readBack(r: Float64Array): LocalCounts {
    r.set(numbers(cell(JOB.impulse), 3 * contacts));
    const counts = createLocalCounts();
    counts.calls = cell(JOB.calls);
    counts.enumerative = cell(JOB.failSafes);
    counts.bracketed = cell(JOB.lastCalls);
    counts.failures = cell(JOB.failures);
    counts.noSolution = cell(JOB.unsolvable);
    return counts;
  }

  return {
    load,
    run(r, options) {
      const { local = 'bracketed', counted = false, freezeSweeps = 0, freezeThreshold = 0.01 } = options;
      prepare(r, local, counted);
      arena.i32.fill(0, cell(JOB.rest) >> 2, (cell(JOB.rest) >> 2) + contacts);
      setCell(JOB.sweeps, options.sweepLimit);
      setCell(JOB.checkInterval, options.checkInterval);
      setCell(JOB.freezeSweeps, freezeSweeps);
      setNumber(JOB.freezeThreshold, freezeThreshold);
      setNumber(JOB.target, options.target);
      setNumber(JOB.largest, 0);
      if (isDouble) kernels.sweepContactBlocks64(job);
      else kernels.sweepContactBlocks32(job);
      const counts = readBack(r);
      const residual = arena.f64[(job + JOB.residual) >> 3];
      return { sweeps: cell(JOB.sweepsDone), residual, skipped: cell(JOB.skipped), local: counts };
    },
    runApart(r, local, counted = false) {
      prepare(r, local, counted);
      if (isDouble) kernels.solveLocalContacts64(job);
      else kernels.solveLocalContacts32(job);
      return readBack(r);
    },
  };
}
