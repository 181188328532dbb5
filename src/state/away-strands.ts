// Strands that the device advances: in the tables they are away.
//
// They carry STRAND_AWAY and STRAND_ASLEEP without a ring: no stage of a step on the CPU visits what sleeps, a
// detection for contacts passes over what is away, and nothing wakes it. Positions and velocities are those that came
// back last.

import type { Arena } from '../core/arena';
import * as L from './layout';
import { RING_BODY } from './node-places';
import { noteRows } from './strand-changes';
import type { Tables } from './tables';

/** Whether the device advances this rod. */
export function isAway({ rods, strands }: Tables, rod: number): boolean {
  return (strands.flags[rods.strandStart[rod]] & L.STRAND_AWAY) !== 0;
}

/** Number of strands that are away. */
export function countAway(arena: Arena, tables: Tables): number {
  let count = 0;
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if (tables.rods.flags[rod] & L.ROD_ALIVE && isAway(tables, rod)) count += tables.rods.strandCount[rod];
  }
  return count;
}

/**
 * The device advances these rods from now on; their strands must be awake. `forgetContacts` when all moves are done.
 */
export function sendAway(arena: Arena, tables: Tables, rods: readonly number[]): void {
  const { strands } = tables;
  for (const rod of rods) {
    forEachStrand(tables, rod, (strand) => {
      strands.flags[strand] |= L.STRAND_AWAY | L.STRAND_ASLEEP;
      strands.calm[strand] = 0;
      strands.ring[2 * strand] = 0;
      strands.ring[2 * strand + RING_BODY] = -1;
      strands.box.fill(Number.POSITIVE_INFINITY, 6 * strand, 6 * strand + 3);
      strands.box.fill(Number.NEGATIVE_INFINITY, 6 * strand + 3, 6 * strand + 6);
      arena.i32[L.STRAND_ASLEEP_COUNT >> 2]++;
    });
    keepVelocities(tables, rod);
  }
}

/** The CPU advances these rods from now on, from the state in the tables. `forgetContacts` when all moves are done. */
export function takeBack(arena: Arena, tables: Tables, rods: readonly number[]): void {
  const { strands } = tables;
  for (const rod of rods) {
    forEachStrand(tables, rod, (strand) => {
      strands.flags[strand] &= ~(L.STRAND_AWAY | L.STRAND_ASLEEP);
      arena.i32[L.STRAND_ASLEEP_COUNT >> 2]--;
    });
  }
}

/** All rods that are away. */
export function listAway(arena: Arena, tables: Tables): number[] {
  const away: number[] = [];
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if (tables.rods.flags[rod] & L.ROD_ALIVE && isAway(tables, rod)) away.push(rod);
  }
  return away;
}

/** The end of a step on the CPU takes all velocities from here: those of an absent rod stay what they are. */
function keepVelocities({ rods, nodes }: Tables, rod: number): void {
  const first = 4 * rods.nodeStart[rod];
  nodes.predicted.set(nodes.velocity.subarray(first, first + 4 * rods.nodeCount[rod]), first);
}

/** After rods have changed sides: contacts on the CPU name nodes of both, and are found anew. */
export function forgetContacts(arena: Arena, tables: Tables): void {
  arena.i32[L.NODE_CONTACT_COUNT >> 2] = 0;
  arena.i32[L.NODE_CONTACT_ASLEEP >> 2] = 0;
  tables.nodes.dual.fill(0, 0, 4 * arena.i32[L.NODE_COUNT >> 2]);
  noteRows(tables);
}

function forEachStrand({ rods }: Tables, rod: number, visit: (strand: number) => void): void {
  const first = rods.strandStart[rod];
  for (let strand = first; strand < first + rods.strandCount[rod]; strand++) visit(strand);
}
