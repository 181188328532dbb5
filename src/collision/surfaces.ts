// Contacts of surfaces from TypeScript: runs the kernel with enough room, before and after that of rods
// (collision/strands).
//
// In: objects with triangles and their nodes; colliders and tree as find-pairs left them. Out: rows behind those of
// rods, ordered by feature, each with the force of the last step where it goes on (kernels/assembly/surface).

import type { Arena } from '../core/arena';
import { NEAR } from '../core/elastic-constants';
import { createKernelScratch, type KernelScratch } from '../core/scratch';
import type { SurfaceDetectionExports } from '../kernels/exports';
import * as L from '../state/layout';
import { DETECT_AGAIN, DETECT_APPEND, DETECT_CONTINUOUS, DETECT_RETRY, SURFACE_ROW_NUMBERS } from '../state/rod-layout';
import type { Tables } from '../state/tables';

interface Parts {
  readonly arena: Arena;
  readonly tables: Tables;
  readonly kernels: SurfaceDetectionExports;
}

interface Options {
  readonly timeStep?: number;
  readonly velocities?: number;
  readonly continuous?: boolean;
  readonly append?: boolean;
  readonly near?: number;
  readonly harmless?: number;
}

/** Room for contacts to begin with, for each node; and what more there is than was found when that was too little. */
const FIRST_ROOM = 2;
const GROWTH = 1.25;

const memories = new WeakMap<Arena, KernelScratch>();

/** Memory of the detection; one a world. */
function memoryOf(arena: Arena): KernelScratch {
  let memory = memories.get(arena);
  if (!memory) {
    memory = createKernelScratch(arena, { address: L.SURFACE_DETECTION_ADDRESS, size: L.SURFACE_DETECTION_SIZE });
    memories.set(arena, memory);
  }
  return memory;
}

/** More room where so many contacts were found; whether that was needed. */
function growRoom({ i32 }: Arena, found: number): boolean {
  if (found <= i32[L.SURFACE_DETECTION_ROOM >> 2]) return false;
  i32[L.SURFACE_DETECTION_ROOM >> 2] = Math.ceil(GROWTH * found);
  return true;
}

/**
 * Finds the contacts of all surfaces and keeps them in the detection's own memory; the table stays. Returns how many
 * there are for writeSurfaceContacts. Where velocities would sweep everything through everything, only what is near is
 * looked for.
 */
export function findSurfaceContacts({ arena, kernels }: Parts, options: Options): number {
  const { timeStep = 0, velocities = 0, continuous = true, append = false, near = NEAR, harmless = 0 } = options;
  if (arena.i32[L.TRIANGLE_COUNT >> 2] === 0) return 0;
  const memory = memoryOf(arena);
  const cell = L.SURFACE_DETECTION_ROOM >> 2;
  arena.i32[cell] = Math.max(arena.i32[cell], FIRST_ROOM * arena.i32[L.NODE_COUNT >> 2]);
  let question = (continuous ? DETECT_CONTINUOUS : 0) | (append ? DETECT_APPEND : 0);
  for (;;) {
    const room = arena.i32[cell];
    const address = memory.address(kernels.surfaceScratchSize(room), append);
    const found = kernels.findSurfaceContacts(address, room, timeStep, velocities, near, question, harmless);
    if (found < 0) {
      if (append) return 0;
      question &= ~DETECT_CONTINUOUS;
      continue;
    }
    if (!growRoom(arena, found)) return found;
    if (append) question |= DETECT_RETRY;
  }
}

/** Appends what was found to the table; returns how many contacts that has. */
export function writeSurfaceContacts({ arena, tables, kernels }: Parts, found: number): number {
  if (found > 0) {
    tables.control.nodeContacts.ensure(arena.i32[L.NODE_CONTACT_COUNT >> 2] + found);
    kernels.writeSurfaceContacts();
  }
  return arena.i32[L.NODE_CONTACT_COUNT >> 2];
}

/**
 * Finds the primitives of surfaces that the velocities would bring through each other or into a body, or half of the
 * way there; `again`: only where velocities have changed since the call before. Returns their rows, good until the next
 * call of a kernel.
 */
export function findSurfaceCrossings({ arena, kernels }: Parts, options: Options, again: boolean): Int32Array {
  const { timeStep = 0, velocities = 0, near = NEAR } = options;
  const memory = memoryOf(arena);
  for (let question = again ? DETECT_AGAIN : 0; ; question |= DETECT_RETRY) {
    const room = arena.i32[L.SURFACE_DETECTION_ROOM >> 2];
    const address = memory.address(kernels.surfaceScratchSize(room), true);
    const found = kernels.findSurfaceCrossings(address, room, timeStep, velocities, near, question);
    if (found === 0) return arena.i32.subarray(0, 0);
    const first = kernels.surfaceCrossings() >> 2;
    if (!growRoom(arena, found)) return arena.i32.subarray(first, first + SURFACE_ROW_NUMBERS * found);
  }
}
