// Pairs of edges near each other: kept by strand-filter, then in order of their edges.
//
// In: pairs that the filter kept. Out: rows, and lists of them by first edge, ordered by second: neighbours along either
// strand are found at once, and contacts made in this order need no sorting.
// Left out: pairs that filters forbid; edges of one strand that share a node, or lie so near along the strand that a
// curve no tighter than its own radius brings them within reach (else a rod thicker than its edges are long would
// collide with itself); edges that are both held by clamps.

import { ROD_FLAGS, ROD_LAYERS, ROD_SELF_CONTACT } from '../../state/layout';
import { column, getF64, getI32, setI32 } from './memory';
import { clampedEdge } from './strand-clamps';
import { arcs, nearKeys, nearRoom, nearRows, nearShare, nearStart, nodes, TRAIT, traits } from './strand-work';

/** Half the circumference over the diameter: arc between the ends of the tightest bend a tube can make, over its width. */
const TIGHTEST_BEND: f64 = 1.5707963267948966;

// A row, 32 bytes: edges A < B (i32), then f32 places on A and B (0..1), distance of the axes, length of A beside B,
// square of the sine between them, bound on how much nearer they can come within the step [m].
export const EDGE_A: usize = 0;
export const EDGE_B: usize = 4;
export const PLACE_A: usize = 8;
export const PLACE_B: usize = 12;
export const DISTANCE: usize = 16;
export const BESIDE: usize = 20;
export const SINE: usize = 24;
export const MOTION: usize = 28;

/** Pairs found, also those that had no room. */
export let nearCount: i32 = 0;

export function beginNear(): void {
  nearCount = 0;
  memory.fill(nearStart, 0, (<usize>(nodes + 2)) << 2);
}

/** Row of the pair behind key number `i`. */
export function nearRow(i: i32): usize {
  return nearRows + ((<usize>load<u32>(nearKeys + ((<usize>i) << 3))) << 5);
}

/** Second edge of the pair behind key number `i`. */
export function nearOther(i: i32): i32 {
  return load<i32>(nearKeys + ((<usize>i) << 3), 4);
}

/** Keeps a pair unless it may not meet; `values`: six f32, 16 bytes apart, as the filter has them. */
export function keepPair(first: i32, second: i32, values: usize): void {
  const ordered = first < second;
  const a = ordered ? first : second;
  const b = ordered ? second : first;
  if (!mayMeet(a, b)) return;
  const i = nearCount++;
  if (i >= nearRoom) return;
  setI32(nearStart, a + 2, getI32(nearStart, a + 2) + 1);
  const row = nearRows + ((<usize>i) << 5);
  store<i32>(row, a, EDGE_A);
  store<i32>(row, b, EDGE_B);
  store<f32>(row + (ordered ? PLACE_A : PLACE_B), load<f32>(values));
  store<f32>(row + (ordered ? PLACE_B : PLACE_A), load<f32>(values, 16));
  store<f32>(row, load<f32>(values, 32), DISTANCE);
  store<f32>(row, load<f32>(values, 48), BESIDE);
  store<f32>(row, load<f32>(values, 64), SINE);
  store<f32>(row, load<f32>(values, 80), MOTION);
}

function mayMeet(a: i32, b: i32): bool {
  const traitsA = traits + <usize>a * TRAIT;
  const traitsB = traits + <usize>b * TRAIT;
  const rodA = load<i32>(traitsA, 8);
  const rodB = load<i32>(traitsB, 8);
  const strandA = load<i32>(traitsA, 12);
  const strandB = load<i32>(traitsB, 12);
  if (rodA != rodB) {
    const layers = column(ROD_LAYERS);
    const layersA = getI32(layers, rodA);
    const layersB = getI32(layers, rodB);
    if (((layersA >>> 16) & layersB & 0xffff) == 0 || ((layersB >>> 16) & layersA & 0xffff) == 0) return false;
  } else if ((getI32(column(ROD_FLAGS), rodA) & ROD_SELF_CONTACT) == 0) {
    return false;
  } else if (strandA == strandB) {
    if (b <= a + 1) return false;
    const reach = load<f64>(traitsA) + load<f64>(traitsB);
    if (getF64(arcs, b) - getF64(arcs, a + 1) < (TIGHTEST_BEND + nearShare) * reach) return false;
  }
  return !(clampedEdge(a, strandA) && clampedEdge(b, strandB));
}

/** Lists the pairs by first edge, then second. To be called when all have room. */
export function sortNear(): void {
  for (let i = 2; i < nodes + 2; i++) setI32(nearStart, i, getI32(nearStart, i) + getI32(nearStart, i - 1));
  for (let i = 0; i < nearCount; i++) {
    const row = nearRows + ((<usize>i) << 5);
    const edge = load<i32>(row, EDGE_A);
    const place = getI32(nearStart, edge + 1);
    setI32(nearStart, edge + 1, place + 1);
    store<u64>(nearKeys + ((<usize>place) << 3), ((<u64>load<u32>(row, EDGE_B)) << 32) | <u64>i);
  }
  // An edge has a handful: insertion.
  for (let edge = 0; edge < nodes; edge++) {
    const first = nearKeys + ((<usize>getI32(nearStart, edge)) << 3);
    const end = nearKeys + ((<usize>getI32(nearStart, edge + 1)) << 3);
    for (let i = first + 8; i < end; i += 8) {
      const key = load<u64>(i);
      let at = i;
      while (at > first && load<u64>(at - 8) > key) {
        store<u64>(at, load<u64>(at - 8));
        at -= 8;
      }
      store<u64>(at, key);
    }
  }
}

/** Row of the pair a, b (a < b), 0 none. */
export function findNear(a: i32, b: i32): usize {
  if (a < 0 || a >= nodes) return 0;
  const end = getI32(nearStart, a + 1);
  for (let i = getI32(nearStart, a); i < end; i++) if (nearOther(i) == b) return nearRow(i);
  return 0;
}
