// What the elastic solve asks about its rows between iterations: which nodes have contacts, their weights, how far they
// are from where contacts were last looked for.
//
// In: nodeContacts, W of the nodes (one f32 a node, rods.ts), δ₀ and δ. Out: marks, rows of W, one velocity; at the
// end the weights for the next step.

import {
  BALANCE_DONE,
  BALANCE_GROW,
  BALANCE_SHRINK,
  BALANCE_UNBALANCED,
  BARE_WEIGHT,
} from '../../../core/elastic-constants';
import {
  NODE_CONTACT_ASLEEP,
  NODE_CONTACT_COUNT,
  NODE_CONTACT_NODE,
  NODE_COUNT,
  NODE_STRAND,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_NODES,
} from '../../../state/layout';
import { cell, column, getI32 } from '../memory';
import { at, DELTA, LAST, PROJECTED, START, WEIGHT } from './layout';

/**
 * Marks the nodes for rodWeigh: bare, or with contacts in the table's rows from `first` on in which something is awake.
 * From row 0 all anew; from later rows nodes that have a weight keep it. `touched`, one byte a strand: 1 where a node
 * has become new. Returns how many nodes have.
 */
export function admmMark(weights: usize, first: i32, touched: usize): i32 {
  const nodes = cell(NODE_COUNT);
  for (let i = 0; i < nodes; i++) {
    const w = weights + ((<usize>i) << 2);
    if (first == 0 || !(load<f32>(w) > 0)) store<f32>(w, <f32>BARE_WEIGHT);
  }
  memory.fill(touched, 0, <usize>cell(STRAND_COUNT));
  const ends = column(NODE_CONTACT_NODE);
  const end = ends + ((<usize>cell(NODE_CONTACT_COUNT)) << 4);
  let marked = 0;
  for (let at = ends + ((<usize>max(first, cell(NODE_CONTACT_ASLEEP))) << 4); at < end; at += 4) {
    const node = load<i32>(at);
    if (node < 0) continue;
    const w = weights + ((<usize>node) << 2);
    if (load<f32>(w) != <f32>BARE_WEIGHT) continue;
    store<f32>(w, 0);
    store<u8>(touched + <usize>getI32(column(NODE_STRAND), node), 1);
    marked++;
  }
  return marked;
}

/** Rows of W of the nodes from one f32 a node. The spare lane has none. */
export function admmWeights(work: usize, weights: usize): void {
  const nodes = <usize>cell(NODE_COUNT);
  const rows = at(work, WEIGHT);
  for (let i: usize = 0; i < nodes; i++) {
    const w = f32x4.splat(max<f32>(load<f32>(weights + (i << 2)), 0));
    v128.store(rows + (i << 4), f32x4.replace_lane(w, 3, 0));
  }
}

/** Largest change of δ₀ + δ of the nodes since `looked`, f32×4 a node [m/s]. */
export function admmMoved(work: usize, looked: usize): f32 {
  const size = (<usize>cell(NODE_COUNT)) << 4;
  const start = at(work, START);
  const delta = at(work, DELTA);
  let most = f32x4.splat(0);
  for (let i: usize = 0; i < size; i += 16) {
    const now = f32x4.add(v128.load(start + i), v128.load(delta + i));
    // As integers: see admmUpdate.
    most = i32x4.max_s(most, f32x4.abs(f32x4.sub(now, v128.load(looked + i))));
  }
  return largest(most);
}

/** looked := δ₀ + δ of the nodes. */
export function admmLook(work: usize, looked: usize): void {
  const size = (<usize>cell(NODE_COUNT)) << 4;
  const start = at(work, START);
  const delta = at(work, DELTA);
  for (let i: usize = 0; i < size; i += 16) {
    v128.store(looked + i, f32x4.add(v128.load(start + i), v128.load(delta + i)));
  }
}

/**
 * Weights of the nodes (one f32 a node), of the strands with 1 in `chosen` (a byte each), times their strand's factor
 * for the next step. After the last solve and before the rows of last δ, those that were projected, are used for
 * anything else. `tolerance`: δ∞ over the time step [m/s].
 */
export function admmBalance(work: usize, weights: usize, tolerance: f32, chosen: usize): void {
  const strands = cell(STRAND_COUNT);
  const firsts = column(STRAND_FIRST);
  const counts = column(STRAND_NODES);
  const v = at(work, DELTA);
  const p = at(work, PROJECTED);
  const last = at(work, LAST);
  const w = at(work, WEIGHT);
  const zero = f32x4.splat(0);
  for (let strand = 0; strand < strands; strand++) {
    if (load<u8>(chosen + <usize>strand) == 0) continue;
    const first = (<usize>getI32(firsts, strand)) << 4;
    const end = first + ((<usize>getI32(counts, strand)) << 4);
    let apart = zero;
    let moved = zero;
    for (let i = first; i < end; i += 16) {
      const counted = f32x4.gt(v128.load(w + i), zero);
      const before = v128.load(last + i);
      apart = i32x4.max_s(apart, v128.and(counted, f32x4.abs(f32x4.sub(v128.load(p + i), before))));
      moved = i32x4.max_s(moved, v128.and(counted, f32x4.abs(f32x4.sub(v128.load(v + i), before))));
    }
    const gap = largest(apart);
    const move = largest(moved);
    const left = gap + move;
    let by: f32 = 1;
    if (left > tolerance && gap > <f32>BALANCE_UNBALANCED * move) by = <f32>BALANCE_GROW;
    else if (gap < move || left < <f32>BALANCE_DONE * tolerance) by = <f32>BALANCE_SHRINK;
    if (by == 1) continue;
    for (let i = first >> 2; i < end >> 2; i += 4) store<f32>(weights + i, by * load<f32>(weights + i));
  }
}

/** Of x, y and z. */
function largest(a: v128): f32 {
  return max<f32>(max<f32>(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1)), f32x4.extract_lane(a, 2));
}
