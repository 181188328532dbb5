// Contacts of a step at its end: gaps and normals where the velocities of a solve lead, for the next linearisation
// (Verschoor and Jalba 2019, §3.3).
//
// A gap is C(x) = n · d − reach, d from the nearest point of side B to that of side A. Between elastic primitives
// both points are looked for anew; of a convex collider the nearest point to the row's own; of a mesh the face stays.
// The row then says
//
//   C(x) + dt n · (u − u(x)) >= T,   T <= 0: what the recovery of an overlap at the start leaves for later steps,
//
// with n and C on the way from the last linearisation to the new one, so far that no normal turns by more than 15°.

import { asked, placeCollider } from '../../collision/asked-collider';
import { createConvex } from '../../collision/convex';
import { measureCores, separation } from '../../collision/convex-distance';
import { nearestOnSegments, nearestOnTriangle } from '../../math/nearest-points';
import { multiplyQuaternion, normalizeQuaternion, rotateVector } from '../../math/quaternion';
import { type AdmmProblem, CONTACT_SCALE, grown } from '../../solvers/admm/problem';
import { CONTACT_GAP, KEY_KIND_A, SIDE_COLLIDER, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import { RADIUS } from '../../state/material-places';
import { isBounded } from '../../state/shape-traits';
import type { Engine } from '../engine';
import type { ElasticContacts } from './collect-contacts';

/** Most that a normal turns between two linearisations: its cosine and sine (15°). */
const COSINE = 0.9659258262890683;
const SINE = 0.25881904510252074;

/** What the rows were when they were made: T [m], and the offset less its normal part [m/s]. */
export interface StartRows {
  target: Float64Array;
  drift: Float64Array;
  count: number;
}

export function createStartRows(): StartRows {
  const none = new Float64Array(0);
  return { target: none, drift: none, count: 0 };
}

const d = new Float64Array(3);
const n = new Float64Array(3);
const place = new Float64Array(4);
const turn = new Float64Array(4);
const bodyTurn = new Float64Array(4);
const origin = new Float64Array(3);
const weight = new Float64Array(4);
const corners = new Float64Array(12);
const point = createConvex();

/** Takes down what rows from `start.count` on are before they are changed. */
export function noteStartRows(engine: Engine, e: ElasticContacts, { contacts }: AdmmProblem, start: StartRows): void {
  const { nodeContacts: t } = engine.tables;
  const { timeStep } = engine.settings;
  if (start.target.length < contacts.count) {
    const room = contacts.count + (contacts.count >> 1) + 16;
    start.target = grown(start.target, room, room);
    start.drift = grown(start.drift, 3 * room, 3 * room);
  }
  for (let c = Math.max(start.count, e.strandRow); c < contacts.count; c++) {
    const row = 4 * e.tableRow[c];
    let speed = 0;
    for (let k = 0; k < 3; k++) speed += (contacts.offset[4 * c + k] - t.drift[row + k]) * t.normal[row + k];
    start.target[c] = Math.min(0, t.normal[row + CONTACT_GAP] - timeStep * speed);
    for (let k = 0; k < 3; k++) start.drift[3 * c + k] = contacts.offset[4 * c + k] - speed * t.normal[row + k];
  }
  start.count = contacts.count;
}

/** Sum of the radii of both sides [m]. */
function reachOf({ tables }: Engine, row: number): number {
  const { nodeContacts: t, rods, strands } = tables;
  const other = t.side[row + SIDE_OBJECT_B];
  const own = rods.parameter[8 * strands.rod[t.side[row]] + RADIUS];
  return own + (other < 0 ? 0 : rods.parameter[8 * strands.rod[other] + RADIUS]);
}

/** out := Σ weight · (x + dt v) of a row's nodes: of two elastic sides the way from B to A. */
function weigh(out: Float64Array, { tables }: Engine, row: number, v: Float64Array | null, dt: number): void {
  const { nodeContacts: t, nodes } = tables;
  out.fill(0);
  for (let j = row; j < row + 4; j++) {
    const at = 4 * t.node[j];
    if (at < 0) continue;
    for (let k = 0; k < 3; k++) out[k] += t.weight[j] * (nodes.position[at + k] + (v ? dt * v[at + k] : 0));
  }
}

/**
 * Linearises every row of elastic objects anew at the velocities `v` (four a node, then the bodies of the problem).
 * Returns the largest |C − T| of a row that pushes, and C below T of any, at the end of that step [m].
 */
export function relinearise(
  engine: Engine,
  e: ElasticContacts,
  problem: AdmmProblem,
  start: StartRows,
  v: Float64Array,
): number {
  const { contacts } = problem;
  const { timeStep } = engine.settings;
  let worst = 0;
  for (let c = e.strandRow; c < contacts.count; c++) {
    const four = 4 * c;
    // Nothing moves it.
    if (!(contacts.force[four + CONTACT_SCALE] > 0)) continue;
    const gap = measureEnd(engine, e, problem, c, v);
    let push = 0;
    for (let k = 0; k < 3; k++) push += contacts.force[four + k] * contacts.normal[four + k];
    const missed = gap - start.target[c];
    worst = Math.max(worst, push > 0 ? Math.abs(missed) : -missed);

    // The row as it is, at the end: C + dt n · (u − u(x)).
    const old = linearGap(problem, c, start, v, timeStep);
    const share = limitTurn(contacts.normal, four);
    const value = old + share * (gap - old);
    for (let k = 0; k < 3; k++) contacts.normal[four + k] = n[k];
    let along = 0;
    for (let k = 0; k < 3; k++) along += n[k] * (pointVelocity(problem, c, v, k) + start.drift[3 * c + k]);
    const speed = (value - start.target[c]) / timeStep - along;
    for (let k = 0; k < 3; k++) contacts.offset[four + k] = start.drift[3 * c + k] + speed * n[k];
  }
  return worst;
}

/** T + dt (u · n), what the row as it is takes for the gap at the end. */
function linearGap(problem: AdmmProblem, c: number, start: StartRows, v: Float64Array, dt: number): number {
  const { normal, offset } = problem.contacts;
  let along = 0;
  for (let k = 0; k < 3; k++) along += normal[4 * c + k] * (pointVelocity(problem, c, v, k) + offset[4 * c + k]);
  return start.target[c] + dt * along;
}

/** Component k of the velocity of side A against B, of what is solved for. */
function pointVelocity({ contacts, elasticCount }: AdmmProblem, c: number, v: Float64Array, k: number): number {
  const { node, coefficient, body, arm } = contacts;
  let sum = 0;
  for (let j = 4 * c; j < 4 * c + 4; j++) if (coefficient[j] !== 0) sum += coefficient[j] * v[node[j] + k];
  const [p, q] = [(k + 1) % 3, (k + 2) % 3];
  for (let side = 0; side < 2; side++) {
    const b = body[2 * c + side];
    if (b < 0) continue;
    const at = elasticCount + 8 * b;
    const a = 8 * c + 4 * side;
    sum += (side === 0 ? 1 : -1) * (v[at + k] + v[at + 4 + p] * arm[a + q] - v[at + 4 + q] * arm[a + p]);
  }
  return sum;
}

/** n := from the row's normal towards n by at most 15°; returns the share of the way. */
function limitTurn(normal: Float64Array, at: number): number {
  let cosine = 0;
  for (let k = 0; k < 3; k++) cosine += n[k] * normal[at + k];
  if (cosine >= COSINE) return 1;
  // Across the old normal in the plane of both.
  let length = 0;
  for (let k = 0; k < 3; k++) {
    n[k] -= cosine * normal[at + k];
    length += n[k] * n[k];
  }
  length = Math.sqrt(length);
  if (!(length > 1e-12)) {
    for (let k = 0; k < 3; k++) n[k] = normal[at + k];
    return 0;
  }
  for (let k = 0; k < 3; k++) n[k] = COSINE * normal[at + k] + (SINE * n[k]) / length;
  return Math.min(1, (0.5 * SINE) / (1 - cosine));
}

/** Gap of a contact at the end of the step, its unit normal there in n; places on elastic primitives move on. */
function measureEnd(engine: Engine, e: ElasticContacts, problem: AdmmProblem, c: number, v: Float64Array): number {
  const { nodeContacts: t } = engine.tables;
  const { contacts } = problem;
  const row = 4 * e.tableRow[c];
  const reach = reachOf(engine, row);
  for (let k = 0; k < 3; k++) n[k] = contacts.normal[4 * c + k];
  if (t.side[row + SIDE_COLLIDER] >= 0) return measureBody(engine, e, problem, c, reach, v);
  const isSliding = slide(engine, row, v);
  if (isSliding) {
    for (let j = 0; j < 4; j++) t.weight[row + j] = contacts.coefficient[4 * c + j] = weight[j];
  }
  weigh(d, engine, row, v, engine.settings.timeStep);
  return measureWay(reach, isSliding);
}

/** weight := coefficients of the nearest points of a row's primitives at the end; false: none are looked for. */
function slide(engine: Engine, row: number, v: Float64Array): boolean {
  const { nodeContacts: t, nodes } = engine.tables;
  const kindA = t.key[row + KEY_KIND_A];
  for (let j = 0; j < 4; j++) {
    const node = t.node[row + j];
    if (node < 0) return false;
    for (let k = 0; k < 3; k++) {
      corners[3 * j + k] = nodes.position[4 * node + k] + engine.settings.timeStep * v[4 * node + k];
    }
  }
  if (kindA === L.PRIMITIVE_POINT) {
    nearestOnTriangle(weight, 1, corners, 0, 3);
    if (!isInside(1)) return false;
    weight[0] = 1;
    for (let j = 1; j < 4; j++) weight[j] = -weight[j];
    return true;
  }
  if (kindA !== L.PRIMITIVE_EDGE) return false;
  nearestOnSegments(weight, corners);
  if (!isInside(0)) return false;
  weight[2] = -weight[2];
  weight[3] = -weight[3];
  return true;
}

/**
 * The gap to a body at the end: of a vertex to the nearest point of a convex collider, of a triangle to the point that
 * the body had in the row, of an edge to the face through it.
 */
function measureBody(
  engine: Engine,
  e: ElasticContacts,
  problem: AdmmProblem,
  c: number,
  reach: number,
  v: Float64Array,
): number {
  const { nodeContacts: t, bodies, colliders, shapes } = engine.tables;
  const row = 4 * e.tableRow[c];
  const collider = t.side[row + SIDE_COLLIDER];
  const body = colliders.body[collider];
  moveBody(engine, e, problem, body, v);
  const dt = engine.settings.timeStep;
  const kind = shapes.kind[colliders.shape[collider]];
  if (t.key[row + KEY_KIND_A] === L.PRIMITIVE_POINT && isBounded(kind)) {
    weigh(origin, engine, row, v, dt);
    placeCollider(engine, collider, origin, place, 0, bodyTurn, 0);
    point.position.fill(0);
    const distance = measureCores(point, asked);
    if (distance > 0.1 * reach) {
      for (let k = 0; k < 3; k++) n[k] = separation.normal[k];
      return distance - asked.rounding - reach;
    }
  }
  // The point of the body, and its normal, carried along.
  weigh(d, engine, row, null, 0);
  for (let k = 0; k < 3; k++) {
    d[k] -= (t.normal[row + CONTACT_GAP] + reach) * t.normal[row + k] + bodies.position[4 * body + k];
  }
  rotateVector(d, 0, turn, 0, d, 0);
  rotateVector(n, 0, turn, 0, t.normal, row);
  if (t.key[row + KEY_KIND_A] === L.PRIMITIVE_TRIANGLE && slideTo(engine, row, v)) {
    for (let j = 0; j < 3; j++) t.weight[row + j] = problem.contacts.coefficient[4 * c + j] = weight[j];
  }
  weigh(origin, engine, row, v, dt);
  for (let k = 0; k < 3; k++) d[k] = origin[k] - place[k] - d[k];
  return measureWay(reach, t.key[row + KEY_KIND_A] === L.PRIMITIVE_TRIANGLE);
}

/** weight := of the triangle's point at the end that is nearest to the body's point, place + d. */
function slideTo({ tables, settings }: Engine, row: number, v: Float64Array): boolean {
  const { nodeContacts: t, nodes } = tables;
  for (let k = 0; k < 3; k++) corners[k] = place[k] + d[k];
  for (let j = 0; j < 3; j++) {
    const at = 4 * t.node[row + j];
    if (at < 0) return false;
    for (let k = 0; k < 3; k++) corners[3 * j + 3 + k] = nodes.position[at + k] + settings.timeStep * v[at + k];
  }
  nearestOnTriangle(weight, 0, corners, 0, 3);
  weight[3] = 1;
  return isInside(0);
}

/** Whether a nearest point is off every border: beyond it the primitives next to this one have the word. */
function isInside(first: number): boolean {
  for (let j = first; j < 4; j++) if (!(weight[j] > 0)) return false;
  return true;
}

/** Gap along d; with `isNearest` n := its direction, on the side that n is on already. */
function measureWay(reach: number, isNearest: boolean): number {
  const along = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  // As good as touching the bare surfaces: the direction says nothing.
  if (!isNearest || !(length > 0.1 * reach)) return along - reach;
  const sign = along < 0 ? -1 : 1;
  for (let k = 0; k < 3; k++) n[k] = (sign * d[k]) / length;
  return sign * length - reach;
}

/** place, bodyTurn := pose of a body at the end of the step; turn: its rotation within it. */
function moveBody(
  { tables, settings }: Engine,
  e: ElasticContacts,
  problem: AdmmProblem,
  body: number,
  v: Float64Array,
) {
  const { bodies } = tables;
  const index = e.bodyIndex[body];
  const dt = settings.timeStep;
  const at = problem.elasticCount + 8 * index;
  for (let k = 0; k < 3; k++) {
    const speed = index >= 0 ? v[at + k] : bodies.linearVelocity[4 * body + k];
    const spin = index >= 0 ? v[at + 4 + k] : bodies.angularVelocity[4 * body + k];
    const isMoving = index >= 0 || (bodies.flags[body] & L.BODY_KINEMATIC) !== 0;
    place[k] = bodies.position[4 * body + k] + (isMoving ? dt * speed : 0);
    turn[k] = isMoving ? 0.5 * dt * spin : 0;
  }
  turn[3] = 1;
  normalizeQuaternion(turn, 0, turn, 0);
  multiplyQuaternion(bodyTurn, 0, turn, 0, bodies.rotation, 4 * body);
}
