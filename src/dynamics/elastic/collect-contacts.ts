// From the tables to the contacts of one elastic problem: which strands and bodies take part, and every row.
//
// Strands with a contact or an attachment are active, the others just move on. A dynamic body that an active strand
// touches takes part with its whole island (ISLAND_ELASTIC): the pairs of that island become rows, too. Rows come in
// this order: points of pairs, contacts of strands (in table order, so that more can be appended while the solver
// runs). What is joined: collect-joints.ts.
//
// Offsets k along the normal: gap/dt for a gap (a contact may close, not cross), a bounded recovery for a penetration.

import {
  CLAMP_JOINTS,
  COHESION_REACH,
  RECOVERY_OF_EDGE,
  STRAND_RECOVERY,
  TIED_REACH,
} from '../../core/elastic-constants';
import { isPrescribed } from '../../mechanics/pins';
import { createJointRows, type JointRows } from '../../solvers/admm/joint-rows';
import {
  type AdmmContacts,
  type AdmmProblem,
  addContact,
  CONTACT_COULOMB,
  CONTACT_MU,
  CONTACT_PULL,
  CONTACT_SCALE,
  ensureContacts,
  grown,
  resizeAdmmProblem,
} from '../../solvers/admm/problem';
import { createIslands, type Islands } from '../../solvers/elastic/islands';
import {
  ANGULAR,
  CONTACT_COHESION,
  CONTACT_COMPLIANCE,
  CONTACT_GAP,
  FORCE_SCALE,
  KEY_KIND_A,
  PAIR_SURFACE_ACROSS,
  PAIR_SURFACE_ALONG,
  POINT_GAP,
  pairPointAt,
  SIDE_BODY,
  SIDE_COLLIDER,
  SIDE_OBJECT_B,
} from '../../state/contact-places';
import * as L from '../../state/layout';
import { RADIUS } from '../../state/material-places';
import type { Engine } from '../engine';
import { heldNode, otherNode, storeImpulses } from './attachment-rows';
import { reboundSpeed } from './rebound';
import { forEachRoot, roots } from './rooted';
import type { StepNotes } from './step-notes';
import { strandKernelsOf } from './strand-kernels';

/** What takes part in one step's elastic solve; arrays are reused. */
export interface ElasticContacts {
  /** Slots of the bodies in the problem. */
  bodies: Int32Array;
  bodyCount: number;
  /** Number in the problem of each body slot, −1 none. */
  bodyIndex: Int32Array;
  /** Eight numbers a body: velocity and spin without contacts, then the solution. */
  bodyVelocity: Float64Array;
  /** Body that holds each node by an attachment or clamp, −1 none, HELD_BY_WORLD the world. */
  holder: Int32Array;
  /**
   * Body that each node, and the insides of its edges and triangles, do not touch: one that an attachment, or a clamp
   * on a dynamic body, holds it by; below 0 none. What a clamp on others leaves out: kernels/assembly/proximity/clamps.
   */
  excluded: Int32Array;
  /** What hangs together, and how much is done for it. */
  readonly islands: Islands;
  /** 1 for strands with contacts. */
  active: Uint8Array;
  activeCount: number;
  /** No strand is active and no body takes part: velocities without contacts stay as they are. */
  isFree: boolean;
  /** Row of the first strand contact; before it: points of pairs, then from `rootRow` on roots. */
  strandRow: number;
  rootRow: number;
  /** Row of the table of each strand contact, from `strandRow` on. */
  tableRow: Int32Array;
  /** 4·pair + point of each row before `strandRow`. */
  pairPoint: Int32Array;
  joints: JointRows;
  /** First row between bodies. */
  bodyRow: number;
  /**
   * Attachment of each joint row; NO_SOURCE: a clamp, or a joint between bodies; reversedSource: one seen from its
   * other node.
   */
  source: Int32Array;
}

