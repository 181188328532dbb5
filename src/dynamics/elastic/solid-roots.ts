// Strands that grow on solids: fur. The first two nodes of such a strand keep their places above a triangle of the
// solid's boundary, whatever this does, and so its direction; the solid bears them.
//
// A place is x = Σ w_k x_k + h n, shares of the corners and a height along the normal. As rows of the step's problem,
// kept at u = 0 by any force:
//
//   v − Σ w_k v_k − h (n' − n)/dt + rate (x − place)/dt = 0,   n' along the velocities without contacts:
//
// how the normal turns is not solved for, and is wrong by what contacts change in it, times h, until the next step.
// The columns of joints (collect-joints.ts) are dense: hundreds of rows at most. These are as cheap as contacts.

import { JOINT_RATE, JOINT_SPEED } from '../../core/elastic-constants';
import { refuse } from '../../core/errors';
import { embedSurface } from '../../geometry/embed-surface';
import {
  type AdmmContacts,
  addContact,
  CONTACT_BILATERAL,
  CONTACT_MU,
  CONTACT_SCALE,
} from '../../solvers/admm/problem';
import * as L from '../../state/layout';
import { noteRows } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';
import { releaseEnd } from './clamp-rows';
import { IDLE } from './collect-contacts';
import { forEachRoot } from './rooted';

/** Nodes of a strand that its root holds. */
const HELD = 2;

/**
 * Roots all strands of a rod or groom where they are now, on the nearest triangles of a solid; slots of both. A root
 * farther from the surface than its longest edge is refused: a lever like that is another place's or scale's, and turns
 * by what the triangle turns a hundred times over.
 */
export function growStrands(engine: Engine, rod: number, solid: number, where: string): void {
  const { tables } = engine;
  const { rods, strands } = tables;
  const ground = groundOf(tables, rods.strandStart[solid]);
  const [start, end] = [rods.strandStart[rod], rods.strandStart[rod] + rods.strandCount[rod]];
  const farthest = longestEdge(ground);
  const corners: Int32Array[] = [];
  for (let s = start; s < end; s++) {
    const { corner, distance } = nearestFace(tables, s, ground);
    corners.push(corner);
    if (distance <= farthest) continue;
    const most = `${farthest.toPrecision(3)} m (its longest edge)`;
    const got = `strand ${s - start}, ${distance.toPrecision(3)} m away`;
    refuse(where, `strands must begin within ${most} of the solid's surface`, got);
  }
  noteRows(tables);
  for (let s = start; s < end; s++) {
    if (strands.flags[s] & L.STRAND_CLAMP_START) releaseEnd(tables, s, 0);
    strands.root[4 * s] = solid + 1;
    strands.rootForce.fill(0, 8 * s, 8 * s + 8);
    placeRoot(tables, s, ground, corners[s - start]);
  }
}

/** The boundary of a solid: its nodes' places, and corners of triangles by their numbers from the first. */
interface Ground {
  readonly points: Float64Array;
  readonly faces: Int32Array;
}

