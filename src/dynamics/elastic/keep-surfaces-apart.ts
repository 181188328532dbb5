// Surfaces do not go through each other, through rods or into bodies, whatever the solve left undone.
//
// In: the velocities that the step ends with. Out: NODE_PREDICTED, changed where something would be crossed. Every
// displacement d of a node is that of a motion u which crosses nothing, and what goes beyond it: d = u + τ (d₀ − u), at
// first with τ = 1. What a search finds that would cross gets a smaller τ at its nodes, and the search looks again.
// Each node can be slowed a few times only, until τ = 0, so this ends; and u itself crosses nothing: objects that hang
// together by contacts move like one rigid body, the fastest that touches any of them (the world where only that does,
// and as a whole where nothing does). So a state without crossings never gets one, after one iteration as after a
// hundred. (After the conservative displacement bounds of A. H. Chen et al., "Offset geometric contact", ACM TOG 44(4),
// 2025. Theirs is a distance for each node, so nothing slides farther than that in a step; here only what would cross
// is slowed.) Nodes that bodies hold move as they must, and two bodies that crush a surface between them may get
// through it.

import type { StrandDetectionParts } from '../../collision/strands';
import { CROSSING_ROW, findSurfaceCrossings } from '../../collision/surfaces';
import { NEAR } from '../../core/elastic-constants';
import * as L from '../../state/layout';
import type { Engine } from '../engine';

/** Searches at most. From SURE on whole objects give way. */
const ROUNDS = 24;
const SURE = 12;
/** What is left of τ each time; and τ below which it is 0. */
const SLOWER = 0.5;
const LEAST = 0.1;

/** Work memory; one a world. */
export interface SurfacesApart {
  /** Round in which each node was last slowed, −1 none. */
  seen: Int32Array;
  /** τ of each node; its velocity as the solve left it, and u over the step, three numbers each [m/s]. */
  share: Float64Array;
  solved: Float64Array;
  carrying: Float64Array;
  /** Of each object, another of those that it hangs together with, or itself; at the root the body that leads them. */
  parent: Int32Array;
  leader: Int32Array;
  speed: Float64Array;
}

export function createSurfacesApart(): SurfacesApart {
  const none = new Float64Array(0);
  return {
    seen: new Int32Array(0),
    share: none,
    solved: none,
    carrying: none,
    parent: new Int32Array(0),
    leader: new Int32Array(0),
    speed: none,
  };
}

/** `holder`: of each node, the body that it is joined to, −1 none. Returns how many objects were slowed. */
export function keepSurfacesApart(
  engine: Engine,
  apart: SurfacesApart,
  holder: Int32Array,
  detection: StrandDetectionParts,
): number {
  const { arena, tables, settings } = engine;
  if (arena.i32[L.TRIANGLE_COUNT >> 2] === 0) return 0;
  const options = {
    timeStep: settings.timeStep,
    velocities: arena.i32[L.NODE_PREDICTED >> 2],
    near: NEAR,
  };
  const slowed = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const rows = findSurfaceCrossings(detection, options, round > 0);
    if (rows.length === 0) break;
    if (round === 0) begin(engine, apart, rows);
    for (let at = 0; at < rows.length; at += CROSSING_ROW) {
      for (let k = at; k < at + 4; k++) {
        const node = rows[k];
        if (node < 0) continue;
        const object = tables.nodes.strand[node];
        slowed.add(object);
        if (round >= SURE) stop(tables, apart, object);
        else if (apart.seen[node] !== round) slow(apart, node, round);
      }
    }
    move(engine, apart, holder);
  }
  return slowed.size;
}

/** Slows a node, once a round. */
function slow(apart: SurfacesApart, node: number, round: number): void {
  apart.seen[node] = round;
  const share = SLOWER * apart.share[node];
  apart.share[node] = share < LEAST ? 0 : share;
}

type Tables = Engine['tables'];

/** The whole object moves with what leads it. */
function stop({ strands }: Tables, apart: SurfacesApart, object: number): void {
  const first = strands.first[object];
  apart.share.fill(0, first, first + strands.nodes[object]);
}

/** NODE_PREDICTED from u and τ. */
function move({ arena, tables }: Engine, apart: SurfacesApart, holder: Int32Array): void {
  const { predicted } = tables.nodes;
  const { share, solved, carrying } = apart;
  for (let node = 0; node < arena.i32[L.NODE_COUNT >> 2]; node++) {
    if (share[node] === 1 || holder[node] !== -1) continue;
    for (let k = 0; k < 3; k++) {
      const u = carrying[3 * node + k];
      predicted[4 * node + k] = u + share[node] * (solved[3 * node + k] - u);
    }
  }
}

/** Keeps what the solve gave, and finds u of all nodes. */
function begin(engine: Engine, apart: SurfacesApart, rows: Int32Array): void {
  const { arena, tables } = engine;
  const { nodes, strands } = tables;
  const nodeCount = arena.i32[L.NODE_COUNT >> 2];
  const objectCount = arena.i32[L.STRAND_COUNT >> 2];
  if (apart.share.length < nodeCount) {
    apart.seen = new Int32Array(2 * nodeCount);
    apart.share = new Float64Array(2 * nodeCount);
    apart.solved = new Float64Array(6 * nodeCount);
    apart.carrying = new Float64Array(6 * nodeCount);
  }
  if (apart.parent.length < objectCount) {
    apart.parent = new Int32Array(2 * objectCount);
    apart.leader = new Int32Array(2 * objectCount);
    apart.speed = new Float64Array(2 * objectCount);
  }
  apart.share.fill(1, 0, nodeCount);
  apart.seen.fill(-1, 0, nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let k = 0; k < 3; k++) apart.solved[3 * node + k] = nodes.predicted[4 * node + k];
  }
  joinObjects(engine, apart, rows, objectCount);
  for (let object = 0; object < objectCount; object++) {
    const root = rootOf(apart.parent, object);
    const body = apart.leader[root];
    for (let node = strands.first[object]; node < strands.first[object] + strands.nodes[object]; node++) {
      if (body >= 0) carry(engine, apart.carrying, node, body);
      else apart.carrying.fill(0, 3 * node, 3 * node + 3);
    }
  }
  driftTogether(engine, apart, objectCount);
}

