// Contacts of strands from TypeScript: runs the kernel, and grows the contact table until nothing is missing.
//
// In: rods, strands and nodes; colliders and tree as find-pairs left them. Out: the strand contacts, ordered by
// feature, each with the force of the last step where it goes on (kernels/assembly/proximity/contacts.ts and the files
// it names say how). The same kernel serves every backend.

import type { Arena } from '../core/arena';
import { NEAR } from '../core/elastic-constants';
import { createKernelScratch, type KernelScratch } from '../core/scratch';
import type { StrandDetectionExports, SurfaceDetectionExports } from '../kernels/exports';
import * as L from '../state/layout';
import {
  CROSSING_BYTES,
  CROSSING_EDGE_A,
  CROSSING_EDGE_B,
  DETECT_AGAIN,
  DETECT_APPEND,
  DETECT_CONTINUOUS,
  DETECT_RETRY,
  LEAST_PAIRS,
} from '../state/rod-layout';
import type { Tables } from '../state/tables';
import { findSurfaceContacts, writeSurfaceContacts } from './surfaces';

/** What detection works on; an Engine has it all. */
export interface StrandDetectionParts {
  readonly arena: Arena;
  readonly tables: Tables;
  readonly kernels: StrandDetectionExports;
  /** Those of surfaces, where there are any. */
  readonly surfaces?: SurfaceDetectionExports | null;
}

export interface StrandDetectionOptions {
  /** [s]; 0 or left out: the world's step. */
  readonly timeStep?: number;
  /**
   * Address of the nodes' velocities over the step, four f64 a node [m/s]; 0 or left out: NODE_VELOCITY.
   */
  readonly velocities?: number;
  /** Look along the whole way of the step, so that nothing tunnels. Default true. */
  readonly continuous?: boolean;
  /**
   * A further look within the step, along other velocities: keep the contacts that are there, rows and all, and add
   * what is new behind them. Nodes, strands and bodies must be as the detection before found them. Default false.
   */
  readonly append?: boolean;
  /**
   * With `append`: nodes whose displacement over the step changed by no more than this share of their radius since they
   * were last looked at are not looked at again [-]. Default 0. To be the same for all detections of a step.
   */
  readonly harmless?: number;
  /**
   * Contacts are made up to this share of the sum of the radii [-]. Default NEAR. Larger: more idle contacts; smaller:
   * strands that the solver pushes together touch only from the next detection on.
   */
  readonly near?: number;
}

/** More room than was missing when the room for pairs grows; bits do not depend on it. */
const PAIR_GROWTH = 1.25;

/**
 * Contacts that a further look has room for at first, and as a share of those there are: it seldom finds as many, and
 * is made again where it does; bits do not depend on it.
 */
const FURTHER_ROOM = 1024;
const FURTHER_SHARE = 1 / 16;

/** Memory of detections; one a world. */
interface DetectionMemory {
  /** What further looks of the step find again. */
  readonly kept: KernelScratch;
  /** The solve's. */
  readonly solve: KernelScratch;
  /** That of any call of a kernel. */
  readonly call: KernelScratch;
}

// It grows with the room for pairs, which is more than they are.
const KEPT = { address: L.STRAND_DETECTION_ADDRESS, size: L.STRAND_DETECTION_SIZE };
const memories = new WeakMap<Arena, DetectionMemory>();

function memoryOf(arena: Arena): DetectionMemory {
  let memory = memories.get(arena);
  if (!memory) {
    memory = {
      kept: createKernelScratch(arena, KEPT, 0),
      solve: createKernelScratch(arena, { address: L.ADMM_WORK_ADDRESS, size: L.ADMM_WORK_SIZE }),
      call: createKernelScratch(arena, { address: L.KERNEL_SCRATCH_ADDRESS, size: L.KERNEL_SCRATCH_SIZE }),
    };
    memories.set(arena, memory);
  }
  return memory;
}

/**
 * Makes room for a detection that finds `room` contacts; returns the address of what is kept. What one call
 * needs besides lies where the solve works later; of a further look in the middle of a solve behind what that works in,
 * and only where there is no room in a block of its own.
 */
function scratchFor(
  { arena, kernels }: StrandDetectionParts,
  room: number,
  isFurther: boolean,
  isContinuous: boolean,
): number {
  const { kept, solve, call } = memoryOf(arena);
  // What a further look that lacked room has found so far stays.
  const address = kept.address(kernels.strandKeptSize(), isFurther);
  const bytes = kernels.strandPassingSize(room, isFurther && isContinuous ? 1 : 0);
  if (!isFurther) arena.i32[L.ADMM_WORK_USED >> 2] = 0;
  const used = isFurther ? 64 * Math.ceil(arena.i32[L.ADMM_WORK_USED >> 2] / 64) : 0;
  const isRoom = !isFurther || used + bytes <= solve.size();
  const passing = isRoom ? used + solve.address(used + bytes) : call.address(bytes);
  arena.i32[L.STRAND_PASSING_ADDRESS >> 2] = passing;
  return address;
}

/**
 * Whether everything would sweep through everything: velocities of a solve that strays, or of a world
 * that flies apart. Looking along them takes seconds and memory by the gigabyte, and says nothing; what
 * is near is looked for all the same.
 */
function areTooMany({ i32 }: Arena): boolean {
  return i32[L.MISSING_STRAND_CANDIDATES >> 2] < 0;
}

/** More room for pairs, in cell `room`, when some are missing; whether they were. */
function growPairs({ i32 }: Arena, missing: number, room: number): boolean {
  const lacking = i32[missing >> 2];
  if (lacking === 0) return false;
  i32[room >> 2] = Math.ceil(PAIR_GROWTH * (Math.max(LEAST_PAIRS, i32[room >> 2]) + lacking));
  return true;
}

