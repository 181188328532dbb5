// From the tables to the rows of an elastic problem that are no contacts: attachments, clamps that follow dynamic
// bodies, and joints between bodies that take part.

import { JOINT_RATE, JOINT_SPEED } from '../../core/elastic-constants';
import { rotateVector } from '../../math/quaternion';
import { isPrescribed } from '../../mechanics/pins';
import { addBodyRow, addJointRow, type BodyRow, ROW_BIAS } from '../../solvers/admm/joint-rows';
import { grown } from '../../solvers/admm/problem';
import { chooseElasticSolver } from '../../solvers/choose-solver';
import { LONGEST } from '../../state/attachment-places';
import { clampAt } from '../../state/clamp-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { heldNode, NO_SOURCE, otherNode, reversedSource } from './attachment-rows';
import { createSprings, type Spring } from './attachment-springs';
import { type ElasticContacts, gapSpeed, IDLE, isClampJoint } from './collect-contacts';

const arm = new Float64Array(3);
const point = new Float64Array(4);

function noteSource(e: ElasticContacts, row: number, source: number): void {
  if (e.source.length <= row) e.source = grown(e.source, 2 * row + 64);
  e.source[row] = source;
}

/** point := a point given in a body's frame, in the world; arm := from its centre of mass. */
function placePoint(engine: Engine, body: number, local: Float64Array, at: number): void {
  const { bodies } = engine.tables;
  arm.fill(0);
  if (body < 0) {
    for (let k = 0; k < 3; k++) point[k] = local[at + k];
    return;
  }
  rotateVector(arm, 0, bodies.rotation, 4 * body, local, at);
  for (let k = 0; k < 3; k++) point[k] = bodies.position[4 * body + k] + arm[k];
}

/**
 * Joins joint rows `first` up to `end` to a body at `arm`: by its number in the problem, or by its prescribed motion.
 */
function joinRows(engine: Engine, e: ElasticContacts, first: number, body: number): void {
  if (body < 0) return;
  const { joints } = e;
  const { flags, linearVelocity: v, angularVelocity: w } = engine.tables.bodies;
  const at = 4 * body;
  for (let i = first; i < joints.count; i++) {
    const d = 4 * i;
    for (let k = 0; k < 3; k++) joints.arm[d + k] = arm[k];
    if (e.bodyIndex[body] >= 0) joints.body[i] = e.bodyIndex[body];
    else if (flags[body] & L.BODY_KINEMATIC) {
      const D = joints.direction;
      D[d + 3] -= D[d] * (v[at] + w[at + 1] * arm[2] - w[at + 2] * arm[1]);
      D[d + 3] -= D[d + 1] * (v[at + 1] + w[at + 2] * arm[0] - w[at] * arm[2]);
      D[d + 3] -= D[d + 2] * (v[at + 2] + w[at] * arm[1] - w[at + 1] * arm[0]);
    }
  }
}

/** What makes a row of a node: on which, held by what, for which attachment (−1 none), and how it gives way. */
interface Hold {
  readonly node: number;
  readonly body: number;
  readonly source: number;
  readonly spring: Spring | null;
}

/** A ball joint between a node and `point` on a body: three rows. */
function addBall(engine: Engine, e: ElasticContacts, { node, body, source, spring }: Hold): void {
  const { nodes } = engine.tables;
  const { joints } = e;
  const first = joints.count;
  const rate = JOINT_RATE / engine.settings.timeStep;
  for (let k = 0; k < 3; k++) {
    const i = addJointRow(joints, 4 * node, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, false);
    noteSource(e, i, source);
    const error = nodes.position[4 * node + k] - point[k];
    joints.soft[i] = spring ? spring.soft : 0;
    joints.direction[4 * i + ROW_BIAS] = spring
      ? spring.bias * error
      : Math.max(-JOINT_SPEED, Math.min(JOINT_SPEED, rate * error));
  }
  joinRows(engine, e, first, body);
}

/** A rope: the slack is a gap that may not close; the row points from the node to the anchor. */
function addRope(engine: Engine, e: ElasticContacts, { node, body, source, spring }: Hold, length: number): void {
  const { nodes } = engine.tables;
  const { joints } = e;
  const [x, y, z] = [0, 1, 2].map((k) => point[k] - nodes.position[4 * node + k]);
  const distance = Math.sqrt(x * x + y * y + z * z);
  if (distance === 0) return;
  const i = addJointRow(joints, 4 * node, x / distance, y / distance, z / distance, true);
  noteSource(e, i, source);
  // Until it is taut a spring does nothing, its damper neither.
  const isTaut = spring !== null && distance > length;
  joints.direction[4 * i + ROW_BIAS] = isTaut ? spring.bias * (length - distance) : gapSpeed(engine, length - distance);
  joints.soft[i] = spring ? spring.soft : 0;
  joinRows(engine, e, i, body);
}

/** The rows of an attachment, to `point`. */
function addHold(engine: Engine, e: ElasticContacts, a: number, hold: Hold): void {
  const { attachments } = engine.tables;
  if (attachments.flags[a] & L.ATTACHMENT_ROPE) addRope(engine, e, hold, attachments.point[4 * a + LONGEST]);
  else addBall(engine, e, hold);
}

