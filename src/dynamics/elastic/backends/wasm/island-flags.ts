// Which rows of the work memory take part in a round, by islands (solvers/elastic/islands.ts): a byte a row, the bit of
// the number of sweeps that its island gets, 0 where it rests, ROW_LEFT where its island waits.

import { OBJECT_RESTLESS } from '../../../../core/elastic-constants';
import { type Islands, leaderOf, linkIslands, noteStale, type Stale } from '../../../../solvers/elastic/islands';
import * as A from '../../../../state/admm-layout';
import { SIDE_BODY, SIDE_OBJECT_B } from '../../../../state/contact-places';
import * as L from '../../../../state/layout';
import type { ElasticContacts } from '../../collect-contacts';
import { movingRowsOf, sumsOf } from './admm-work';
import type { Wasm } from './wasm';

/** Bits of a row that tell islands apart. */
const BITS = 7;

/** What a solve keeps of its islands: objects that move, and that rest, and what the last update found [m/s]. */
export interface IslandFlags {
  /** By island: its bit in the rows, that of few islands its own, else that of those with as many sweeps. */
  readonly bits: number[];
  readonly moving: number[];
  readonly resting: number[];
  readonly moved: number[];
  readonly apart: number[];
}

/** All islands wait. */
export function openFlags({ engine, work }: Wasm, { islands }: ElasticContacts): IslandFlags {
  const { u8 } = engine.arena;
  const rows = movingRowsOf(work);
  u8.fill(A.ROW_LEFT, rows, rows + work.rows - 1);
  u8[rows + work.rows - 1] = 0;
  const each = () => new Array<number>(islands.count).fill(0);
  return { bits: bitsOf(islands), moving: each(), resting: each(), moved: each(), apart: each() };
}

/** A bit for each island. What shares one is swept as often as that of it that has the most sweeps. */
function bitsOf({ list, count }: Islands): number[] {
  const all = list.slice(0, count);
  const going = all.filter(({ state }) => state === 'going');
  if (going.length <= BITS) return all.map((island) => 1 << Math.max(0, going.indexOf(island)));
  const classes = [...new Set(all.map(({ sweeps }) => sweeps))].sort((a, b) => a - b);
  return all.map(({ sweeps }) => 1 << Math.min(BITS - 1, classes.indexOf(sweeps)));
}

/** Row flags of an object. */
function flagObject({ engine, work }: Wasm, object: number, kind: number, flag: number): void {
  const { u8 } = engine.arena;
  const { strands } = engine.tables;
  const rows = movingRowsOf(work) + strands.first[object];
  u8[work.moving + object] = kind;
  u8.fill(flag, rows, rows + strands.nodes[object]);
}

function flagBodies({ engine, work, problem }: Wasm, { islands }: ElasticContacts, island: number, flag: number): void {
  const { u8 } = engine.arena;
  const rows = movingRowsOf(work) + problem.elasticCount / 4;
  for (let body = islands.list[island].firstBody; body >= 0; body = islands.nextBody[body])
    u8.fill(flag, rows + 2 * body, rows + 2 * body + 2);
}

/** An island takes part, all of it. */
export function rouseIsland(w: Wasm, e: ElasticContacts, flags: IslandFlags, island: number): void {
  const { islands } = e;
  const { u8 } = w.engine.arena;
  const flag = flags.bits[island];
  let moving = 0;
  for (let object = islands.list[island].first; object >= 0; object = islands.next[object]) {
    const kind = u8[w.at.active + object];
    flagObject(w, object, kind, kind === 0 ? 0 : flag);
    if (kind !== 0) moving++;
  }
  flagBodies(w, e, island, flag);
  flags.moving[island] = moving;
  flags.resting[island] = 0;
}

/** An island waits. */
export function leaveIsland(w: Wasm, e: ElasticContacts, island: number): void {
  const { islands } = e;
  for (let object = islands.list[island].first; object >= 0; object = islands.next[object])
    flagObject(w, object, 0, A.ROW_LEFT);
  flagBodies(w, e, island, A.ROW_LEFT);
}

/** As ContactSide.project: bit after bit, as islands have no row in common. */
export function projectIslands(
  w: Wasm,
  { islands }: ElasticContacts,
  { bits }: IslandFlags,
  times: number,
  sleeps: boolean,
): number {
  const { kernels, work, options } = w;
  kernels.admmBegin(work.address, options.relaxation);
  let solved = 0;
  for (let bit = 1; bit < 1 << BITS; bit *= 2) {
    let sweeps = 0;
    let sleepBelow = Number.POSITIVE_INFINITY;
    for (let i = 0; i < islands.count; i++) {
      const island = islands.list[i];
      if (island.state !== 'going' || bits[i] !== bit) continue;
      sweeps = Math.max(sweeps, island.sweeps);
      sleepBelow = Math.min(sleepBelow, sleeps ? island.sleepBelow : 0);
    }
    if (sweeps === 0) continue;
    solved += kernels.admmSweep(work.address, times * sweeps, sleepBelow, options.sleepSweeps, bit);
  }
  return solved;
}