function rootOf(parent: Int32Array, object: number): number {
  let root = object;
  while (parent[root] !== root) root = parent[root] = parent[parent[root]];
  return root;
}

/** No body touches it. */
const FREE = -2;
/** Only bodies that do not move. */
const WORLD = -1;

/** Which objects hang together, by contacts and crossings, and the fastest body that each such group touches. */
function joinObjects(engine: Engine, apart: SurfacesApart, rows: Int32Array, objectCount: number): void {
  const { arena, tables } = engine;
  const { parent, leader, speed } = apart;
  const { side } = tables.nodeContacts;
  for (let object = 0; object < objectCount; object++) parent[object] = object;
  leader.fill(FREE, 0, objectCount);
  speed.fill(0, 0, objectCount);
  const { strand } = tables.nodes;
  const join = (a: number, b: number): void => {
    const [low, high] = [rootOf(parent, a), rootOf(parent, b)];
    parent[Math.max(low, high)] = Math.min(low, high);
  };
  const contacts = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let c = 0; c < contacts; c++) if (side[4 * c + 1] >= 0) join(side[4 * c], side[4 * c + 1]);
  for (let at = 0; at < rows.length; at += CROSSING_ROW) {
    for (let k = at + 1; k < at + 4; k++) if (rows[k] >= 0) join(strand[rows[at]], strand[rows[k]]);
  }
  const touch = (object: number, collider: number): void => {
    const root = rootOf(parent, object);
    const body = tables.colliders.body[collider];
    const fast = speedOf(tables, body);
    if (leader[root] !== FREE && fast <= speed[root]) return;
    leader[root] = fast > 0 ? body : WORLD;
    speed[root] = fast;
  };
  for (let c = 0; c < contacts; c++) if (side[4 * c + 2] >= 0) touch(side[4 * c], side[4 * c + 2]);
  for (let at = 0; at < rows.length; at += CROSSING_ROW) {
    if (rows[at + 4] >= 0) touch(strand[rows[at]], rows[at + 4]);
  }
}

/** A measure of how fast a body moves: of its middle, and of what is a metre away. */
function speedOf({ bodies }: Tables, body: number): number {
  const { linearVelocity: v, angularVelocity: w } = bodies;
  const at = 4 * body;
  return (
    Math.abs(v[at]) +
    Math.abs(v[at + 1]) +
    Math.abs(v[at + 2]) +
    Math.abs(w[at]) +
    Math.abs(w[at + 1]) +
    Math.abs(w[at + 2])
  );
}

/** u of a node that moves with a body over the step: on the chord of its turn, by the same map as detection has. */
function carry({ tables, settings }: Engine, out: Float64Array, node: number, body: number): void {
  const { position, linearVelocity, angularVelocity } = tables.bodies;
  const dt = settings.timeStep;
  const at = 4 * body;
  const [tx, ty, tz] = [0, 1, 2].map((k) => 0.5 * dt * angularVelocity[at + k]);
  const [x, y, z] = [0, 1, 2].map((k) => tables.nodes.position[4 * node + k] - position[at + k]);
  const scale = 2 / (1 + tx * tx + ty * ty + tz * tz);
  const [ax, ay, az] = [ty * z - tz * y, tz * x - tx * z, tx * y - ty * x];
  out[3 * node] = linearVelocity[at] + (scale * (ax + ty * az - tz * ay)) / dt;
  out[3 * node + 1] = linearVelocity[at + 1] + (scale * (ay + tz * ax - tx * az)) / dt;
  out[3 * node + 2] = linearVelocity[at + 2] + (scale * (az + tx * ay - ty * ax)) / dt;
}

/** Groups that nothing touches move as a whole, with their mean velocity. */
function driftTogether({ tables }: Engine, apart: SurfacesApart, objectCount: number): void {
  const { strands, nodes } = tables;
  const { parent, leader, solved, carrying } = apart;
  const sums = new Map<number, [mass: number, x: number, y: number, z: number]>();
  const visit = (work: (node: number, sum: [number, number, number, number]) => void): void => {
    for (let object = 0; object < objectCount; object++) {
      const root = rootOf(parent, object);
      if (leader[root] !== FREE) continue;
      const sum = sums.get(root) ?? [0, 0, 0, 0];
      sums.set(root, sum);
      for (let node = strands.first[object]; node < strands.first[object] + strands.nodes[object]; node++) {
        work(node, sum);
      }
    }
  };
  visit((node, sum) => {
    const mass = nodes.mass[2 * node];
    sum[0] += mass;
    for (let k = 0; k < 3; k++) sum[k + 1] += mass * solved[3 * node + k];
  });
  visit((node, sum) => {
    for (let k = 0; k < 3; k++) carrying[3 * node + k] = sum[0] > 0 ? sum[k + 1] / sum[0] : 0;
  });
}
