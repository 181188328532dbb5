// What a body hits gives it no energy: the last word on sheets that a step would stretch too far.
//
// A step is linear, and a flat sheet resists nothing across itself: what a fast body takes along in one step may come
// out many times as long, and the body feels none of it. In: the velocities that the step ends with, of sheets and of
// the bodies that touch them. Out: those of a sheet where kinetic and elastic energy would come to more than before are
// v' = V + s (v − V), the same motion but for less of it, and each body loses what the nodes that it touches do. V is
// the velocity of what holds the sheet; else that of all that takes part, so that momentum stays. s is the largest that
// gives no energy (s = 0: the sheet moves as one and stretches no further). What other elastic objects touch, and what
// is moved by something driven, and what hangs on ropes or springs, is left alone: these do work that is not counted
// here. Nor is that of wind.

import { createTriangleDerivatives, differentiateTriangle, type PlaneStiffness } from '../../mechanics/shell/membrane';
import { readShell } from '../../mechanics/shell/shell-system';
import { SIDE_BODY, SIDE_COLLIDER, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import { GRAVITY_SCALE } from '../../state/material-places';
import { RANGE_COUNT } from '../../state/node-places';
import type { Engine } from '../engine';
import { heldNode, otherNode } from './attachment-rows';
import type { ElasticContacts } from './collect-contacts';

/** Only sheets with an edge that comes out so many times as long as it is, and as at rest, are looked at [-]. */
const LONG = 1.25;
/** What the energy may come to, over what it was: rounding, and what gravity adds in a step [-]. */
const MOST_GAIN = 1.001;
/** And besides, as the square of a speed of all that takes part [m/s]. */
const BESIDE = 0.5;
/** Halvings in search of s. */
const HALVINGS = 10;

/** Work memory; one a world. */
interface Stretches {
  /** Linear velocities of bodies before the solve, three numbers each of those that take part [m/s]. */
  free: Float64Array;
  /** Where nodes would be, four numbers each [m]. */
  place: Float64Array;
  /** Of bodies that take part: contacts with the sheet, and the sum of its velocities there, four numbers each. */
  touched: Float64Array;
}

const memories = new WeakMap<Engine, Stretches>();
const plane: PlaneStiffness = { along: 0, weft: 0, across: 0, shear: 0, viscous: 0 };
const triangle = createTriangleDerivatives();
const frame = new Float64Array(3);

/** Keeps the velocities of bodies before they are moved by the solve. */
export function noteFreeBodies(engine: Engine, e: ElasticContacts): void {
  let memory = memories.get(engine);
  if (!memory) {
    const none = new Float64Array(0);
    memory = { free: none, place: none, touched: none };
    memories.set(engine, memory);
  }
  if (memory.free.length < 3 * e.bodyCount) {
    memory.free = new Float64Array(6 * e.bodyCount);
    memory.touched = new Float64Array(8 * e.bodyCount);
  }
  const { linearVelocity } = engine.tables.bodies;
  for (let i = 0; i < e.bodyCount; i++) {
    for (let k = 0; k < 3; k++) memory.free[3 * i + k] = linearVelocity[4 * e.bodies[i] + k];
  }
}

/**
 * Takes back what sheets would be stretched for without a loss to the bodies that do it. `holder`: of each node, the
 * body that it is joined to, −2 the world, −1 none. Returns how many sheets there were.
 */
export function limitStretch(engine: Engine, e: ElasticContacts, holder: Int32Array): number {
  const memory = memories.get(engine);
  if (!memory || e.bodyCount === 0) return 0;
  const { arena, tables } = engine;
  const { strands } = tables;
  let found = 0;
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (strands.kind[object] !== L.KIND_SHELL) continue;
    if (strands.flags[object] & (L.STRAND_QUARANTINED | L.STRAND_ASLEEP) || !isLong(engine, object)) continue;
    if (hasSprings(engine, object)) continue;
    if (!findTouching(engine, e, memory, object) || !findFrame(engine, e, memory, object, holder)) continue;
    const most = MOST_GAIN * energyBefore(engine, e, memory, object);
    if (!(energyAfter(engine, e, memory, object, 1) > most)) continue;

    let [low, high] = [0, 1];
    for (let k = 0; k < HALVINGS; k++) {
      const middle = 0.5 * (low + high);
      if (energyAfter(engine, e, memory, object, middle) > most) high = middle;
      else low = middle;
    }
    shorten(engine, e, memory, object, holder, low);
    found++;
  }
  return found;
}