export function createElasticContacts(): ElasticContacts {
  return {
    bodies: new Int32Array(0),
    bodyCount: 0,
    bodyIndex: new Int32Array(0),
    bodyVelocity: new Float64Array(0),
    islands: createIslands(),
    holder: new Int32Array(0),
    excluded: new Int32Array(0),
    active: new Uint8Array(0),
    activeCount: 0,
    isFree: true,
    strandRow: 0,
    rootRow: 0,
    tableRow: new Int32Array(0),
    pairPoint: new Int32Array(0),
    joints: createJointRows(),
    bodyRow: 0,
    source: new Int32Array(0),
  };
}

const arm = new Float64Array(3);

/** Of a node that the world holds. */
const HELD_BY_WORLD = -2;

/** Strands that take no part. */
export const IDLE = L.STRAND_QUARANTINED | L.STRAND_ASLEEP;

/**
 * Does the clamp at this end of the strand hang on a body that others can move? Then it is
 * a joint, not a prescribed motion.
 */
export function isClampJoint(engine: Engine, strand: number, end: number): boolean {
  const { strands, bodies, rods } = engine.tables;
  const body = strands.attach[2 * strand + end];
  // Most hang on the world.
  if (body < 0) return false;
  const bit = end === 0 ? L.STRAND_CLAMP_START : L.STRAND_CLAMP_END;
  if (!(strands.flags[strand] & bit) || !(bodies.flags[body] & L.BODY_DYNAMIC)) return false;
  return rods.strandCount[strands.rod[strand]] <= CLAMP_JOINTS;
}

/**
 * Finds out who takes part; marks islands as ISLAND_ELASTIC. To be called when the step's
 * islands are built; `notes` are open.
 */
export function gatherElastic(engine: Engine, e: ElasticContacts, notes: StepNotes): void {
  const { arena, tables } = engine;
  const { bodies, nodes, strands, attachments } = tables;
  const strandCount = arena.i32[L.STRAND_COUNT >> 2];
  if (e.active.length < strandCount) e.active = new Uint8Array(2 * strandCount);

  if (e.bodyIndex.length < bodies.capacity) {
    e.bodyIndex = new Int32Array(bodies.capacity);
    e.bodies = new Int32Array(bodies.capacity);
    e.bodyVelocity = new Float64Array(8 * bodies.capacity);
  }
  const nodeCount = arena.i32[L.NODE_COUNT >> 2];
  if (e.holder.length < nodeCount) {
    e.holder = new Int32Array(2 * nodeCount);
    e.excluded = new Int32Array(2 * nodeCount);
  }
  e.holder.fill(-1, 0, nodeCount);
  e.bodyIndex.fill(-1);
  e.bodyCount = 0;
  leaveIslands(engine);
  engine.walkers?.open();
  strandKernelsOf(engine).rodTouched(notes.strands, notes.bodies);
  e.active.set(arena.u8.subarray(notes.strands, notes.strands + strandCount));
  const { u8 } = arena;
  const bodyCount = arena.i32[L.BODY_COUNT >> 2];
  for (let body = 0; body < bodyCount; body++) if (u8[notes.bodies + body] !== 0) includeBody(engine, e, body);

  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const node = heldNode(tables, a);
    const other = otherNode(tables, a);
    if (other >= 0) {
      for (const end of [node, other]) {
        if (!(strands.flags[nodes.strand[end]] & L.STRAND_ASLEEP)) e.active[nodes.strand[end]] = 1;
      }
      continue;
    }
    // What hangs on a rope or a spring touches.
    const body = attachments.body[a];
    if (!(attachments.flags[a] & L.ATTACHMENT_LOOSE)) e.holder[node] = body < 0 ? HELD_BY_WORLD : body;
    if (isPrescribed(tables, a)) continue;
    if (strands.flags[nodes.strand[node]] & L.STRAND_ASLEEP) continue;
    e.active[nodes.strand[node]] = 1;
    includeBody(engine, e, body);
  }

  e.excluded.set(e.holder.subarray(0, nodeCount));
  forEachRoot(engine, (strand, object) => {
    e.active[strand] = e.active[object] = 1;
  });
  e.activeCount = 0;
  const { active } = e;
  const { flags } = strands;

  for (let strand = 0; strand < strandCount; strand++) {
    if (flags[strand] & L.STRAND_CLAMP_START) gatherClamp(engine, e, strand, 0);
    if (flags[strand] & L.STRAND_CLAMP_END) gatherClamp(engine, e, strand, 1);
    if (flags[strand] & IDLE) active[strand] = 0;
    e.activeCount += active[strand];
  }
  e.isFree = e.activeCount + e.bodyCount === 0;
}