/** Finds the contacts of all strands and surfaces with each other and with bodies; returns how many there are. */
export function findStrandContacts(parts: StrandDetectionParts, options: StrandDetectionOptions = {}): number {
  const { arena, tables, surfaces } = parts;
  if (arena.i32[L.NODE_COUNT >> 2] === 0) {
    arena.i32[L.NODE_CONTACT_COUNT >> 2] = 0;
    return 0;
  }
  // Surfaces read the table of the last step, rods write it afresh, then surfaces append what they found.
  const surfaceParts = surfaces ? { arena, tables, kernels: surfaces } : null;
  const found = surfaceParts ? findSurfaceContacts(surfaceParts, options) : 0;
  const count = findRodContacts(parts, options);
  return surfaceParts ? writeSurfaceContacts(surfaceParts, found) : count;
}

/** Those of rods with rods and bodies. */
function findRodContacts(parts: StrandDetectionParts, options: StrandDetectionOptions): number {
  const { arena, tables, kernels } = parts;
  const { timeStep = 0, velocities = 0, continuous = true, append = false, near = NEAR, harmless = 0 } = options;
  let question = (continuous ? DETECT_CONTINUOUS : 0) | (append ? DETECT_APPEND : 0);
  const kept = append ? arena.i32[L.NODE_CONTACT_COUNT >> 2] : 0;
  let most = append ? Math.max(FURTHER_ROOM, FURTHER_SHARE * kept) : Infinity;
  for (;;) {
    const room = Math.min(arena.i32[L.NODE_CONTACT_CAPACITY >> 2] - kept, Math.ceil(most));
    const scratch = scratchFor(parts, room, append, (question & DETECT_CONTINUOUS) !== 0);
    kernels.findStrandContacts(scratch, room, timeStep, velocities, near, question, harmless);
    if (areTooMany(arena)) {
      if (append) return kept;
      question &= ~DETECT_CONTINUOUS;
      continue;
    }
    if (append && continuous) question |= DETECT_RETRY;
    if (growPairs(arena, L.MISSING_STRAND_CANDIDATES, L.STRAND_CANDIDATE_ROOM)) continue;
    if (growPairs(arena, L.MISSING_STRAND_PAIRS, L.STRAND_PAIR_ROOM)) continue;
    const missing = arena.i32[L.MISSING_NODE_CONTACTS >> 2];
    if (missing === 0) return arena.i32[L.NODE_CONTACT_COUNT >> 2];
    most = Math.max(most, room + missing);
    tables.control.nodeContacts.ensure(kept + room + missing);
  }
}

/** Of StrandCrossings.meeting, eight a pair, after the normal: [m], places on A and on B. */
export const MEETING_DISTANCE = 3;
export const MEETING_S = 4;
export const MEETING_T = 5;

/** Pairs of edges that would go through each other within the step; arrays are long enough, `count` rows are good. */
export interface StrandCrossings {
  count: number;
  /** Of each pair: first node of edge A, of edge B. */
  edges: Int32Array;
  /**
   * Normal from B to A x y z, distance at the start of the step [m], places on A and B where they would meet, 2 spare.
   */
  meeting: Float64Array;
}

export function createStrandCrossings(): StrandCrossings {
  return { count: 0, edges: new Int32Array(0), meeting: new Float64Array(0) };
}

/**
 * Finds the pairs of edges that the velocities would bring through each other, or half of the way there: to
 * within half of their distance, or an eighth of the contact distance. Appends them to `out`. Contacts stay as
 * they are. Options as for a further look.
 * `again`: only pairs of which an edge has changed its velocities since the call before.
 */
export function findStrandCrossings(
  out: StrandCrossings,
  parts: StrandDetectionParts,
  options: Pick<StrandDetectionOptions, 'timeStep' | 'velocities' | 'near' | 'harmless'>,
  again = false,
): void {
  const { arena, kernels } = parts;
  const { timeStep = 0, velocities = 0, near = NEAR, harmless = 0 } = options;
  let found = 0;
  let question = again ? DETECT_AGAIN : 0;
  for (let room = 0; ; room = found) {
    room = Math.max(room, FURTHER_ROOM);
    const scratch = scratchFor(parts, room, true, true);
    found = kernels.findStrandCrossings(scratch, room, timeStep, velocities, near, harmless, question);
    question |= DETECT_RETRY;
    if (areTooMany(arena)) return;
    if (growPairs(arena, L.MISSING_STRAND_CANDIDATES, L.STRAND_CANDIDATE_ROOM)) continue;
    if (found <= room) break;
  }
  const first = out.count;
  const need = first + found;
  if (out.edges.length < 2 * need) {
    out.edges = lengthened(out.edges, new Int32Array(4 * need));
    out.meeting = lengthened(out.meeting, new Float64Array(16 * need));
  }
  const rows = kernels.strandCrossings();
  const listed = new Set<number>();
  for (let row = rows; row < rows + CROSSING_BYTES * found; row += CROSSING_BYTES) {
    const a = arena.i32[(row + CROSSING_EDGE_A) >> 2];
    const b = arena.i32[(row + CROSSING_EDGE_B) >> 2];
    // A pair is listed again when a box of its was made anew.
    const key = a * 2 ** 26 + b;
    if (listed.has(key)) continue;
    listed.add(key);
    out.edges[2 * out.count] = a;
    out.edges[2 * out.count + 1] = b;
    out.meeting.set(arena.f64.subarray(row >> 3, (row + CROSSING_EDGE_A) >> 3), 8 * out.count++);
  }
}

function lengthened<Numbers extends Int32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
