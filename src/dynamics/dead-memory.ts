// Memory that no step reads before it writes it: what a snapshot leaves out.
//
// Blocks and columns that are good for one step, rows that no table has used yet, factors that were not used in the last step,
// and what kept factors have no need of.

import type { DeadRange } from '../core/packed-arena';
import * as L from '../state/layout';
import type { Engine } from './engine';
import { deadFactorRanges } from './kept-factors';

/** Blocks whose contents are good for one step. */
const STEP_BLOCKS = [
  { address: L.KERNEL_SCRATCH_ADDRESS, size: L.KERNEL_SCRATCH_SIZE },
  { address: L.ADMM_WORK_ADDRESS, size: L.ADMM_WORK_SIZE },
  { address: L.ROD_WORK_ADDRESS, size: L.ROD_WORK_SIZE },
  { address: L.WEIGHTED_WORK_ADDRESS, size: L.WEIGHTED_WORK_SIZE },
  { address: L.STRAND_NOTES_ADDRESS, size: L.STRAND_NOTES_SIZE },
];

/** Tables whose rows are used from the first on, and the cells that say how many have been. */
const ROWS = [
  ['bodies', L.BODY_COUNT],
  ['colliders', L.COLLIDER_COUNT],
  ['shapes', L.SHAPE_COUNT],
  ['pairs', L.PAIR_COUNT],
  ['tree', L.TREE_COUNT],
] as const;

function bytesOf(view: Int32Array | Float64Array): DeadRange {
  return [view.byteOffset, view.byteOffset + view.byteLength];
}

/** Ranges of the arena that say nothing between two steps. */
export function deadRanges(engine: Engine): DeadRange[] {
  const { arena, tables } = engine;
  const { pairs, control } = tables;
  const ranges: DeadRange[] = [];
  for (const { address, size } of STEP_BLOCKS) {
    const at = arena.i32[address >> 2];
    ranges.push([at, at + arena.i32[size >> 2]]);
  }
  for (const [name, count] of ROWS) ranges.push(...control[name].spareRanges(arena.i32[count >> 2]));
  for (const column of [pairs.joinedList, pairs.hash]) ranges.push(bytesOf(column));
  ranges.push(...deadFactorRanges(engine));
  return ranges;
}

/** After a snapshot without them was put back: fresh rows are empty, and what can be told from the rest is made anew. */
export function reviveMemory({ arena, tables, kernels }: Engine): void {
  for (const [name, count] of ROWS) tables.control[name].clearSpare(arena.i32[count >> 2]);
  kernels.rebuildPairHash();
}