function groundOf({ strands, nodes, triangles }: Tables, object: number): Ground {
  const origin = strands.first[object];
  const [from, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  const faces = new Int32Array(3 * count);
  for (let i = 0; i < faces.length; i++) {
    faces[i] = triangles.node[4 * (from + Math.floor(i / 3)) + (i % 3)] - origin;
  }
  return { points: pointsOf(nodes.position, origin, strands.nodes[object]), faces };
}

function longestEdge({ points, faces }: Ground): number {
  let longest = 0;
  faces.forEach((from, i) => {
    const to = faces[i % 3 === 2 ? i - 2 : i + 1];
    const [x, y, z] = [0, 1, 2].map((k) => points[3 * to + k] - points[3 * from + k]);
    longest = Math.max(longest, Math.sqrt(x * x + y * y + z * z));
  });
  return longest;
}

/** The triangle nearest to a strand's first node, and how far off it is [m]. */
function nearestFace({ strands, nodes }: Tables, strand: number, { points, faces }: Ground) {
  const root = pointsOf(nodes.position, strands.first[strand], 1);
  const { corner, weight } = embedSurface(root, points, faces);
  const [x, y, z] = root.map((p, k) => corner.reduce((away, c, i) => away - weight[i] * points[3 * c + k], p));
  return { corner, distance: Math.sqrt(x * x + y * y + z * z) };
}

/** Notes where a strand's first two nodes are over a triangle. */
function placeRoot({ strands, nodes }: Tables, strand: number, { points }: Ground, corner: Int32Array): void {
  const held = pointsOf(nodes.position, strands.first[strand], HELD);
  for (let k = 0; k < 3; k++) strands.root[4 * strand + 1 + k] = corner[k];
  for (let node = 0; node < HELD; node++)
    placeOver(strands.rootPlace, 8 * strand + 4 * node, held, node, points, corner);
}

function pointsOf(position: Float64Array, first: number, count: number): Float64Array {
  return Float64Array.from({ length: 3 * count }, (_, k) => position[4 * (first + Math.floor(k / 3)) + (k % 3)]);
}

const normal = new Float64Array(3);
const turned = new Float64Array(3);

/** out (from `at` on) := shares of the corners at the foot of the perpendicular from a point, and its height. */
function placeOver(
  out: Float64Array,
  at: number,
  held: Float64Array,
  node: number,
  points: Float64Array,
  corner: Int32Array,
): void {
  const [a, b, c] = [3 * corner[0], 3 * corner[1], 3 * corner[2]];
  let [uu, uv, vv, pu, pv] = [0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const [u, v, p] = [
      points[b + k] - points[a + k],
      points[c + k] - points[a + k],
      held[3 * node + k] - points[a + k],
    ];
    uu += u * u;
    uv += u * v;
    vv += v * v;
    pu += p * u;
    pv += p * v;
  }
  const determinant = uu * vv - uv * uv;
  out[at + 1] = determinant > 0 ? (vv * pu - uv * pv) / determinant : 0;
  out[at + 2] = determinant > 0 ? (uu * pv - uv * pu) / determinant : 0;
  out[at] = 1 - out[at + 1] - out[at + 2];
  normalOf(normal, points, a, b, c, 0);
  let height = 0;
  for (let k = 0; k < 3; k++) height += normal[k] * (held[3 * node + k] - points[a + k]);
  out[at + 3] = height;
}

/** Unit normal of three points of `x` moved by dt times as many of `velocity`; zero where they are in a line. */
function normalOf(
  out: Float64Array,
  x: Float64Array,
  a: number,
  b: number,
  c: number,
  dt: number,
  velocity: Float64Array = x,
): void {
  const at = (p: number, k: number) => x[p + k] + (dt > 0 ? dt * velocity[p + k] : 0);
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    out[k] = (at(b, i) - at(a, i)) * (at(c, j) - at(a, j)) - (at(b, j) - at(a, j)) * (at(c, i) - at(a, i));
    square += out[k] * out[k];
  }
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let k = 0; k < 3; k++) out[k] *= scale;
}

/** Rows of all roots that are awake, behind those of bodies' pairs. */
export function collectRoots(engine: Engine, contacts: AdmmContacts): void {
  const { tables } = engine;
  const { strands } = tables;
  forEachRoot(engine, (strand, object) => {
    if (strands.flags[strand] & IDLE || strands.flags[object] & IDLE) return;
    const origin = strands.first[object];
    const [a, b, c] = [1, 2, 3].map((k) => origin + strands.root[4 * strand + k]);
    normalOf(normal, tables.nodes.position, 4 * a, 4 * b, 4 * c, 0);
    normalOf(turned, tables.nodes.position, 4 * a, 4 * b, 4 * c, engine.settings.timeStep, tables.nodes.predicted);
    for (let held = 0; held < HELD; held++) addRow(engine, contacts, strand, held, [a, b, c]);
  });
}

/** The row of a strand's first or second node over a triangle. */
function addRow(
  { tables, settings }: Engine,
  contacts: AdmmContacts,
  strand: number,
  held: number,
  corners: readonly number[],
): void {
  const { strands, nodes } = tables;
  const place = 8 * strand + 4 * held;
  const node = strands.first[strand] + held;
  const row = addContact(contacts, CONTACT_BILATERAL);
  const four = 4 * row;
  contacts.node[four] = 4 * node;
  contacts.coefficient[four] = 1;
  corners.forEach((corner, k) => {
    contacts.node[four + 1 + k] = 4 * corner;
    contacts.coefficient[four + 1 + k] = -strands.rootPlace[place + k];
  });
  const height = strands.rootPlace[place + 3];
  const rate = JOINT_RATE / settings.timeStep;
  for (let k = 0; k < 3; k++) {
    let error = nodes.position[4 * node + k] - height * normal[k];
    corners.forEach((corner, j) => {
      error -= strands.rootPlace[place + j] * nodes.position[4 * corner + k];
    });
    const back = Math.max(-JOINT_SPEED, Math.min(JOINT_SPEED, rate * error));
    contacts.offset[four + k] = back - (height * (turned[k] - normal[k])) / settings.timeStep;
    contacts.normal[four + k] = normal[k];
    contacts.force[four + k] = strands.rootForce[place + k];
  }
  // No friction coefficient: kernels tell by it that this is no contact.
  contacts.normal[four + CONTACT_MU] = -1;
  contacts.force[four + CONTACT_SCALE] = strands.rootForce[place + 3];
}