/** What is held at a clamped end, and by whom; a body that the strand drags takes part. */
function gatherClamp(engine: Engine, e: ElasticContacts, strand: number, end: number): void {
  const { strands, bodies } = engine.tables;
  const { attach, first, nodes, flags } = strands;
  const body = attach[2 * strand + end];
  const outer = first[strand] + (end === 0 ? 0 : nodes[strand] - 2);
  e.holder[outer] = e.holder[outer + 1] = body < 0 ? HELD_BY_WORLD : body;
  if (body >= 0 && bodies.flags[body] & L.BODY_DYNAMIC) e.excluded[outer] = e.excluded[outer + 1] = body;
  if (body < 0 || flags[strand] & L.STRAND_ASLEEP || !isClampJoint(engine, strand, end)) return;
  e.active[strand] = 1;
  includeBody(engine, e, body);
}

/** No island is ISLAND_ELASTIC: a step that is solved again finds out anew, or their other bodies would fall freely. */
function leaveIslands({ arena, tables }: Engine): void {
  const { islandSolver } = tables.bodies;
  for (let island = 0; island < arena.i32[L.ISLAND_COUNT >> 2]; island++)
    if (islandSolver[island] === L.ISLAND_ELASTIC) islandSolver[island] = L.ISLAND_NONE;
}

/** Whether a body is moved by what touches it in this step. */
function isMovable(engine: Engine, body: number): boolean {
  if (body < 0) return false;
  const { flags, inverseMass } = engine.tables.bodies;
  const bits = flags[body] & (L.BODY_DYNAMIC | L.BODY_ASLEEP | L.BODY_QUARANTINED);
  return (bits === L.BODY_DYNAMIC && inverseMass[body] > 0) || walkerMass(engine, body) > 0;
}

/** Mass of a kinematic body that yields, 0 of any other [kg]. */
function walkerMass({ walkers }: Engine, body: number): number {
  return walkers === null ? 0 : walkers.massOf(body);
}

/** Whether a contact that was found in the middle of the solve presses on a body that takes no part but could. */
export function meetsOthers(engine: Engine, e: ElasticContacts): boolean {
  const { arena, tables } = engine;
  const { force, side } = tables.nodeContacts;
  const end = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let row = arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; row < end; row++) {
    const body = side[4 * row + SIDE_BODY];
    if (body < 0 || e.bodyIndex[body] >= 0 || !isMovable(engine, body)) continue;
    if (force[4 * row] ** 2 + force[4 * row + 1] ** 2 + force[4 * row + 2] ** 2 > 0) return true;
  }
  return false;
}

/** Takes a body with its island into the problem. */
function includeBody(engine: Engine, e: ElasticContacts, body: number): void {
  if (!isMovable(engine, body)) return;
  const { bodies } = engine.tables;
  addBody(engine, e, body);
  const island = bodies.island[body];
  if (island < 0 || bodies.islandSolver[island] === L.ISLAND_ELASTIC) return;
  bodies.islandSolver[island] = L.ISLAND_ELASTIC;
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) addBody(engine, e, bodies.islandBodies[i]);
}

