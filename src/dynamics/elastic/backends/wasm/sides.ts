// Both sides of an elastic solve on the kernels: what the loop of solvers/elastic asks, four
// strands and four contacts at a time.

import { STRAND_SHARE } from '../../../../core/elastic-constants';
import { CONTACT_BILATERAL } from '../../../../solvers/admm/problem';
import { type Stale, waitsIn } from '../../../../solvers/elastic/islands';
import type { ContactSide, ElasticSide } from '../../../../solvers/elastic/ports';
import { ROW_LEFT } from '../../../../state/admm-layout';
import * as L from '../../../../state/layout';
import type { ElasticContacts } from '../../collect-contacts';
import { leaveJoints } from '../../leave-joints';
import { harmlessChange } from '../../near-contacts';
import { solveElastic, surfacePartsOf } from '../../surface-parts';
import type { FindNew } from '../elastic-backend';
import { groupCount, growAdmmWork, movingCount, movingRowsOf, placeWeighted, restingCount } from './admm-work';
import {
  type IslandFlags,
  leaveIsland,
  linkRows,
  openFlags,
  projectIslands,
  rouseIsland,
  updateIslands,
} from './island-flags';
import { addJoints, prepareColumns } from './joints';
import { hasMeshes } from './mesh-systems';
import { createAhead } from './move-ahead';
import type { Wasm } from './wasm';

/** The sides of a solve whose start is laid out. */
export function createWasmSides(w: Wasm, e: ElasticContacts, findNew: FindNew | null): ElasticSide & ContactSide {
  return e.islands.isWhole ? createWholeSides(w, e, findNew) : createApartSides(w, e, findNew);
}

/** v of what moves, or of `all`. Every projection that moved λ is followed by a solve before the next. */
function solve(w: Wasm, e: ElasticContacts, all: boolean): void {
  const { kernels, work, at } = w;
  kernels.admmRight(work.address);
  solveElastic(w, true, work.right, work.delta, all ? at.active : work.moving);
  kernels.admmBodies(work.address, all ? 1 : 0);
  addJoints(w, w.heldJoints, e.joints, work.delta);
}

/** All is one island. */
function createWholeSides(w: Wasm, e: ElasticContacts, findNew: FindNew | null): ElasticSide & ContactSide {
  const { kernels, work, at, options } = w;
  const ahead = options.acceleration ? createAhead(w) : null;
  const [island] = e.islands.list;
  return {
    solve: (all) => solve(w, e, all),
    moveAhead: () => ahead?.move(),
    look: (projected) => (findNew ? lookAgain(w, e, findNew, projected, null) : 0),
    project: (times, sleeps) =>
      kernels.admmProject(
        work.address,
        times * island.sweeps,
        sleeps ? island.sleepBelow : 0,
        options.sleepSweeps,
        options.relaxation,
      ),
    update() {
      island.reached = kernels.admmUpdate(work.address, at.active, island.rest);
    },
    rouse: () => kernels.admmRouse(work.address, at.active),
    leave: () => {},
    movingCount: () => movingCount(work),
    restingCount: () => restingCount(work),
  };
}

/** Islands apart; never with momentum. */
function createApartSides(w: Wasm, e: ElasticContacts, findNew: FindNew | null): ElasticSide & ContactSide {
  const flags = openFlags(w, e);
  return {
    solve(all) {
      leaveJoints(w.engine, e, w.heldJoints, all ? null : waitsIn(e.islands));
      solve(w, e, all);
    },
    moveAhead: () => {},
    look: (projected) => (findNew ? lookAgain(w, e, findNew, projected, flags) : 0),
    project: (times, sleeps) => projectIslands(w, e, flags, times, sleeps),
    update: () => updateIslands(w, e, flags),
    rouse: (island) => rouseIsland(w, e, flags, island),
    leave: (island) => leaveIsland(w, e, island),
    movingCount: (island) => flags.moving[island],
    restingCount: (island) => flags.resting[island],
  };
}

/**
 * W of the nodes with contacts in the table's rows from `first` on, and A + W factored: bare nodes are solved exactly
 * at once.
 */