/** As ContactSide.update. */
export function updateIslands(w: Wasm, e: ElasticContacts, flags: IslandFlags): void {
  const { engine, kernels, work } = w;
  const { islands, bodyCount } = e;
  const { f32 } = engine.arena;
  kernels.admmUpdateApart(work.address, bodyCount);
  const sums = sumsOf(work) >> 2;
  const { moved, apart } = flags;
  moved.fill(0, 0, islands.count);
  apart.fill(0, 0, islands.count);
  for (let body = 0; body < bodyCount; body++) {
    const at = sums + 2 * (work.strands + body);
    const island = leaderOf(islands, islands.ofBody[body]);
    moved[island] = Math.max(moved[island], f32[at]);
    apart[island] = Math.max(apart[island], f32[at + 1]);
  }
  for (let i = 0; i < islands.count; i++) if (islands.list[i].state === 'going') updateObjects(w, e, flags, i);
}

/** What is left of an island, and which of its objects rest. */
function updateObjects(w: Wasm, { islands }: ElasticContacts, flags: IslandFlags, i: number): void {
  const { f32, u8 } = w.engine.arena;
  const sums = sumsOf(w.work) >> 2;
  const island = islands.list[i];
  const flag = flags.bits[i];
  flags.moving[i] = flags.resting[i] = 0;
  let moved = flags.moved[i];
  let apart = flags.apart[i];
  for (let object = island.first; object >= 0; object = islands.next[object]) {
    const kind = u8[w.at.active + object];
    if (kind === 0) continue;
    const ownMoved = f32[sums + 2 * object];
    const ownApart = f32[sums + 2 * object + 1];
    moved = Math.max(moved, ownMoved);
    apart = Math.max(apart, ownApart);
    const rests = kind !== OBJECT_RESTLESS && Math.fround(ownMoved + ownApart) < island.rest;
    const now = rests ? 0 : kind;
    if (u8[w.work.moving + object] !== now) flagObject(w, object, now, rests ? 0 : flag);
    if (rests) flags.resting[i]++;
    else flags.moving[i]++;
  }
  island.reached = moved + apart;
}

/**
 * The islands of rows of the table from `first` on are linked, and go on: what had waited all of it, of what goes on
 * anyway what the rows touch ends its rest. Returns what of it is stale.
 */
export function linkRows(w: Wasm, e: ElasticContacts, flags: IslandFlags, first: number): Stale {
  const { arena, tables } = w.engine;
  const { side } = tables.nodeContacts;
  const { islands } = e;
  const { ofObject, ofBody } = islands;
  const stale: Stale = { objects: new Set(), bodies: new Set() };
  const linked = new Set<number>();
  for (let row = first; row < arena.i32[L.NODE_CONTACT_COUNT >> 2]; row++) {
    const object = side[4 * row];
    const other = side[4 * row + SIDE_OBJECT_B];
    const body = side[4 * row + SIDE_BODY];
    const index = body >= 0 ? e.bodyIndex[body] : -1;
    let island = takeIn(w, e, flags, stale, -1, object >= 0 ? ofObject[object] : -1);
    island = takeIn(w, e, flags, stale, island, other >= 0 ? ofObject[other] : -1);
    island = takeIn(w, e, flags, stale, island, index >= 0 ? ofBody[index] : -1);
    if (object >= 0 && ofObject[object] >= 0) endRest(w, object);
    if (other >= 0 && ofObject[other] >= 0) endRest(w, other);
    if (island >= 0) linked.add(island);
  }
  for (const island of linked) if (leaderOf(islands, island) === island) flagAnew(w, e, flags, island);
  return stale;
}

/**
 * Links an island (−1: none so far) with another, by the number that something had at first (−1 none), which is
 * roused if it waited. Returns the number of both.
 */
function takeIn(w: Wasm, e: ElasticContacts, flags: IslandFlags, stale: Stale, island: number, number: number): number {
  const { islands } = e;
  if (number < 0) return island;
  const own = leaderOf(islands, number);
  if (islands.list[own].state !== 'going') {
    noteStale(islands, own, stale);
    rouseIsland(w, e, flags, own);
  }
  return linkIslands(islands, island, own);
}

/** An object moves from now on; its rows are flagged with its island. */
function endRest({ engine, work, at }: Wasm, object: number): void {
  const { u8 } = engine.arena;
  u8[work.moving + object] = u8[at.active + object];
}

/** Rows of an island that has taken in others. */
function flagAnew(w: Wasm, e: ElasticContacts, flags: IslandFlags, island: number): void {
  const { islands } = e;
  const { u8 } = w.engine.arena;
  flags.moving[island] = flags.resting[island] = 0;
  for (let object = islands.list[island].first; object >= 0; object = islands.next[object]) {
    const kind = u8[w.work.moving + object];
    flagObject(w, object, kind, kind === 0 ? 0 : flags.bits[island]);
    if (kind !== 0) flags.moving[island]++;
    else if (u8[w.at.active + object] !== 0) flags.resting[island]++;
  }
  flagBodies(w, e, island, flags.bits[island]);
}