function addBody({ tables }: Engine, e: ElasticContacts, body: number): void {
  if (e.bodyIndex[body] >= 0) return;
  if (tables.bodies.flags[body] & L.BODY_DYNAMIC) tables.bodies.flags[body] |= L.BODY_TIED;
  e.bodyIndex[body] = e.bodyCount;
  e.bodies[e.bodyCount++] = body;
}

/**
 * Fills the problem's bodies and its contacts. Unknowns: four a node, then the bodies. With `onlyOdd`
 * only those contacts of nodes that the backend does not take from the table itself.
 */
export function collectContacts(engine: Engine, e: ElasticContacts, problem: AdmmProblem, onlyOdd: boolean): void {
  const { arena } = engine;
  resizeAdmmProblem(problem, 4 * arena.i32[L.NODE_COUNT >> 2], e.bodyCount);
  problem.timeStep = engine.settings.timeStep;
  writeBodies(engine, e, problem);
  const { contacts } = problem;
  contacts.count = 0;
  collectPairs(engine, e, contacts);
  e.rootRow = contacts.count;
  roots.parts?.collect(engine, contacts);
  e.strandRow = contacts.count;
  collectNodeContacts(engine, e, contacts, 0, onlyOdd);
}

function writeBodies(engine: Engine, e: ElasticContacts, problem: AdmmProblem): void {
  const { bodies } = engine.tables;
  for (let i = 0; i < e.bodyCount; i++) {
    const body = e.bodies[i];
    const turns = bodies.inverseMass[body] > 0;
    const inverse = turns ? bodies.inverseMass[body] : 1 / walkerMass(engine, body);
    const mass = 1 / inverse;
    problem.bodyInverseMass[i] = inverse;
    const inertia = bodies.localInertia;
    const trace = inertia[8 * body] + inertia[8 * body + 1] + inertia[8 * body + 2];
    // Of what does not turn any length will do.
    problem.bodyLength[i] = turns ? Math.sqrt(trace / (2 * mass)) : 1;
    for (let k = 0; k < 8; k++) problem.bodyInverseInertia[8 * i + k] = turns ? bodies.inverseInertia[8 * body + k] : 0;
    for (let k = 0; k < 4; k++) {
      e.bodyVelocity[8 * i + k] = k < 3 ? bodies.linearVelocity[4 * body + k] : 0;
      e.bodyVelocity[8 * i + ANGULAR + k] = k < 3 ? bodies.angularVelocity[4 * body + k] : 0;
      problem.f[problem.elasticCount + 8 * i + k] = e.bodyVelocity[8 * i + k];
      problem.f[problem.elasticCount + 8 * i + ANGULAR + k] = e.bodyVelocity[8 * i + ANGULAR + k];
    }
  }
}

/** Recovery of a penetration or the closing speed that a gap allows [m/s]. */
export function gapSpeed(engine: Engine, gap: number): number {
  const { timeStep, recoveryRate, recoverySpeed } = engine.settings;
  return gap > 0 ? gap / timeStep : Math.max((recoveryRate * gap) / timeStep, -recoverySpeed);
}

/** The same for a contact of strands, with edges of that length. */
function strandGapSpeed(engine: Engine, gap: number, edge: number): number {
  const most = Math.min(STRAND_RECOVERY, (RECOVERY_OF_EDGE * edge) / engine.settings.timeStep);
  return Math.max(gapSpeed(engine, gap), -most);
}

/** offset += sign times the velocity of a point that is not solved for: of a kinematic body, or one at rest. */
function addDrift(engine: Engine, contacts: AdmmContacts, c: number, body: number, sign: number): void {
  if (engine.tables.bodies.flags[body] & L.BODY_KINEMATIC) addVelocity(engine, contacts, c, body, sign);
}

