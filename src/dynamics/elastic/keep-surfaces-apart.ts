// Surfaces do not go through each other, through rods or into bodies, whatever the solve left undone.
//
// In: the velocities that the step ends with. Out: NODE_PREDICTED, changed where something would be crossed. Every
// displacement d of a node is that of a motion u, and what goes beyond it: d = u + τ (d₀ − u), at first with τ =
// 1. What a detection finds that would cross gets a smaller τ at its nodes, and the detection looks again. Each node
// can be slowed a few times only, until τ = 0. u of what would get into a body is that body's motion; of what would
// cross each other a common one: parts that cross join, and the fastest body that any of them touches leads them all,
// their mean velocity where none does. Only what crosses joins: the motion of a body that spins, carried to the far
// end of a sheet, would drive that end through the ground. So a state without crossings gets none, after one
// iteration as after a hundred. (After the conservative displacement bounds of A. H. Chen et al., "Offset geometric
// contact", ACM TOG 44(4), 2025. Theirs is a distance for each node, so nothing slides farther than that in a step;
// here only what would cross is slowed.) Nodes that bodies hold move as they must, those that sleep do not move until
// a contact wakes them, and two bodies that crush a surface between them may get through it.

import type { StrandDetectionParts } from '../../collision/strands';
import { findSurfaceCrossings } from '../../collision/surfaces';
import { NEAR, SMALL_HALF_TURN } from '../../core/elastic-constants';
import { cosine, sine } from '../../math/trigonometry';
import { ANGULAR, BOX_HIGH, SIDE_COLLIDER } from '../../state/contact-places';
import * as L from '../../state/layout';
import { SURFACE_ROW_COLLIDER, SURFACE_ROW_NUMBERS } from '../../state/rod-layout';
import type { Engine } from '../engine';
import { heldNode, otherNode } from './attachment-rows';
import { isLetThrough } from './untangle';

/**
 * Detections at most. From SURE on what crosses stops at once, and bodies have the last word; from STILL on all stands.
 */
const ROUNDS = 32;
const SURE = 16;
const STILL = 24;
/** What is left of τ each time; and τ below which it is 0. */
const SLOWER = 0.5;
const LEAST = 0.1;

/** What is not stiff turns with a body no farther from its middle than so many times what that reaches itself [-]. */
const BEYOND = 1.25;

/** Motions other than those of a dynamic or kinematic body: that of its group, the mean of what crosses, none. */
const GROUP_PLACE = -3;
const FREE = -2;
const WORLD = -1;

/** Work memory; one a world. */
interface SurfacesApart {
  /** Round in which each node was last slowed, −1 none. */
  seen: Int32Array;
  /** τ of each node; its velocity as the solve left it, and u over the step, three numbers each [m/s]. */
  share: Float64Array;
  solved: Float64Array;
  carrying: Float64Array;
  /** Of nodes that cross, their displacement before the round [m]. */
  ways: Float32Array;
  /** Of nodes that turn with a body however far they are from it: 1. */
  stiff: Uint8Array;
  /** Of each node, the body that it would get into, WORLD, or GROUP_PLACE: it moves with its group. */
  own: Int32Array;
  /** Of each node, another of its group, or itself. At the root: the body that leads them, and how fast that is. */
  parent: Int32Array;
  leader: Int32Array;
  speed: Float64Array;
  /** At the root: how far from the leader's middle it is touched, squared [m²]. Its motion goes no farther. */
  reach: Float64Array;
  /** At the root: mass of the group and its momentum, four numbers; held nodes alone count where there are any. */
  momentum: Float64Array;
  /** Nodes that are joined to each other, in pairs. */
  readonly joined: number[];
}

function createSurfacesApart(): SurfacesApart {
  const none = new Float64Array(0);
  return {
    seen: new Int32Array(0),
    share: none,
    solved: none,
    carrying: none,
    ways: new Float32Array(0),
    stiff: new Uint8Array(0),
    own: new Int32Array(0),
    parent: new Int32Array(0),
    leader: new Int32Array(0),
    speed: none,
    reach: none,
    momentum: none,
    joined: [],
  };
}

const memories = new WeakMap<Engine, SurfacesApart>();

/**
 * `holder`: of each node, the body that it is joined to, −2 the world, −1 none. Returns how many objects were
 * slowed.
 */
