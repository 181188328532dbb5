// The islands of a step's elastic solve: which objects and bodies hang together by contacts, joints and roots, and how
// much is done for each (effort.ts). What sleeps, is ill, or moves as prescribed links nothing.

import { chooseElasticSolver } from '../../solvers/choose-solver';
import { addBody, addIsland, addObject, makeWhole, resetIslands } from '../../solvers/elastic/islands';
import { SIDE_BODY, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { type ElasticContacts, IDLE } from './collect-contacts';
import { addBodyLoad, addObjectLoad, clearLoad, createLoad, effortOf, type Load } from './effort';
import { forEachRoot } from './rooted';

/** By object, then by body of the problem: one before it that hangs together with it, or itself. */
let parent = new Int32Array(0);
/** By object and body: the island of those that it stands for. */
let islandOf = new Int32Array(0);
/** By object and body: 1 where all that it stands for is strands. */
let isPlain = new Uint8Array(0);

/** By island. */
const loads: Load[] = [];

/** The load of island i, empty. */
function loadOf(i: number): Load {
  if (loads.length <= i) loads.push(createLoad());
  clearLoad(loads[i]);
  return loads[i];
}

function rootOf(i: number): number {
  let at = i;
  while (parent[at] !== at) {
    parent[at] = parent[parent[at]];
    at = parent[at];
  }
  return at;
}

function link(i: number, j: number): void {
  const a = rootOf(i);
  const b = rootOf(j);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

/** Whether islands may be told apart in this world: with momentum, and in the paper's profile, all is one. */
function mayPart({ arena, settings }: Engine, { bodyCount }: ElasticContacts): boolean {
  const { acceleration, profile, solver } = settings.elastic;
  if (acceleration || profile === 'paper' || chooseElasticSolver(solver) === 'conjugate-residual') return false;
  // Strands alone have one effort: those that have converged rest for those that have not.
  return bodyCount > 0 || arena.i32[L.TRIANGLE_COUNT >> 2] > 0;
}

/** e.islands, after contacts and joints were collected; `allowed`: iterations at most. */
export function findIslands(engine: Engine, e: ElasticContacts, allowed: number): void {
  const objects = engine.arena.i32[L.STRAND_COUNT >> 2];
  const { islands } = e;
  if (e.isFree) {
    // Nothing is solved: what it would take is not asked of all objects.
    makeWhole(islands, effortOf(engine, loadOf(0), allowed));
    return;
  }
  const isWhole = !mayPart(engine, e);
  if (isWhole) islands.count = 0;
  else {
    linkAll(engine, e, objects);
    partIslands(engine, e, objects, allowed);
  }
  let going = 0;
  let only = -1;
  for (let i = 0; i < islands.count; i++) {
    if (islands.list[i].state !== 'going') continue;
    going++;
    only = i;
  }
  // What waits until something meets it may as well be in the only island.
  if (going === 1) makeWhole(islands, islands.list[only]);
  if (going === 0) makeWhole(islands, effortOf(engine, wholeLoad(engine, e, objects), allowed));
}

/** What the world is for the effort, where islands are not told apart: also what sleeps or touches nothing counts. */
function wholeLoad(engine: Engine, e: ElasticContacts, objects: number): Load {
  const { flags } = engine.tables.strands;
  const load = loadOf(0);
  for (let object = 0; object < objects; object++)
    addObjectLoad(engine, load, object, (flags[object] & IDLE) === 0, e.active[object] === 1);
  for (let i = 0; i < e.bodyCount; i++) addBodyLoad(engine, load, e.bodies[i]);
  return load;
}

/** Links what hangs together. */
function linkAll(engine: Engine, e: ElasticContacts, objects: number): void {
  const { arena, tables } = engine;
  const count = objects + e.bodyCount;
  if (parent.length < count) {
    parent = new Int32Array(2 * count);
    islandOf = new Int32Array(2 * count);
  }
  for (let i = 0; i < count; i++) parent[i] = i;
  const { side } = tables.nodeContacts;
  const rows = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let row = arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; row < rows; row++) {
    const body = side[4 * row + SIDE_BODY];
    linkOther(engine, side[4 * row], side[4 * row + SIDE_OBJECT_B]);
    if (body >= 0 && e.bodyIndex[body] >= 0) linkOther(engine, side[4 * row], objects + e.bodyIndex[body]);
  }
  forEachRoot(engine, (strand, object) => linkOther(engine, strand, object));
  linkJoints(engine, e, objects);
  // Bodies of a rigid island hang together by contacts and joints of their own.
  for (let i = 1; i < e.bodyCount; i++) {
    const island = tables.bodies.island[e.bodies[i]];
    if (island >= 0 && island === tables.bodies.island[e.bodies[i - 1]]) link(objects + i, objects + i - 1);
  }
}

/** Links an object and another, or a body by its place behind the objects, unless one of them takes no part. */
function linkOther({ tables, arena }: Engine, object: number, other: number): void {
  const { flags } = tables.strands;
  if (other < 0 || flags[object] & IDLE) return;
  if (other < arena.i32[L.STRAND_COUNT >> 2] && flags[other] & IDLE) return;
  link(object, other);
}

function linkJoints(engine: Engine, { joints }: ElasticContacts, objects: number): void {
  const { strand } = engine.tables.nodes;
  for (let i = 0; i < joints.count; i++) {
    if (joints.node[i] < 0) {
      const [a, b] = [joints.bodies[2 * i], joints.bodies[2 * i + 1]];
      if (a >= 0 && b >= 0) link(objects + a, objects + b);
      continue;
    }
    const object = strand[joints.node[i] >> 2];
    if (joints.other[i] >= 0) link(object, strand[joints.other[i] >> 2]);
    if (joints.body[i] >= 0) link(object, objects + joints.body[i]);
  }
}

/**
 * Links strands that hang together with nothing but strands: they have one effort, as in a world of their own, where
 * what the many that converge at once leave of it goes to the few that take long (solvers/elastic/resting.ts).
 */
function linkStrands({ tables }: Engine, { bodyCount }: ElasticContacts, objects: number): void {
  const { flags, kind } = tables.strands;
  if (isPlain.length < parent.length) isPlain = new Uint8Array(parent.length);
  isPlain.fill(1, 0, objects + bodyCount);
  for (let i = 0; i < objects + bodyCount; i++) if (i >= objects || kind[i] !== L.KIND_ROD) isPlain[rootOf(i)] = 0;
  let first = -1;
  for (let i = 0; i < objects; i++) {
    if (flags[i] & IDLE || isPlain[rootOf(i)] === 0) continue;
    if (first >= 0) link(i, first);
    else first = i;
  }
}

/** Numbers the islands, and lists what is in them. One of which nothing takes part waits until something meets it. */
function partIslands(engine: Engine, e: ElasticContacts, objects: number, allowed: number): void {
  const { islands } = e;
  let count = 0;
  linkStrands(engine, e, objects);
  resetIslands(islands, objects, e.bodyCount);
  for (let i = 0; i < objects + e.bodyCount; i++) {
    if (i < objects && engine.tables.strands.flags[i] & IDLE) continue;
    const root = rootOf(i);
    if (root === i) {
      islandOf[i] = count;
      loadOf(count++);
    }
    const load = loads[islandOf[root]];
    if (i < objects) addObjectLoad(engine, load, i, true, e.active[i] === 1);
    else addBodyLoad(engine, load, e.bodies[i - objects]);
  }
  for (let k = 0; k < count; k++)
    addIsland(islands, effortOf(engine, loads[k], allowed), loads[k].isGoing ? 'going' : 'idle');
  for (let i = 0; i < objects + e.bodyCount; i++) {
    if (i < objects && engine.tables.strands.flags[i] & IDLE) continue;
    if (i < objects) addObject(islands, islandOf[rootOf(i)], i);
    else addBody(islands, islandOf[rootOf(i)], i - objects);
  }
}