/** offset += sign times the velocity that the body has at `arm`. */
function addVelocity(engine: Engine, contacts: AdmmContacts, c: number, body: number, sign: number): void {
  const { linearVelocity: v, angularVelocity: w } = engine.tables.bodies;
  const at = 4 * body;
  contacts.offset[4 * c] += sign * (v[at] + w[at + 1] * arm[2] - w[at + 2] * arm[1]);
  contacts.offset[4 * c + 1] += sign * (v[at + 1] + w[at + 2] * arm[0] - w[at] * arm[2]);
  contacts.offset[4 * c + 2] += sign * (v[at + 2] + w[at] * arm[1] - w[at + 1] * arm[0]);
}

/** Joins side 0 (A) or 1 (B) of a row to a body at `arm`: by its number in the problem, or by its prescribed motion. */
function joinBody(
  engine: Engine,
  e: ElasticContacts,
  contacts: AdmmContacts,
  c: number,
  side: number,
  body: number,
): void {
  const index = e.bodyIndex[body];
  for (let k = 0; k < 3; k++) contacts.arm[8 * c + 4 * side + k] = arm[k];
  if (index >= 0) contacts.body[2 * c + side] = index;
  else addDrift(engine, contacts, c, body, side === 0 ? 1 : -1);
}

function collectPairs(engine: Engine, e: ElasticContacts, contacts: AdmmContacts): void {
  const { arena, tables } = engine;
  const { bodies, pairs } = tables;
  const islands = arena.i32[L.ISLAND_COUNT >> 2];
  if (e.bodyCount === 0) return;
  for (let island = 0; island < islands; island++) {
    if (bodies.islandSolver[island] !== L.ISLAND_ELASTIC) continue;
    const start = bodies.islandPairStart[island];
    for (let i = start; i < start + bodies.islandPairCount[island]; i++) {
      const pair = pairs.islandPairs[i];
      for (let k = 0; k < pairs.points[pair]; k++) collectPairPoint(engine, e, contacts, pair, k);
    }
  }
}

/** One point of a manifold: the table's normal goes from its A to its B, so sides change places here. */
function collectPairPoint(engine: Engine, e: ElasticContacts, contacts: AdmmContacts, pair: number, k: number): void {
  const { bodies, pairs } = engine.tables;
  const c = addContact(contacts, CONTACT_COULOMB);
  if (e.pairPoint.length <= c) e.pairPoint = grown(e.pairPoint, 2 * c + 64);
  e.pairPoint[c] = 4 * pair + k;
  const at = pairPointAt(pair, k);
  const p = 4 * pair;
  const [nx, ny, nz] = [pairs.normal[p], pairs.normal[p + 1], pairs.normal[p + 2]];
  const [tx, ty, tz] = [pairs.tangent[p], pairs.tangent[p + 1], pairs.tangent[p + 2]];
  const [sx, sy, sz] = [ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx];
  const four = 4 * c;
  contacts.normal[four] = nx;
  contacts.normal[four + 1] = ny;
  contacts.normal[four + 2] = nz;
  contacts.normal[four + CONTACT_MU] = pairs.material[p];
  for (let side = 0; side < 2; side++) {
    const body = side === 0 ? pairs.bodyB[pair] : pairs.bodyA[pair];
    for (let x = 0; x < 3; x++) arm[x] = pairs.point[at + x] - bodies.position[4 * body + x];
    joinBody(engine, e, contacts, c, side, body);
  }
  const rebound = reboundSpeed(engine, pair, at);
  const speed = rebound > 0 ? -rebound : gapSpeed(engine, pairs.point[at + POINT_GAP]);
  const along = -pairs.material[p + PAIR_SURFACE_ALONG];
  const across = -pairs.material[p + PAIR_SURFACE_ACROSS];
  contacts.offset[four] += speed * nx + along * tx + across * sx;
  contacts.offset[four + 1] += speed * ny + along * ty + across * sy;
  contacts.offset[four + 2] += speed * nz + along * tz + across * sz;
  const [rn, r1, r2] = [pairs.impulse[at], pairs.impulse[at + 1], pairs.impulse[at + 2]];
  contacts.force[four] = rn * nx + r1 * tx + r2 * sx;
  contacts.force[four + 1] = rn * ny + r1 * ty + r2 * sy;
  contacts.force[four + 2] = rn * nz + r1 * tz + r2 * sz;
  contacts.force[four + CONTACT_SCALE] = 1;
}