export function keepSurfacesApart(
  engine: Engine,
  holder: Int32Array,
  { surfaces: kernels }: StrandDetectionParts,
): number {
  const { arena, tables, settings } = engine;
  if (!kernels || arena.i32[L.TRIANGLE_COUNT >> 2] === 0) return 0;
  const detection = { arena, tables, kernels };
  let apart = memories.get(engine);
  if (!apart) {
    apart = createSurfacesApart();
    memories.set(engine, apart);
  }
  const options = {
    timeStep: settings.timeStep,
    velocities: arena.i32[L.NODE_PREDICTED >> 2],
    near: NEAR,
  };
  const slowed = new Set<number>();
  let left: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const found = findCrossings(engine, detection, options, round > 0);
    const rows = left.length > 0 ? Int32Array.from([...found, ...left]) : found;
    if (rows.length === 0) break;
    if (round === 0) begin(engine, apart);
    for (let at = 0; at < rows.length; at += SURFACE_ROW_NUMBERS) {
      if (at < found.length) takeRow(engine, apart, rows, at, round);
      else stiffen(apart, rows, at);
    }
    for (let at = 0; at < rows.length; at += SURFACE_ROW_NUMBERS) {
      for (let k = at; k < at + SURFACE_ROW_COLLIDER; k++) if (rows[k] >= 0) slowed.add(tables.nodes.strand[rows[k]]);
    }
    slowJoined(apart);
    noteWays(engine, apart, rows);
    move(engine, apart, holder);
    left = leftCrossing(engine, apart, holder, rows);
    // What held nodes or two bodies drive through each other all the same may come out of it tangled.
    if (round === ROUNDS - 1) markTangled(tables, slowed);
  }
  return slowed.size;
}

/** Displacements of the nodes of the rows in the step, as detection compares them [m]. */
function noteWays({ tables, settings }: Engine, { ways }: SurfacesApart, rows: Int32Array): void {
  const { predicted } = tables.nodes;
  for (let at = 0; at < rows.length; at += SURFACE_ROW_NUMBERS) {
    for (let i = at; i < at + SURFACE_ROW_COLLIDER; i++) {
      const node = rows[i];
      if (node >= 0) for (let k = 0; k < 3; k++) ways[3 * node + k] = settings.timeStep * predicted[4 * node + k];
    }
  }
}

/**
 * What still crosses though all of it moves as its group does: by its leader's turn, however far out, where it has one.
 * Without that no node turns with a body farther out than it reaches.
 */
function stiffen({ own, parent, leader, share, stiff }: SurfacesApart, rows: Int32Array, at: number): void {
  const body = leader[rootOf(parent, rows[at])];
  for (let k = at; k < at + SURFACE_ROW_COLLIDER; k++) {
    if (rows[k] < 0) continue;
    stiff[rows[k]] = 1;
    share[rows[k]] = 0;
    if (body >= 0 && own[rows[k]] !== WORLD) own[rows[k]] = body;
  }
}

/**
 * Rows of nodes that go on as they went and are neither all held nor stiff: the next look asks for what has changed
 * alone, and these still cross.
 */
function leftCrossing(engine: Engine, { ways, stiff }: SurfacesApart, holder: Int32Array, rows: Int32Array): number[] {
  const { tables, settings } = engine;
  const { predicted } = tables.nodes;
  const left: number[] = [];
  for (let at = 0; at < rows.length; at += SURFACE_ROW_NUMBERS) {
    if (rows[at + SURFACE_ROW_COLLIDER] >= 0) continue;
    let canMove = false;
    let hasMoved = false;
    for (let i = at; i < at + SURFACE_ROW_COLLIDER; i++) {
      const node = rows[i];
      if (node < 0) continue;
      if (stiff[node] === 0 && !isHeld(tables, holder, node)) canMove = true;
      for (let k = 0; k < 3; k++) {
        if (Math.fround(settings.timeStep * predicted[4 * node + k]) !== ways[3 * node + k]) hasMoved = true;
      }
    }
    if (canMove && !hasMoved) left.push(...rows.subarray(at, at + SURFACE_ROW_NUMBERS));
  }
  return left;
}