export function weigh(w: Wasm, first: number): void {
  const { kernels, work, admmScratch, at, meshes } = w;
  if (kernels.admmMark(at.weights, first, at.touched) === 0 && first > 0) return;
  if (first === 0) markRoots(w);
  const strands = first === 0 ? at.active : at.touched;
  const weighted = placeWeighted(work, admmScratch, kernels.rodWeightedSize(at.work), at.work);
  kernels.rodWeigh(at.work, weighted, at.weights, at.holds, strands, STRAND_SHARE);
  if (hasMeshes(meshes)) surfacePartsOf(w.engine)?.weighMeshes(w, strands);
}

/** Marks the nodes of roots, which the table of contacts does not have, as those that have rows. */
function markRoots({ engine, problem, at }: Wasm): void {
  const { f32 } = engine.arena;
  const { contacts } = problem;
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.kind[c] !== CONTACT_BILATERAL) continue;
    for (let k = 4 * c; k < 4 * c + 4; k++) {
      const place = (at.weights >> 2) + (contacts.node[k] >> 2);
      if (contacts.coefficient[k] !== 0 && f32[place] < 0) f32[place] = 0;
    }
  }
}

/** Contacts that the latest velocities would bring, or the projected ones at the end; returns how many were added. */
function lookAgain(
  w: Wasm,
  e: ElasticContacts,
  findNew: FindNew,
  projected: boolean,
  flags: IslandFlags | null,
): number {
  const { engine, kernels, work, at } = w;
  const { arena } = engine;
  const row = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  if (!projected) {
    if (kernels.admmMoved(work.address, at.lastLook) <= harmlessChange(engine)) return 0;
    kernels.admmLook(work.address, at.lastLook);
  }
  const latest = arena.i32[L.NODE_PREDICTED >> 2];
  kernels.admmVelocities(work.address, w.free, latest, projected ? 1 : 0);
  findNew(latest);
  const count = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  if (count === row) return 0;

  activateStrands(w, e.active, row);
  const stale = flags && linkRows(w, e, flags, row);
  if (!flags) kernels.admmRouseTouched(work.address, row);
  weigh(w, row);
  kernels.admmWeights(work.address, at.weights);
  prepareColumns(w, w.heldJoints, e.joints);
  const groups = groupCount(work);
  let taken = kernels.admmGather(work.address, row, at.bodies, at.excluded, w.free);
  while (taken < count) {
    // From the first one again: which share a group does not depend on when there was room.
    growAdmmWork(work, w.admmScratch, groups, count - taken);
    taken = kernels.admmGather(work.address, row, at.bodies, at.excluded, w.free);
  }
  kernels.admmOffset(work.address, row);
  // A look along the projection is followed by a solve of all.
  if (stale && !projected && stale.objects.size + stale.bodies.size > 0) solveStale(w, e, stale);
  return count - row;
}

/** v of what is stale alone: what has been solved in this round keeps its v. */
function solveStale(w: Wasm, e: ElasticContacts, { objects, bodies }: Stale): void {
  const { engine, kernels, work, at, problem } = w;
  const { u8, i32 } = engine.arena;
  u8.fill(0, at.touched, at.touched + i32[L.STRAND_COUNT >> 2]);
  for (const object of objects) u8[at.touched + object] = u8[at.active + object];
  const first = movingRowsOf(work) + problem.elasticCount / 4;
  const kept = u8.slice(first, first + 2 * e.bodyCount);
  for (let body = 0; body < e.bodyCount; body++)
    if (!bodies.has(body)) u8.fill(ROW_LEFT, first + 2 * body, first + 2 * body + 2);
  leaveJoints(engine, e, w.heldJoints, (object, body) => !(object >= 0 ? objects.has(object) : bodies.has(body)));

  kernels.admmRight(work.address);
  solveElastic(w, true, work.right, work.delta, at.touched);
  kernels.admmBodies(work.address, 0);
  addJoints(w, w.heldJoints, e.joints, work.delta);
  u8.set(kept, first);
}

/** Strands of rows that were appended in the middle of a solve take part from now on. */
function activateStrands({ engine, at }: Wasm, active: Uint8Array, first: number): void {
  const { arena, tables } = engine;
  const { strands, nodeContacts } = tables;
  for (let c = first; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    for (let k = 0; k < 2; k++) {
      const strand = nodeContacts.side[4 * c + k];
      if (strand < 0 || active[strand] !== 0 || strands.flags[strand] & (L.STRAND_QUARANTINED | L.STRAND_ASLEEP))
        continue;
      active[strand] = 1;
      arena.u8[at.active + strand] = 1;
    }
  }
}
