// Strands and the bodies that they touch or hold fall asleep together, and wake together.
//
// Each step joins what is awake by contacts, attachments, clamps and rigid islands. A group sleeps when all its strands
// have been slower than a share of sleepLinearSpeed for sleepDelay, all its bodies would sleep, and nothing drives it:
// no moving kinematic body, no conveyor, no contact that slides. Its bodies become one ring
// (kernels/assembly/motion/sleep.ts), its strands name the ring by a number and by one of the bodies. What wakes the
// ring's bodies wakes its strands at the next `rouse`, and the other way round.
//
// Slower than bodies: what a rope or a tuft still does at 0.02 m/s can be seen (an overdamped rod creeps for seconds);
// strands at rest stay below 1 mm/s with the default iterations.

import { SLEEP_SPEED_SHARE } from '../../core/elastic-constants';
import { CONE_SHARE, SLIP_SPEED } from '../../core/engine-constants';
import { SIDE_COLLIDER, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import { RING_BODY } from '../../state/node-places';
import type { Engine } from '../engine';
import { otherNode } from './attachment-rows';
import { forEachRoot } from './rooted';
import { strandKernelsOf } from './strand-kernels';
import { touchStrand } from './touch-strands';

const CLAMPS = [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END] as const;

/** Whether every strand sleeps. */
export function isAllAsleep({ arena }: Engine): boolean {
  return arena.i32[L.STRAND_ASLEEP_COUNT >> 2] === arena.i32[L.STRAND_COUNT >> 2];
}

const rings = new Set<number>();

/**
 * Wakes rings of which something is awake: a body, a strand whose STRAND_ASLEEP was cleared or with a
 * user force, a body that moves a clamp or a joint. Returns whether any strand woke. `forces`:
 * whether user forces are looked at, too.
 */
export function rouse(engine: Engine, forces: boolean): boolean {
  const { arena, tables } = engine;
  const { strands, bodies } = tables;
  if (arena.i32[L.STRAND_ASLEEP_COUNT >> 2] === 0) return false;
  if (forces) strandKernelsOf(engine).rodForced();
  touchPulled(engine);
  const count = arena.i32[L.STRAND_COUNT >> 2];
  rings.clear();
  for (let s = 0; s < count; s++) {
    const ring = strands.ring[2 * s];
    if (ring !== 0 && isRoused(engine, s)) rings.add(ring);
  }
  if (rings.size === 0) return false;
  for (let s = 0; s < count; s++) {
    const at = 2 * s;
    if (strands.ring[at] === 0 || !rings.has(strands.ring[at])) continue;
    const body = strands.ring[at + RING_BODY];
    if (body >= 0 && bodies.flags[body] & L.BODY_ASLEEP) engine.kernels.wakeBody(body);
    strands.flags[s] &= ~L.STRAND_ASLEEP;
    strands.calm[s] = 0;
    strands.ring[at] = 0;
    strands.ring[at + RING_BODY] = -1;
    arena.i32[L.STRAND_ASLEEP_COUNT >> 2]--;
  }
  return true;
}

/** Clears STRAND_ASLEEP of strands with a joint to a body that is awake. */
function touchPulled({ arena, tables }: Engine): void {
  const { attachments, bodies, nodes, rods, strands } = tables;
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    const body = attachments.body[a];
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE) || body < 0 || bodies.awakeIndex[body] < 0) continue;
    const strand = nodes.strand[rods.nodeStart[attachments.rod[a]] + attachments.node[a]];
    if (strands.flags[strand] & L.STRAND_ASLEEP) touchStrand(tables, strand);
  }
}

function isRoused({ tables }: Engine, strand: number): boolean {
  const { strands, bodies } = tables;
  if (!(strands.flags[strand] & L.STRAND_ASLEEP)) return true;
  const body = strands.ring[2 * strand + RING_BODY];
  if (body >= 0 && !(bodies.flags[body] & L.BODY_ASLEEP)) return true;
  for (let end = 0; end < 2; end++) {
    if (!(strands.flags[strand] & CLAMPS[end])) continue;
    const holder = strands.attach[2 * strand + end];
    if (holder >= 0 && bodies.awakeIndex[holder] >= 0) return true;
  }
  return false;
}