/** Sheets among the objects may have come to go through something. */
function markTangled({ strands }: Tables, objects: Iterable<number>): void {
  for (const object of objects) {
    if (strands.kind[object] === L.KIND_SHELL) strands.flags[object] |= L.STRAND_TANGLED;
  }
}

/** What would cross, but for what is to come apart that way. */
function findCrossings(engine: Engine, ...detection: Parameters<typeof findSurfaceCrossings>): Int32Array {
  const rows = findSurfaceCrossings(...detection);
  let kept = 0;
  for (let at = 0; at < rows.length; at += SURFACE_ROW_NUMBERS) {
    if (rows[at + SURFACE_ROW_COLLIDER] < 0 && isLetThrough(engine, rows, at)) continue;
    if (kept < at) rows.copyWithin(kept, at, at + SURFACE_ROW_NUMBERS);
    kept += SURFACE_ROW_NUMBERS;
  }
  return rows.subarray(0, kept);
}

/** What one row says: nodes are slowed, and told with what they move. */
function takeRow({ tables }: Engine, apart: SurfacesApart, rows: Int32Array, at: number, round: number): void {
  const { own, share, seen } = apart;
  const collider = rows[at + SURFACE_ROW_COLLIDER];
  // What crosses something that stands stands, too, and in the end all that still crosses: else those that follow
  // a body go through those that follow another.
  let stands = round >= STILL;
  for (let k = at; k < at + SURFACE_ROW_COLLIDER; k++)
    if (round >= SURE && rows[k] >= 0 && own[rows[k]] === WORLD) stands = true;
  for (let k = at; k < at + SURFACE_ROW_COLLIDER; k++) {
    const node = rows[k];
    if (node < 0) continue;
    if (collider >= 0) {
      const movedBy = touch(tables, apart, node, tables.colliders.body[collider]);
      // Between two bodies what stands has the last word: nothing comes back from under the ground.
      if (round < SURE || own[node] !== WORLD) own[node] = movedBy;
    } else {
      join(apart, rows[at], node);
      if (stands) own[node] = WORLD;
      else if (share[node] === 0 && round < SURE) own[node] = GROUP_PLACE;
    }
    if (round >= SURE) share[node] = 0;
    else if (seen[node] !== round) slow(apart, node, round);
  }
}

/** What is joined to what was slowed moves as that does: a leaf stays on its branch. */
function slowJoined(apart: SurfacesApart): void {
  const { joined, share, own, stiff } = apart;
  for (let i = 0; i < joined.length; i += 2) {
    const [slower, other] = share[joined[i]] <= share[joined[i + 1]] ? [i, i + 1] : [i + 1, i];
    if (share[joined[slower]] === 1) continue;
    join(apart, joined[slower], joined[other]);
    share[joined[other]] = share[joined[slower]];
    own[joined[other]] = own[joined[slower]];
    stiff[joined[other]] = stiff[joined[slower]];
  }
}

/** Slows a node, once a round. */
function slow(apart: SurfacesApart, node: number, round: number): void {
  apart.seen[node] = round;
  const share = SLOWER * apart.share[node];
  apart.share[node] = share < LEAST ? 0 : share;
}

type Tables = Engine['tables'];

function rootOf(parent: Int32Array, node: number): number {
  let root = node;
  while (parent[root] !== root) root = parent[root] = parent[parent[root]];
  return root;
}

/** Two nodes of one group from now on; the faster leader leads. */
function join({ parent, leader, speed, reach }: SurfacesApart, a: number, b: number): void {
  const [one, other] = [rootOf(parent, a), rootOf(parent, b)];
  if (one === other) return;
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  parent[high] = low;
  if (leader[high] === leader[low]) reach[low] = Math.max(reach[low], reach[high]);
  if (leader[high] === FREE || (leader[low] !== FREE && speed[high] <= speed[low])) return;
  leader[low] = leader[high];
  speed[low] = speed[high];
  reach[low] = reach[high];
}

