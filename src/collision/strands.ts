// Contacts of strands from TypeScript: runs the kernel, and grows the contact table until nothing is missing.
//
// In: rods, strands and nodes; colliders and tree as find-pairs left them. Out: the strand contacts, ordered by
// feature, each with the force of the last step where it goes on (kernels/assembly/strand-contacts.ts and the files it
// names say how). The same kernel serves every backend.

import type { Arena } from '../core/arena';
import type { KernelScratch } from '../core/scratch';
import * as L from '../state/layout';
import type { Tables } from '../state/tables';

/** The kernels behind this stage (kernels/exports has them all). */
export interface StrandKernels {
  strandScratchSize(capacity: number): number;
  findStrandContacts(
    scratch: number,
    capacity: number,
    timeStep: number,
    velocities: number,
    share: number,
    question: number,
  ): void;
}

/** What detection works on; an Engine has it all. */
export interface StrandDetectionParts {
  readonly arena: Arena;
  readonly tables: Tables;
  readonly kernels: StrandKernels;
  readonly kernelScratch: KernelScratch;
}

export interface StrandDetectionOptions {
  /** [s]; 0 or left out: the world's step. */
  readonly timeStep?: number;
  /**
   * Address of the nodes' velocities over the step, four f64 a node [m/s]; 0 or left out: NODE_VELOCITY. They must not
   * lie in the kernel scratch, which this call uses and may move.
   */
  readonly velocities?: number;
  /** Look along the whole way of the step, so that nothing tunnels. Default true. */
  readonly continuous?: boolean;
  /** Keep the contacts that are there, rows and all, and add what is new behind them. Default false. */
  readonly append?: boolean;
  /**
   * Contacts are made up to this share of the sum of the radii [-]. Default 0.25. Larger: more idle contacts; smaller:
   * strands that the solver pushes together touch only from the next search on.
   */
  readonly near?: number;
}

const CONTINUOUS = 1;
const APPEND = 2;
/** Pairs that the kernel has room for at least (strand-work), and more room than was missing when it grows. */
const LEAST_PAIRS = 64;
const PAIR_GROWTH = 1.25;

/** Finds the contacts of all strands with each other and with bodies; returns how many there are. */
export function findStrandContacts(parts: StrandDetectionParts, options: StrandDetectionOptions = {}): number {
  const { arena, tables, kernels, kernelScratch } = parts;
  const { timeStep = 0, velocities = 0, continuous = true, append = false, near = 0.25 } = options;
  const question = (continuous ? CONTINUOUS : 0) | (append ? APPEND : 0);
  if (arena.i32[L.NODE_COUNT >> 2] === 0) {
    arena.i32[L.STRAND_CONTACT_COUNT >> 2] = 0;
    return 0;
  }
  for (;;) {
    const kept = append ? arena.i32[L.STRAND_CONTACT_COUNT >> 2] : 0;
    const room = arena.i32[L.STRAND_CONTACT_CAPACITY >> 2] - kept;
    const scratch = kernelScratch.address(kernels.strandScratchSize(room));
    kernels.findStrandContacts(scratch, room, timeStep, velocities, near, question);
    const pairs = arena.i32[L.MISSING_STRAND_PAIRS >> 2];
    if (pairs > 0) {
      const held = Math.max(LEAST_PAIRS, arena.i32[L.STRAND_PAIR_ROOM >> 2]);
      arena.i32[L.STRAND_PAIR_ROOM >> 2] = Math.ceil(PAIR_GROWTH * (held + pairs));
      continue;
    }
    const missing = arena.i32[L.MISSING_STRAND_CONTACTS >> 2];
    if (missing === 0) return arena.i32[L.STRAND_CONTACT_COUNT >> 2];
    tables.control.strandContacts.ensure(kept + room + missing);
  }
}
