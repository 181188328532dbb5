// find-pairs from TypeScript: runs the kernel, and grows the tables until nothing is missing.
//
// In: poses, velocities and marks in the tables. Out: collider boxes, the tree, the pairs, the active list.
// The kernel never grows memory; it counts what it had no room for, keeps its place, and is called again.

import type { Arena } from '../core/arena';
import type { BroadphaseExports } from '../kernels/exports';
import * as L from '../state/layout';
import type { Tables } from '../state/tables';

type BroadphaseKernels = Pick<BroadphaseExports, 'findPairs' | 'rebuildPairHash' | 'addColliderProxy'>;

/** Brings collider boxes, the tree and the pair table up to date; the tables grow as needed, nothing is lost. */
export function findPairs(tables: Tables, kernels: BroadphaseKernels, arena: Arena): void {
  for (;;) {
    kernels.findPairs();
    const nodes = arena.i32[L.MISSING_NODES >> 2];
    const pairs = arena.i32[L.MISSING_PAIRS >> 2];
    if (nodes === 0 && pairs === 0) return;
    if (nodes > 0) tables.control.tree.ensure(arena.i32[L.TREE_COUNT >> 2] + nodes);
    if (pairs > 0) {
      tables.control.pairs.ensure(arena.i32[L.PAIR_COUNT >> 2] + pairs);
      kernels.rebuildPairHash();
    }
  }
}

/** Gives a new collider its leaf at once, growing the tree as needed. Its pairs come with the next `findPairs`. */
export function addColliderProxy(tables: Tables, kernels: BroadphaseKernels, arena: Arena, collider: number): void {
  tables.control.tree.ensure(arena.i32[L.TREE_COUNT >> 2] + 2);
  kernels.addColliderProxy(collider);
}

/**
 * Calls `visit(pair, other)` for every pair of a collider (first manifolds only), asleep or awake; `other` is the
 * collider on the other side. The pairs must not be removed meanwhile.
 */
export function forEachPair(tables: Tables, collider: number, visit: (pair: number, other: number) => void): void {
  const { link, colliderA, colliderB } = tables.pairs;
  for (let key = tables.colliders.pair[collider]; key >= 0; key = link[key * 2]) {
    visit(key >> 1, (key & 1) === 0 ? colliderB[key >> 1] : colliderA[key >> 1]);
  }
}