/** A node's group touches a body; returns it, WORLD for one that does not move. */
function touch(
  { bodies, nodes }: Tables,
  { parent, leader, speed, reach }: SurfacesApart,
  node: number,
  body: number,
): number {
  const root = rootOf(parent, node);
  const { position: c, linearVelocity: v, angularVelocity: w } = bodies;
  const i = 4 * body;
  const x = nodes.position[4 * node] - c[i];
  const y = nodes.position[4 * node + 1] - c[i + 1];
  const z = nodes.position[4 * node + 2] - c[i + 2];
  const fast = Math.sqrt(
    (v[i] + w[i + 1] * z - w[i + 2] * y) ** 2 +
      (v[i + 1] + w[i + 2] * x - w[i] * z) ** 2 +
      (v[i + 2] + w[i] * y - w[i + 1] * x) ** 2,
  );
  const movedBy = fast > 0 ? body : WORLD;
  const far = x * x + y * y + z * z;
  if (movedBy === leader[root]) reach[root] = Math.max(reach[root], far);
  if (leader[root] === FREE || fast > speed[root]) {
    if (movedBy !== leader[root]) reach[root] = far;
    leader[root] = movedBy;
    speed[root] = fast;
  }
  return movedBy;
}

/** Keeps what the solve gave; every node is its own group, led by the fastest body that it touches. */
function begin({ arena, tables }: Engine, apart: SurfacesApart): void {
  const { nodes, nodeContacts } = tables;
  const nodeCount = arena.i32[L.NODE_COUNT >> 2];
  if (apart.share.length < nodeCount) {
    apart.seen = new Int32Array(2 * nodeCount);
    apart.share = new Float64Array(2 * nodeCount);
    apart.solved = new Float64Array(6 * nodeCount);
    apart.carrying = new Float64Array(6 * nodeCount);
    apart.ways = new Float32Array(6 * nodeCount);
    apart.stiff = new Uint8Array(2 * nodeCount);
    apart.own = new Int32Array(2 * nodeCount);
    apart.parent = new Int32Array(2 * nodeCount);
    apart.leader = new Int32Array(2 * nodeCount);
    apart.speed = new Float64Array(2 * nodeCount);
    apart.reach = new Float64Array(2 * nodeCount);
    apart.momentum = new Float64Array(8 * nodeCount);
  }
  findJoined(tables, arena.i32[L.ATTACHMENT_COUNT >> 2], apart.joined);
  apart.share.fill(1, 0, nodeCount);
  apart.seen.fill(-1, 0, nodeCount);
  apart.own.fill(GROUP_PLACE, 0, nodeCount);
  apart.stiff.fill(0, 0, nodeCount);
  apart.leader.fill(FREE, 0, nodeCount);
  apart.speed.fill(0, 0, nodeCount);
  apart.reach.fill(0, 0, nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    apart.parent[node] = node;
    for (let k = 0; k < 3; k++) apart.solved[3 * node + k] = nodes.predicted[4 * node + k];
  }
  const contacts = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let c = 4 * arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; c < 4 * contacts; c += 4) {
    if (nodeContacts.side[c + SIDE_COLLIDER] < 0) continue;
    const body = tables.colliders.body[nodeContacts.side[c + SIDE_COLLIDER]];
    for (let k = c; k < c + 4; k++) if (nodeContacts.node[k] >= 0) touch(tables, apart, nodeContacts.node[k], body);
  }
}

function findJoined(tables: Tables, count: number, joined: number[]): void {
  joined.length = 0;
  for (let a = 0; a < count; a++) {
    if ((tables.attachments.flags[a] & (L.ATTACHMENT_ALIVE | L.ATTACHMENT_LOOSE)) !== L.ATTACHMENT_ALIVE) continue;
    const other = otherNode(tables, a);
    if (other >= 0) joined.push(heldNode(tables, a), other);
  }
}

/** Whether a node goes its way whatever it would cross: joined to a body or the world, or asleep. */
function isHeld({ nodes, strands }: Tables, holder: Int32Array, node: number): boolean {
  return holder[node] !== -1 || (strands.flags[nodes.strand[node]] & L.STRAND_ASLEEP) !== 0;
}