/**
 * Groups of strands (0 …) and awake bodies (`strandCount` …, in the order of the
 * awake list), by union-find. Reused.
 */
const groups = {
  strandCount: 0,
  /** Awake bodies, as they were before any of them fell asleep. */
  bodies: new Int32Array(0),
  bodyCount: 0,
  parent: new Int32Array(0),
  /** 1: something in the group of this root has to stay awake. */
  isAwake: new Uint8Array(0),
  /** Of each root: first body, last body so far, ring. */
  first: new Int32Array(0),
  last: new Int32Array(0),
  ring: new Int32Array(0),
};

function openGroups({ arena, tables }: Engine): void {
  groups.strandCount = arena.i32[L.STRAND_COUNT >> 2];
  groups.bodyCount = arena.i32[L.AWAKE_COUNT >> 2];
  const count = groups.strandCount + groups.bodyCount;
  if (groups.parent.length < count) {
    groups.bodies = new Int32Array(2 * count);
    groups.parent = new Int32Array(2 * count);
    groups.isAwake = new Uint8Array(2 * count);
    groups.first = new Int32Array(2 * count);
    groups.last = new Int32Array(2 * count);
    groups.ring = new Int32Array(2 * count);
  }
  for (let i = 0; i < count; i++) groups.parent[i] = i;
  for (let i = 0; i < groups.bodyCount; i++) groups.bodies[i] = tables.bodies.awakeList[i];
  groups.isAwake.fill(0, 0, count);
  groups.first.fill(-1, 0, count);
  groups.ring.fill(0, 0, count);
}

function rootOf(i: number): number {
  const { parent } = groups;
  let at = i;
  while (parent[at] !== at) {
    parent[at] = parent[parent[at]];
    at = parent[at];
  }
  return at;
}

function join(a: number, b: number): void {
  const [x, y] = [rootOf(a), rootOf(b)];
  if (x === y) return;
  // The smaller number is the root: one with a strand has a strand for its root.
  groups.parent[Math.max(x, y)] = Math.min(x, y);
  groups.isAwake[Math.min(x, y)] |= groups.isAwake[Math.max(x, y)];
}

function keepAwake(i: number): void {
  groups.isAwake[rootOf(i)] = 1;
}

/**
 * Lays groups at rest to sleep; advances the strands' timers. After the step's solve, before
 * bodies fall asleep by themselves.
 */
export function layToRest(engine: Engine): void {
  const { settings } = engine;
  if (!settings.sleeping || isAllAsleep(engine)) return;
  const ripe = strandKernelsOf(engine).rodCalm(SLEEP_SPEED_SHARE * settings.sleepLinearSpeed, settings.sleepDelay);
  if (ripe === 0) return;
  openGroups(engine);
  joinIslands(engine);
  joinContacts(engine);
  joinHeld(engine);
  restGroups(engine);
}

/** Bodies of one island belong together; what would stay awake without strands does so with them. */
function joinIslands({ tables, kernels }: Engine): void {
  const { island, islandBodies, islandBodyStart, awakeIndex, flags } = tables.bodies;
  const { strandCount, bodyCount, bodies } = groups;
  for (let i = 0; i < bodyCount; i++) {
    const body = bodies[i];
    if (!(flags[body] & L.BODY_DYNAMIC)) continue;
    const own = island[body];
    if (own < 0) {
      if (kernels.mayBodySleep(body) === 0) keepAwake(strandCount + i);
      continue;
    }
    const leader = islandBodies[islandBodyStart[own]];
    join(strandCount + i, strandCount + awakeIndex[leader]);
    if (leader === body && kernels.mayIslandSleep(own) === 0) keepAwake(strandCount + i);
  }
}