/**
 * Whether the row at `at` is between a body and a node, or an edge or triangle at one, that does not touch it; of
 * bodies that stand still or are driven (level geometry may be one body) only near the node. `edge` [m], `radius` [m].
 */
function isExcluded(
  { excluded }: ElasticContacts,
  { nodeContacts: t, colliders }: Engine['tables'],
  at: number,
  edge: number,
  radius: number,
): boolean {
  const collider = t.side[at + SIDE_COLLIDER];
  if (collider < 0) return false;
  const body = colliders.body[collider];
  const least = t.side[at + SIDE_BODY] >= 0 ? 0 : 1 - (TIED_REACH * radius) / edge;
  for (let j = at; j < at + 4; j++)
    if (t.node[j] >= 0 && t.weight[j] !== 0 && t.weight[j] >= least && excluded[t.node[j]] === body) return true;
  return false;
}

/**
 * Rows of the nodeContacts table from `first` on in which something is awake; with `onlyOdd` those that a backend which
 * takes contacts from the table leaves to the problem: contacts with its bodies.
 */
export function collectNodeContacts(
  engine: Engine,
  e: ElasticContacts,
  contacts: AdmmContacts,
  first: number,
  onlyOdd: boolean,
): void {
  const { arena, tables } = engine;
  // Rows that are odd touch a body of the problem.
  if (onlyOdd && e.bodyCount === 0) return;
  const { nodeContacts: t, rods, strands, bodies } = tables;
  const { timeStep } = engine.settings;
  const rows = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  const start = Math.max(first, arena.i32[L.NODE_CONTACT_ASLEEP >> 2]);
  if (!onlyOdd) ensureContacts(contacts, contacts.count + rows - start);
  for (let row = start; row < rows; row++) {
    const from = 4 * row;
    const body = t.side[from + SIDE_BODY];
    if (onlyOdd && !(body >= 0 && e.bodyIndex[body] >= 0)) continue;

    const c = addContact(contacts, CONTACT_COULOMB);
    const four = 4 * c;
    if (e.tableRow.length <= c) e.tableRow = grown(e.tableRow, 2 * c + 64);
    e.tableRow[c] = row;
    for (let k = 0; k < 4; k++) {
      const node = t.node[from + k];
      if (node < 0) continue;
      contacts.node[four + k] = 4 * node;
      contacts.coefficient[four + k] = t.weight[from + k];
    }

    // Direction, offset, the force of the last step.
    const gap = t.normal[from + CONTACT_GAP];
    const edge = shortestEdge(tables, from);
    const speed = strandGapSpeed(engine, gap, edge);
    for (let k = 0; k < 3; k++) {
      contacts.normal[four + k] = t.normal[from + k];
      contacts.offset[four + k] = t.drift[from + k] + speed * t.normal[from + k];
      contacts.force[four + k] = t.force[from + k];
    }
    contacts.force[four + CONTACT_SCALE] = t.force[from + FORCE_SCALE];
    contacts.normal[four + CONTACT_MU] = t.material[from];

    // Material.
    const radius = rods.parameter[8 * strands.rod[t.side[from]] + RADIUS];
    const reach = COHESION_REACH * radius;
    const isLinear = engine.settings.elastic.profile === 'paper';
    // In the paper's profile the pull falls off to nothing at its reach.
    const pull = gap > reach ? 0 : isLinear && gap > 0 ? 1 - gap / reach : 1;
    contacts.offset[four + CONTACT_PULL] = pull * t.material[from + CONTACT_COHESION] * timeStep;
    contacts.slack[c] = t.material[from + CONTACT_COMPLIANCE] / (timeStep * timeStep);

    if (isExcluded(e, tables, from, edge, radius)) {
      // Without nodes and bodies it can have no force.
      contacts.coefficient.fill(0, four, four + 4);
      contacts.slack[c] = 0;
      continue;
    }
    // Side B is a body that others can move.
    if (body < 0) continue;
    for (let k = 0; k < 3; k++) arm[k] = contacts.arm[8 * c + 4 + k] = t.arm[from + k];
    if (e.bodyIndex[body] >= 0) contacts.body[2 * c + 1] = e.bodyIndex[body];
    // Met in the middle of the solve: it goes on as it would without the strand, for this solve.
    else if (bodies.flags[body] & L.BODY_DYNAMIC) addVelocity(engine, contacts, c, body, -1);
  }
}