/** NODE_PREDICTED from u and τ. */
function move(engine: Engine, apart: SurfacesApart, holder: Int32Array): void {
  const { arena, tables } = engine;
  const { predicted } = tables.nodes;
  const { share, solved, carrying, own, parent, leader, momentum } = apart;
  const nodeCount = arena.i32[L.NODE_COUNT >> 2];
  driftTogether(engine, apart, holder, nodeCount);
  let measured = -1;
  let extent = 0;
  for (let node = 0; node < nodeCount; node++) {
    if (share[node] === 1 || isHeld(tables, holder, node)) continue;
    const root = rootOf(parent, node);
    const body = own[node] === GROUP_PLACE ? leader[root] : own[node];
    if (body >= 0) {
      // One after another goes with the same body.
      if (body !== measured) extent = extentOf(tables, body);
      measured = body;
      const reach = own[node] === GROUP_PLACE ? Math.min(apart.reach[root], extent) : extent;
      carry(engine, carrying, node, body, apart.stiff[node] === 1 ? Number.POSITIVE_INFINITY : reach);
    }
    for (let k = 0; k < 3; k++) {
      const u = body >= 0 ? carrying[3 * node + k] : body === WORLD ? 0 : momentum[4 * root + k + 1];
      predicted[4 * node + k] = u + share[node] * (solved[3 * node + k] - u);
    }
  }
}

/**
 * u of a node that moves with a body over the step: on the chord of its turn, by the same map as detection has. Farther
 * than `reach` [m²] from the body's middle as it is there.
 */
function carry({ tables, settings }: Engine, out: Float64Array, node: number, body: number, reach: number): void {
  const { position, linearVelocity, motion } = tables.bodies;
  const nodes = tables.nodes.position;
  const dt = settings.timeStep;
  const at = 4 * body;
  let tx = 0.5 * dt * motion[8 * body + ANGULAR];
  let ty = 0.5 * dt * motion[8 * body + ANGULAR + 1];
  let tz = 0.5 * dt * motion[8 * body + ANGULAR + 2];
  const half = Math.sqrt(tx * tx + ty * ty + tz * tz);
  if (half > SMALL_HALF_TURN) {
    const longer = sine(half) / (cosine(half) * half);
    tx *= longer;
    ty *= longer;
    tz *= longer;
  }
  let x = nodes[4 * node] - position[at];
  let y = nodes[4 * node + 1] - position[at + 1];
  let z = nodes[4 * node + 2] - position[at + 2];
  const far = x * x + y * y + z * z;
  if (far > reach) {
    const shorter = Math.sqrt(reach / far);
    x *= shorter;
    y *= shorter;
    z *= shorter;
  }
  const scale = 2 / (1 + tx * tx + ty * ty + tz * tz);
  const ax = ty * z - tz * y;
  const ay = tz * x - tx * z;
  const az = tx * y - ty * x;
  out[3 * node] = linearVelocity[at] + (scale * (ax + ty * az - tz * ay)) / dt;
  out[3 * node + 1] = linearVelocity[at + 1] + (scale * (ay + tz * ax - tx * az)) / dt;
  out[3 * node + 2] = linearVelocity[at + 2] + (scale * (az + tx * ay - ty * ax)) / dt;
}

/** How far from its middle a body may reach, and a little more, squared [m²]. */
function extentOf({ bodies, colliders }: Tables, body: number): number {
  let most = 0;
  for (let c = bodies.collider[body]; c >= 0; c = colliders.next[c]) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const x = bodies.position[4 * body + k];
      const far = Math.max(x - colliders.box[6 * c + k], colliders.box[6 * c + BOX_HIGH + k] - x);
      square += far * far;
    }
    most = Math.max(most, square);
  }
  return BEYOND * BEYOND * most;
}

/** Mean velocities of the groups that nothing leads; with nodes that bodies or pins hold, theirs. */
function driftTogether({ tables }: Engine, apart: SurfacesApart, holder: Int32Array, nodeCount: number): void {
  const { mass } = tables.nodes;
  const { parent, leader, solved, momentum, share } = apart;
  momentum.fill(0, 0, 4 * nodeCount);
  // Held nodes weigh as if they alone were there.
  const HELD = 1e12;
  for (let node = 0; node < nodeCount; node++) {
    const root = rootOf(parent, node);
    if (leader[root] !== FREE || (share[node] === 1 && root === node)) continue;
    const weight = isHeld(tables, holder, node) ? HELD : mass[2 * node];
    momentum[4 * root] += weight;
    for (let k = 0; k < 3; k++) momentum[4 * root + k + 1] += weight * solved[3 * node + k];
  }
  for (let root = 0; root < nodeCount; root++) {
    const total = momentum[4 * root];
    if (total > 0) for (let k = 1; k < 4; k++) momentum[4 * root + k] /= total;
  }
}
