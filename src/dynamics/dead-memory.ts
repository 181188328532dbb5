// Memory that no step reads before it writes it: what a snapshot leaves out.
//
// Blocks and columns that are good for one step, rows that no table has used yet, factors that were not used in the
// last step, and what kept factors have no need of.

import { blockSize } from '../core/arena';
import type { DeadRanges } from '../core/packed-arena';
import * as L from '../state/layout';
import type { Engine } from './engine';
import { addDeadFactors } from './kept-factors';
import { addDeadSettled } from './settled-factors';

/** Blocks whose contents are good for one step. */
const STEP_BLOCKS = [
  { address: L.KERNEL_SCRATCH_ADDRESS, size: L.KERNEL_SCRATCH_SIZE },
  { address: L.ADMM_WORK_ADDRESS, size: L.ADMM_WORK_SIZE },
  { address: L.ROD_WORK_ADDRESS, size: L.ROD_WORK_SIZE },
  { address: L.MESH_WORK_ADDRESS, size: L.MESH_WORK_SIZE },
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

/** Kinematic bodies have velocityChange from the step before: what their target made of their velocity. */
const AWAKE = L.BODY_ALIVE | L.BODY_DYNAMIC;

/** Adds columns that predict-motion writes for every dynamic body that is awake. */
function addPredicted({ arena, tables }: Engine, ranges: DeadRanges): void {
  const { flags, awakeIndex, velocityChange, motion, inverseInertia } = tables.bodies;
  const count = arena.i32[L.BODY_COUNT >> 2];
  const isAwake = (body: number) =>
    (flags[body] & AWAKE) === AWAKE && awakeIndex[body] >= 0 && !(flags[body] & L.BODY_QUARANTINED);
  for (let body = 0; body < count; body++) {
    if (!isAwake(body)) continue;
    const first = body;
    while (body < count && isAwake(body)) body++;
    for (const { byteOffset } of [velocityChange, motion, inverseInertia]) {
      ranges.push(byteOffset + PREDICTED_ROW * first, byteOffset + PREDICTED_ROW * body);
    }
  }
}

/** Bytes of a row of those. */
const PREDICTED_ROW = 64;

/** Bytes of an entry of END_LIST. */
const END_ROW = 12;

/** Whether materials of pairs follow from those of their colliders. */
function hasPlainMaterials({ arena, tables }: Engine): boolean {
  const { flags } = tables.pairs;
  for (let pair = 0; pair < arena.i32[L.PAIR_COUNT >> 2]; pair++) {
    if (flags[pair] & (L.PAIR_SURFACE | L.PAIR_MODIFIED)) return false;
  }
  return true;
}

/** Adds the block of a column from its byte `from` on. */
export function addBlock(ranges: DeadRanges, { byteOffset, byteLength }: Int32Array | Float64Array, from = 0): void {
  ranges.push(byteOffset + from, byteOffset + blockSize(byteLength));
}

/** Ranges of the arena that say nothing between two steps, but for those that a plain copy has for speed. */
export function idleRanges(engine: Engine): DeadRanges {
  const { arena, tables } = engine;
  const { pairs, control } = tables;
  const ranges: DeadRanges = [];
  for (const { address, size } of STEP_BLOCKS) {
    const [at, bytes] = [arena.i32[address >> 2], arena.i32[size >> 2]];
    if (bytes > 0) ranges.push(at, at + blockSize(bytes));
  }
  for (const [name, count] of ROWS) control[name].spareRanges(arena.i32[count >> 2], ranges);
  addBlock(ranges, pairs.beginList, 4 * arena.i32[L.BEGIN_COUNT >> 2]);
  addBlock(ranges, pairs.endList, END_ROW * arena.i32[L.END_COUNT >> 2]);
  for (const column of [pairs.joinedList, pairs.islandPairs, pairs.hash]) addBlock(ranges, column);
  addPredicted(engine, ranges);
  addDeadFactors(engine, ranges);
  addDeadSettled(engine, ranges);
  return ranges;
}

/** Those, and what reviveMemory makes anew of the rest. */
export function deadRanges(engine: Engine): DeadRanges {
  const { pairs } = engine.tables;
  const ranges = idleRanges(engine);
  addBlock(ranges, pairs.activeList);
  if (hasPlainMaterials(engine)) addBlock(ranges, pairs.material);
  return ranges;
}

/**
 * After a snapshot without idle ranges was put back: fresh rows are empty, but for those of pairs, which are filled
 * when a pair is made (broad/pairs-table.ts), and pairs are found again.
 */
export function reviveRows({ arena, tables, kernels }: Engine): void {
  for (const [name, count] of ROWS) {
    if (name !== 'pairs') tables.control[name].clearSpare(arena.i32[count >> 2]);
  }
  kernels.rebuildPairHash();
}

/**
 * After a snapshot without dead ranges was put back: what can be told from the rest is made anew, too.
 */
export function reviveMemory(engine: Engine): void {
  const { arena, tables, kernels } = engine;
  reviveRows(engine);
  const { activeIndex, activeList } = tables.pairs;
  for (let pair = arena.i32[L.PAIR_COUNT >> 2] - 1; pair >= 0; pair--) {
    if (activeIndex[pair] >= 0) activeList[activeIndex[pair]] = pair;
  }
  if (hasPlainMaterials(engine)) kernels.combineMaterials();
}