/**
 * Forces back to the strands; in the order in which `collectRoots` goes. Which of them have rows is told by the rows:
 * a solve may have put some in quarantine, which have rows none the less, and what these bear is worth nothing.
 */
export function storeRoots(engine: Engine, contacts: AdmmContacts, first: number, end: number): void {
  const { strands } = engine.tables;
  let row = first;
  forEachRoot(engine, (strand, object) => {
    if (row >= end || contacts.node[4 * row] !== 4 * strands.first[strand]) return;
    const isGood = ((strands.flags[strand] | strands.flags[object]) & L.STRAND_QUARANTINED) === 0;
    for (let k = 0; k < 4 * HELD; k++) {
      strands.rootForce[8 * strand + k] = isGood ? contacts.force[4 * row + k] : 0;
    }
    row += HELD;
  });
}

const frames = [new Float64Array(12), new Float64Array(12)];
const away = new Float64Array(3);

/**
 * A solid was put somewhere else: what grows on it goes along, at rest. `before`: its nodes' positions, four numbers
 * each, as they were.
 */
export function carryRooted(engine: Engine, object: number, before: Float64Array): void {
  const { strands, nodes } = engine.tables;
  forEachRoot(engine, (strand, solid) => {
    if (solid !== object) return;
    frameOf(frames[0], strands, strand, before, 0);
    frameOf(frames[1], strands, strand, nodes.position, strands.first[object]);
    const end = strands.first[strand] + strands.nodes[strand];
    for (let node = strands.first[strand]; node < end; node++) {
      turnBetween(nodes.position, 4 * node, true);
      turnBetween(nodes.frame, 4 * node, false);
      for (let k = 4 * node; k < 4 * node + 4; k++) nodes.previous[k] = nodes.position[k];
      for (const column of [nodes.velocity, nodes.predicted, nodes.dual]) column.fill(0, 4 * node, 4 * node + 4);
    }
    strands.rootForce.fill(0, 8 * strand, 8 * strand + 8);
  });
}

/** out := place of a strand's root, then three unit axes there: along an edge of the triangle, its normal, across. */
function frameOf(out: Float64Array, strands: Tables['strands'], strand: number, x: Float64Array, origin: number): void {
  const [a, b, c] = [1, 2, 3].map((k) => 4 * (origin + strands.root[4 * strand + k]));
  const place = 8 * strand;
  normalOf(normal, x, a, b, c, 0);
  const length = Math.sqrt((x[b] - x[a]) ** 2 + (x[b + 1] - x[a + 1]) ** 2 + (x[b + 2] - x[a + 2]) ** 2);
  for (let k = 0; k < 3; k++) {
    const foot = strands.rootPlace.subarray(place, place + 4);
    out[k] = foot[0] * x[a + k] + foot[1] * x[b + k] + foot[2] * x[c + k] + foot[3] * normal[k];
    out[3 + k] = length > 0 ? (x[b + k] - x[a + k]) / length : 0;
    out[6 + k] = normal[k];
  }
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    out[9 + k] = out[6 + i] * out[3 + j] - out[6 + j] * out[3 + i];
  }
}

/** The vector of `out` at `at`, or the place, from the first of `frames` to the second. */
function turnBetween(out: Float64Array, at: number, isPlace: boolean): void {
  const [from, to] = frames;
  for (let k = 0; k < 3; k++) away[k] = out[at + k] - (isPlace ? from[k] : 0);
  for (let k = 0; k < 3; k++) {
    let sum = isPlace ? to[k] : 0;
    for (let axis = 3; axis < 12; axis += 3) {
      sum += to[axis + k] * (away[0] * from[axis] + away[1] * from[axis + 1] + away[2] * from[axis + 2]);
    }
    out[at + k] = sum;
  }
}