function joinContacts({ arena, tables }: Engine): void {
  const { nodeContacts: t, strands, colliders } = tables;
  for (let c = arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const four = 4 * c;
    const strand = t.side[four];
    const other = t.side[four + SIDE_OBJECT_B];
    // Near each other without having been woken: they do not touch.
    if (strands.flags[strand] & L.STRAND_ASLEEP || (other >= 0 && strands.flags[other] & L.STRAND_ASLEEP)) continue;
    if (isSliding(tables, c)) keepAwake(strand);
    if (other >= 0) join(strand, other);
    else {
      joinBody(tables, strand, colliders.body[t.side[four + SIDE_COLLIDER]]);
      if (t.drift[four] !== 0 || t.drift[four + 1] !== 0 || t.drift[four + 2] !== 0) keepAwake(strand);
    }
  }
}

/** A contact at the limit of friction whose strand moves: a rope on a slope a little too steep only gathers speed. */
function isSliding({ nodeContacts: t, nodes }: Engine['tables'], c: number): boolean {
  const four = 4 * c;
  const v = 4 * t.node[four];
  let speed = 0;
  for (let k = 0; k < 3; k++) speed += nodes.velocity[v + k] ** 2;
  if (speed < SLIP_SPEED * SLIP_SPEED) return false;
  let along = 0;
  let square = 0;
  for (let k = four; k < four + 3; k++) {
    along += t.force[k] * t.normal[k];
    square += t.force[k] ** 2;
  }
  const limit = t.material[four] * along;
  return limit > 0 && square - along * along >= CONE_SHARE * limit * limit;
}

/** Joins a strand to a body that gives way, or keeps it awake while one moves that does not. */
function joinBody({ bodies }: Engine['tables'], strand: number, body: number): void {
  if (body < 0 || bodies.awakeIndex[body] < 0) return;
  if (bodies.flags[body] & L.BODY_DYNAMIC) join(strand, groups.strandCount + bodies.awakeIndex[body]);
  else keepAwake(strand);
}

function joinHeld({ arena, tables }: Engine): void {
  const { strands, attachments, rods, nodes } = tables;
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const strand = nodes.strand[rods.nodeStart[attachments.rod[a]] + attachments.node[a]];
    if (strands.flags[strand] & L.STRAND_ASLEEP) continue;
    joinBody(tables, strand, attachments.body[a]);
    const other = otherNode(tables, a);
    if (other >= 0 && !(strands.flags[nodes.strand[other]] & L.STRAND_ASLEEP)) join(strand, nodes.strand[other]);
  }
  forEachRoot({ arena, tables }, (strand, object) => {
    if (!((strands.flags[strand] | strands.flags[object]) & L.STRAND_ASLEEP)) join(strand, object);
  });
  for (let s = 0; s < groups.strandCount; s++) {
    if (strands.flags[s] & L.STRAND_ASLEEP) continue;
    for (let end = 0; end < 2; end++) {
      if (strands.flags[s] & CLAMPS[end]) joinBody(tables, s, strands.attach[2 * s + end]);
    }
  }
}

function restGroups(engine: Engine): void {
  const { arena, tables, kernels, settings } = engine;
  const { strands } = tables;
  const { isAwake, first, last, ring, strandCount, bodies, bodyCount } = groups;
  const out = L.STRAND_ASLEEP | L.STRAND_QUARANTINED;
  for (let s = 0; s < strandCount; s++) {
    if (!(strands.flags[s] & out) && !(strands.calm[s] > 0 && strands.calm[s] >= settings.sleepDelay)) keepAwake(s);
  }
  for (let i = 0; i < bodyCount; i++) {
    const root = rootOf(strandCount + i);
    // Without a strand it is for the bodies' own rule.
    if (isAwake[root] === 1 || root >= strandCount) continue;
    if (first[root] < 0) first[root] = bodies[i];
    else kernels.restBody(last[root], first[root], bodies[i]);
    last[root] = bodies[i];
  }
  const { rodRest } = strandKernelsOf(engine);
  for (let s = 0; s < strandCount; s++) {
    const root = rootOf(s);
    if (isAwake[root] === 1 || strands.flags[s] & out) continue;
    if (ring[root] === 0) {
      ring[root] = ++arena.i32[L.STRAND_RING_LAST >> 2];
      if (first[root] >= 0) kernels.restBody(last[root], first[root], first[root]);
    }
    rodRest(s, ring[root], first[root]);
  }
}