/** Rest length of the shortest edge of the contact's sides, at their first nodes [m]; ∞ where none is known. */
function shortestEdge({ nodeContacts: t, nodes }: Engine['tables'], at: number): number {
  const own = nodes.rest[8 * t.node[at]] || Number.POSITIVE_INFINITY;
  if (t.side[at + SIDE_OBJECT_B] < 0) return own;
  return Math.min(own, nodes.rest[8 * t.node[at + t.key[at + KEY_KIND_A]]] || Number.POSITIVE_INFINITY);
}

/** Part of the friction by which f32 alone may miss the cone. */
const CONE_ROUNDING = 1e-6;

/** Forces back to the tables they came from, as the warm start of the next step. */
export function storeForces(engine: Engine, e: ElasticContacts, contacts: AdmmContacts): void {
  const { pairs, nodeContacts } = engine.tables;
  if (e.rootRow < e.strandRow) roots.parts?.store(engine, contacts, e.rootRow, e.strandRow);
  for (let c = 0; c < e.rootRow; c++) {
    const pair = e.pairPoint[c] >> 2;
    const at = 4 * e.pairPoint[c];
    const p = 4 * pair;
    const s = contacts.force[4 * c + CONTACT_SCALE];
    const inverse = s > 0 ? 1 / s : 0;
    const [x, y, z] = [
      inverse * contacts.force[4 * c],
      inverse * contacts.force[4 * c + 1],
      inverse * contacts.force[4 * c + 2],
    ];
    const [nx, ny, nz] = [pairs.normal[p], pairs.normal[p + 1], pairs.normal[p + 2]];
    const [tx, ty, tz] = [pairs.tangent[p], pairs.tangent[p + 1], pairs.tangent[p + 2]];
    const push = Math.max(0, x * nx + y * ny + z * nz);
    const rub1 = x * tx + y * ty + z * tz;
    const rub2 = x * (ny * tz - nz * ty) + y * (nz * tx - nx * tz) + z * (nx * ty - ny * tx);
    // The solve adds up changes in f32: rounding of what a force was on its way may leave its sum outside the cone.
    const rub = Math.sqrt(rub1 * rub1 + rub2 * rub2);
    const limit = contacts.normal[4 * c + CONTACT_MU] * push;
    const share = rub > limit * (1 + CONE_ROUNDING) ? limit / rub : 1;
    pairs.impulse[at] = push;
    pairs.impulse[at + 1] = share * rub1;
    pairs.impulse[at + 2] = share * rub2;
  }
  const { joints } = e;
  if (e.bodyRow < joints.count) engine.joints?.noteShared(engine, joints.impulse, e.bodyRow);
  storeImpulses(engine.tables, joints, e.source);
  const { force } = nodeContacts;
  for (let c = e.strandRow; c < contacts.count; c++) {
    for (let k = 0; k < 4; k++) force[4 * e.tableRow[c] + k] = contacts.force[4 * c + k];
  }
}