/** Rows of an attachment between two nodes; one that sleeps, or is ill, stands for the world. */
function joinNodes(engine: Engine, e: ElasticContacts, a: number, spring: Spring | null): void {
  const { attachments, nodes, strands } = engine.tables;
  const ends = [heldNode(engine.tables, a), otherNode(engine.tables, a)];
  const idle = ends.map((node) => (strands.flags[nodes.strand[node]] & IDLE) !== 0);
  // What sleeps keeps its impulse.
  if (idle[0] && idle[1]) return;
  attachments.impulse.fill(0, 4 * a, 4 * a + 4);
  const [node, other] = idle[0] ? [ends[1], ends[0]] : ends;
  for (let k = 0; k < 3; k++) point[k] = nodes.position[4 * other + k];
  const first = e.joints.count;
  addHold(engine, e, a, { node, body: -1, source: idle[0] ? reversedSource(a) : a, spring });
  if (!idle[0] && !idle[1]) e.joints.other.fill(4 * other, first, e.joints.count);
}

/**
 * Rows of all attachments, then of clamps that follow dynamic bodies (two balls: the end node and its neighbour), then
 * of joints between bodies. After `collectContacts`.
 */
export function collectJoints(engine: Engine, e: ElasticContacts): void {
  const { arena, tables } = engine;
  const { attachments, nodes, strands } = tables;
  e.joints.count = 0;
  const springOf = createSprings(engine);
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    if (attachments.other[2 * a] >= 0) {
      joinNodes(engine, e, a, springOf(a));
      continue;
    }
    const node = heldNode(tables, a);
    const strand = nodes.strand[node];
    // What sleeps keeps its impulse.
    if (strands.flags[strand] & L.STRAND_ASLEEP) continue;
    attachments.impulse.fill(0, 4 * a, 4 * a + 4);
    if (strands.flags[strand] & L.STRAND_QUARANTINED || isPrescribed(tables, a)) continue;
    placePoint(engine, attachments.body[a], attachments.point, 4 * a);
    addHold(engine, e, a, { node, body: attachments.body[a], source: a, spring: springOf(a) });
  }
  // A strand that hangs on a dynamic body takes part (gatherElastic).
  const strandCount = e.activeCount > 0 ? arena.i32[L.STRAND_COUNT >> 2] : 0;
  for (let strand = 0; strand < strandCount; strand++) {
    if (e.active[strand] === 0 || strands.flags[strand] & IDLE) continue;
    for (let end = 0; end < 2; end++) {
      if (!isClampJoint(engine, strand, end)) continue;
      const body = strands.attach[2 * strand + end];
      const outer = strands.first[strand] + (end === 0 ? 0 : strands.nodes[strand] - 1);
      for (let k = 0; k < 2; k++) {
        placePoint(engine, body, strands.clamp, clampAt(strand, end) + 3 * k);
        addBall(engine, e, { node: end === 0 ? outer + k : outer - k, body, source: NO_SOURCE, spring: null });
      }
    }
  }
  collectBodyJoints(engine, e);
}

/** Rows that hang together up to which joints are solved with what their bodies touch: S of them is dense. */
const MOST_JOINT_ROWS = 300;

/** Joints between bodies, where islands of bodies that take part have some. */
function collectBodyJoints(engine: Engine, e: ElasticContacts): void {
  const { bodies, joints } = engine.tables;
  e.bodyRow = e.joints.count;
  if (engine.joints === null || e.bodyCount === 0) return;
  engine.joints.openShared(engine);
  if (chooseElasticSolver(engine.settings.elastic.solver) === 'conjugate-residual') return;
  for (let island = 0; island < engine.arena.i32[L.ISLAND_COUNT >> 2]; island++) {
    const count = bodies.islandJointCount[island];
    if (count === 0 || bodies.islandSolver[island] !== L.ISLAND_ELASTIC) continue;
    let rows = rowsOfNodes(engine, e, island);
    for (let i = bodies.islandJointStart[island]; i < bodies.islandJointStart[island] + count; i++) {
      rows += lockedAxes(joints.modes[joints.islandJoints[i]]);
    }
    if (rows > MOST_JOINT_ROWS) continue;
    engine.joints.giveRows(engine, island, (row) => addBetween(engine, e, row));
  }
}

/** Rows of nodes that hold a body of the island. */
function rowsOfNodes({ tables }: Engine, { joints, bodies, bodyRow }: ElasticContacts, island: number): number {
  let count = 0;
  for (let i = 0; i < bodyRow; i++) {
    const body = joints.body[i];
    if (body >= 0 && tables.bodies.island[bodies[body]] === island) count++;
  }
  return count;
}

/** Axes of a joint that are not free. */
function lockedAxes(modes: number): number {
  let count = 0;
  for (let axis = 0; axis < 6; axis++) {
    if (((modes >> (L.AXIS_BITS * axis)) & ((1 << L.AXIS_BITS) - 1)) !== L.AXIS_FREE) count++;
  }
  return count;
}

/** A row between bodies: by their numbers in the problem, or by a prescribed motion. */
function addBetween(engine: Engine, e: ElasticContacts, row: BodyRow): void {
  const { flags, linearVelocity: v, angularVelocity: w } = engine.tables.bodies;
  for (let side = 0; side < 2; side++) {
    const body = row.bodies[side];
    if (body < 0) continue;
    row.bodies[side] = e.bodyIndex[body];
    if (row.bodies[side] >= 0 || !(flags[body] & L.BODY_KINEMATIC)) continue;
    for (let k = 0; k < 3; k++) {
      row.bias += row.lever[6 * side + k] * v[4 * body + k] + row.lever[6 * side + 3 + k] * w[4 * body + k];
    }
  }
  if (row.bodies[0] < 0 && row.bodies[1] < 0) row.low = row.high = 0;
  noteSource(e, e.joints.count, NO_SOURCE);
  addBodyRow(e.joints, row);
}