/** Whether any edge comes out far longer than it is and was made. */
function isLong({ tables, settings }: Engine, object: number): boolean {
  const { strands, nodes, meshEdges } = tables;
  const { position, predicted } = nodes;
  const first = strands.meshEdges[2 * object];
  const end = first + strands.meshEdges[2 * object + RANGE_COUNT];
  for (let at = 4 * first; at < 4 * end; at += 4) {
    const [a, b] = [4 * meshEdges.node[at], 4 * meshEdges.node[at + 1]];
    let now = 0;
    let then = 0;
    for (let k = 0; k < 3; k++) {
      const d = position[b + k] - position[a + k];
      const x = d + settings.timeStep * (predicted[b + k] - predicted[a + k]);
      now += d * d;
      then += x * x;
    }
    if (then > LONG * LONG * Math.max(now, meshEdges.rest[at] ** 2)) return true;
  }
  return false;
}

/** Whether a rope or a spring hangs on the sheet. */
function hasSprings({ arena, tables }: Engine, object: number): boolean {
  const { attachments, nodes } = tables;
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    const flags = attachments.flags[a];
    if (!(flags & L.ATTACHMENT_ALIVE && flags & L.ATTACHMENT_LOOSE)) continue;
    const other = otherNode(tables, a);
    if (nodes.strand[heldNode(tables, a)] === object || (other >= 0 && nodes.strand[other] === object)) return true;
  }
  return false;
}

/** Which bodies touch the sheet, and how fast it is there. False: none, or something that may do work unseen. */
function findTouching({ arena, tables }: Engine, e: ElasticContacts, memory: Stretches, object: number): boolean {
  const { nodeContacts: t, nodes, bodies, colliders } = tables;
  const { touched } = memory;
  touched.fill(0, 0, 4 * e.bodyCount);
  let isTouched = false;
  const end = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let c = arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; c < end; c++) {
    const four = 4 * c;
    const [a, b] = [t.side[four], t.side[four + SIDE_OBJECT_B]];
    if (a !== object && b !== object) continue;
    if (b >= 0 && a !== b) return false;
    const collider = t.side[four + SIDE_COLLIDER];
    if (collider >= 0 && bodies.flags[colliders.body[collider]] & L.BODY_KINEMATIC) return false;
    const body = t.side[four + SIDE_BODY];
    if (body < 0 || e.bodyIndex[body] < 0) continue;
    isTouched = true;
    const i = 4 * e.bodyIndex[body];
    touched[i + 3]++;
    for (let j = 0; j < 4; j++) {
      const node = t.node[four + j];
      if (node < 0) continue;
      for (let k = 0; k < 3; k++) touched[i + k] += t.weight[four + j] * nodes.predicted[4 * node + k];
    }
  }
  return isTouched;
}

/** V, the velocity that the sheet is slowed towards. False: what holds it moves, and may do work. */
function findFrame(
  { tables }: Engine,
  e: ElasticContacts,
  { touched }: Stretches,
  object: number,
  holder: Int32Array,
): boolean {
  const { strands, nodes, bodies } = tables;
  const { mass, predicted } = nodes;
  const first = strands.first[object];
  const end = first + strands.nodes[object];
  frame.fill(0);
  let isHeld = false;
  for (let node = first; node < end; node++) {
    if (holder[node] === -1) continue;
    isHeld = true;
    for (let k = 4 * node; k < 4 * node + 3; k++) if (Math.abs(predicted[k]) > BESIDE) return false;
  }
  if (isHeld) return true;
  let total = 0;
  const add = (m: number, v: Float64Array, at: number, over: number) => {
    total += m;
    for (let k = 0; k < 3; k++) frame[k] += (m * v[at + k]) / over;
  };
  for (let node = first; node < end; node++) add(mass[2 * node], predicted, 4 * node, 1);
  for (let i = 0; i < e.bodyCount; i++) {
    const count = touched[4 * i + 3];
    if (count > 0) add(1 / bodies.inverseMass[e.bodies[i]], touched, 4 * i, count);
  }
  for (let k = 0; k < 3; k++) frame[k] /= total;
  return true;
}

/** Kinetic energy before the solve of the sheet and what touches it, elastic energy of the sheet as it is [J]. */
function energyBefore(engine: Engine, e: ElasticContacts, memory: Stretches, object: number): number {
  const { bodies, strands, nodes, rods } = engine.tables;
  const { timeStep, gravity } = engine.settings;
  const fall = timeStep * rods.extra[4 * strands.rod[object] + GRAVITY_SCALE];
  let energy = stretchEnergy(engine, object, nodes.position);
  for (let node = strands.first[object]; node < strands.first[object] + strands.nodes[object]; node++) {
    // Velocities of bodies have the step's gravity and forces already.
    const mass = nodes.mass[2 * node];
    const push = mass > 0 ? timeStep / mass : 0;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      square += (nodes.velocity[4 * node + k] + fall * gravity[k] + push * nodes.force[4 * node + k]) ** 2;
    }
    energy += 0.5 * mass * square;
  }
  for (let i = 0; i < e.bodyCount; i++) {
    if (memory.touched[4 * i + 3] === 0) continue;
    let square = BESIDE * BESIDE;
    for (let k = 0; k < 3; k++) square += memory.free[3 * i + k] ** 2;
    energy += (0.5 * square) / bodies.inverseMass[e.bodies[i]];
  }
  return energy;
}

/** The same at the end of the step, by a share of the sheet's motion [J]. */
function energyAfter(engine: Engine, e: ElasticContacts, memory: Stretches, object: number, share: number): number {
  const { tables, settings } = engine;
  const { bodies, strands, nodes } = tables;
  const { position, predicted, mass } = nodes;
  if (memory.place.length < position.length) memory.place = new Float64Array(position.length);
  const { place, touched } = memory;
  let energy = 0;
  for (let node = strands.first[object]; node < strands.first[object] + strands.nodes[object]; node++) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const i = 4 * node + k;
      const v = frame[k] + share * (predicted[i] - frame[k]);
      place[i] = position[i] + settings.timeStep * v;
      square += v * v;
    }
    energy += 0.5 * mass[2 * node] * square;
  }
  energy += stretchEnergy(engine, object, place);
  for (let i = 0; i < e.bodyCount; i++) {
    if (touched[4 * i + 3] === 0) continue;
    let square = 0;
    for (let k = 0; k < 3; k++)
      square += (bodies.linearVelocity[4 * e.bodies[i] + k] - loss(touched, i, k, share)) ** 2;
    energy += (0.5 * square) / bodies.inverseMass[e.bodies[i]];
  }
  return energy;
}

/** What the i-th body loses of its velocity along an axis: as much as the nodes that it touches [m/s]. */
function loss(touched: Float64Array, i: number, axis: number, share: number): number {
  return (1 - share) * (touched[4 * i + axis] / touched[4 * i + 3] - frame[axis]);
}

/** Energy of stretch and shear with nodes at `x` [J]. */
function stretchEnergy({ tables }: Engine, object: number, x: Float64Array): number {
  const { strands, triangles } = tables;
  readShell(plane, tables, object);
  const corners = [0, 0, 0];
  const first = strands.triangles[2 * object];
  let energy = 0;
  for (let t = first; t < first + strands.triangles[2 * object + RANGE_COUNT]; t++) {
    for (let k = 0; k < 3; k++) corners[k] = 4 * triangles.node[4 * t + k];
    differentiateTriangle(triangle, plane, x, null, corners, triangles.rest, 8 * t);
    energy += triangle.energy;
  }
  return energy;
}

/** The sheet's motion by a share of it, and the bodies' by what that takes from them. */
function shorten(
  { tables }: Engine,
  e: ElasticContacts,
  { touched }: Stretches,
  object: number,
  holder: Int32Array,
  share: number,
): void {
  const { strands, nodes, bodies } = tables;
  for (let node = strands.first[object]; node < strands.first[object] + strands.nodes[object]; node++) {
    if (holder[node] !== -1) continue;
    for (let k = 0; k < 3; k++) {
      const i = 4 * node + k;
      nodes.predicted[i] = frame[k] + share * (nodes.predicted[i] - frame[k]);
    }
  }
  for (let i = 0; i < e.bodyCount; i++) {
    if (touched[4 * i + 3] === 0) continue;
    const body = e.bodies[i];
    for (let k = 0; k < 3; k++) {
      const lost = loss(touched, i, k, share);
      bodies.linearVelocity[4 * body + k] -= lost;
      bodies.motion[8 * body + k] -= lost;
    }
  }
}
