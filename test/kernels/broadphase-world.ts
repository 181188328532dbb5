// A small world for broadphase and query tests: bodies and colliders written straight into the tables.

import { findPairs } from '../../src/collision/broadphase';
import { type Arena, createArena } from '../../src/core/arena';
import type { KernelExports } from '../../src/kernels/exports';
import { instantiateKernels } from '../../src/kernels/kernels';
import * as L from '../../src/state/layout';
import { ARENA_LAYOUT, createTables, type Tables } from '../../src/state/tables';

export interface World {
  arena: Arena;
  tables: Tables;
  kernels: KernelExports;
}

export type Kind = 'dynamic' | 'static' | 'kinematic';
export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];

const KIND_FLAG = { dynamic: L.BODY_DYNAMIC, static: L.BODY_STATIC, kinematic: L.BODY_KINEMATIC };

export const TIME_STEP = 1 / 60;
export const FAT_MARGIN = 0.05;

export function makeWorld(capacity = 64): World {
  const arena = createArena(ARENA_LAYOUT);
  const tables = createTables(arena, capacity);
  arena.f64[L.TIME_STEP >> 3] = TIME_STEP;
  arena.f64[L.SPECULATIVE_DISTANCE >> 3] = 0.02;
  arena.f64[L.FAT_MARGIN >> 3] = FAT_MARGIN;
  const kernels = instantiateKernels(arena.memory);
  return { arena, tables, kernels };
}

export function count(world: World, cell: number): number {
  return world.arena.i32[cell >> 2];
}

export function addShape(
  world: World,
  kind: number,
  parameter: readonly number[],
  data = 0,
  box?: readonly number[],
): number {
  const { arena, tables } = world;
  const shape = arena.i32[L.SHAPE_COUNT >> 2]++;
  tables.control.shapes.ensure(shape + 1);
  tables.shapes.kind[shape] = kind;
  tables.shapes.data[shape] = data;
  tables.shapes.parameter.set(parameter, shape * 4);
  if (box) tables.shapes.box.set(box, shape * 6);
  return shape;
}

export interface BodyOptions {
  kind?: Kind;
  position?: Vector;
  rotation?: Quaternion;
  velocity?: Vector;
  spin?: Vector;
  asleep?: boolean;
}

export function addBody(world: World, options: BodyOptions = {}): number {
  const { arena, tables } = world;
  const {
    kind = 'dynamic',
    position = [0, 0, 0],
    rotation = [0, 0, 0, 1],
    velocity = [0, 0, 0],
    spin = [0, 0, 0],
  } = options;
  const body = arena.i32[L.BODY_COUNT >> 2]++;
  tables.control.bodies.ensure(body + 1);
  const b = tables.bodies;
  b.flags[body] = L.BODY_ALIVE | KIND_FLAG[kind] | (options.asleep ? L.BODY_ASLEEP : 0);
  b.position.set(position, body * 4);
  b.rotation.set(rotation, body * 4);
  b.linearVelocity.set(velocity, body * 4);
  b.angularVelocity.set(spin, body * 4);
  b.collider[body] = -1;
  b.awakeIndex[body] = -1;
  if (kind !== 'static' && !options.asleep) enlistBody(world, body);
  return body;
}

export interface ColliderOptions {
  layers?: number;
  mask?: number;
  sensor?: boolean;
  position?: Vector;
  rotation?: Quaternion;
  slot?: number;
}

export function addCollider(world: World, body: number, shape: number, options: ColliderOptions = {}): number {
  const { arena, tables } = world;
  const { layers = 1, mask = 0xffff, sensor = false, position = [0, 0, 0], rotation = [0, 0, 0, 1] } = options;
  const collider = options.slot ?? arena.i32[L.COLLIDER_COUNT >> 2]++;
  tables.control.colliders.ensure(collider + 1);
  const c = tables.colliders;
  c.body[collider] = body;
  c.shape[collider] = shape;
  c.flags[collider] = L.COLLIDER_ALIVE | L.COLLIDER_MOVED | (sensor ? L.COLLIDER_SENSOR : 0);
  c.layers[collider] = (mask << 16) | layers;
  c.material.set([0.5, 0.25], collider * 2);
  c.localPosition.set(position, collider * 4);
  c.localRotation.set(rotation, collider * 4);
  c.node[collider] = -1;
  c.pair[collider] = -1;
  c.next[collider] = tables.bodies.collider[body];
  tables.bodies.collider[body] = collider;
  return collider;
}

/** Body and collider at once; both have the same slot when always used alone. */
export function addObject(world: World, shape: number, options: BodyOptions & ColliderOptions = {}): number {
  const { position, rotation, layers, mask, sensor, ...rest } = options;
  const body = addBody(world, { ...rest, position, rotation });
  return addCollider(world, body, shape, { layers, mask, sensor });
}

/** Removes a collider and, with it, its only body. */
export function removeObject(world: World, collider: number): void {
  const { tables, kernels } = world;
  const body = tables.colliders.body[collider];
  kernels.removeCollider(collider);
  tables.colliders.flags[collider] = 0;
  tables.bodies.collider[body] = -1;
  if (tables.bodies.awakeIndex[body] >= 0) delistBody(world, body);
  tables.bodies.flags[body] = 0;
}

export function enlistBody(world: World, body: number): void {
  const at = world.arena.i32[L.AWAKE_COUNT >> 2]++;
  world.tables.bodies.awakeList[at] = body;
  world.tables.bodies.awakeIndex[body] = at;
}

export function delistBody(world: World, body: number): void {
  const { bodies } = world.tables;
  const last = bodies.awakeList[--world.arena.i32[L.AWAKE_COUNT >> 2]];
  bodies.awakeList[bodies.awakeIndex[body]] = last;
  bodies.awakeIndex[last] = bodies.awakeIndex[body];
  bodies.awakeIndex[body] = -1;
}

export function sleepBody(world: World, body: number): void {
  delistBody(world, body);
  world.tables.bodies.flags[body] |= L.BODY_ASLEEP;
  world.tables.bodies.linearVelocity.fill(0, body * 4, body * 4 + 4);
  world.tables.bodies.angularVelocity.fill(0, body * 4, body * 4 + 4);
  world.kernels.deactivateBody(body);
}

export function wakeBody(world: World, body: number): void {
  enlistBody(world, body);
  world.tables.bodies.flags[body] &= ~L.BODY_ASLEEP;
  world.kernels.activateBody(body);
}

/** find-pairs and the end of the step's bookkeeping. */
export function step(world: World): void {
  findPairs(world.tables, world.kernels, world.arena);
  world.arena.i32[L.END_COUNT >> 2] = 0;
  world.kernels.freePairs();
}

/** Repeatable random numbers in [0, 1) (Mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A uniformly distributed unit quaternion. */
export function randomRotation(random: () => number): Quaternion {
  for (;;) {
    const q = [0, 0, 0, 0].map(() => 2 * random() - 1);
    const n = Math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2);
    if (n > 0.1 && n < 1) return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
  }
}

/** Alive first manifolds as "a-b" in slot order of the table. */
export function listPairs(world: World): string[] {
  const { pairs } = world.tables;
  const out: string[] = [];
  for (let p = 0; p < count(world, L.PAIR_COUNT); p++) {
    if ((pairs.flags[p] & (L.PAIR_ALIVE | L.PAIR_EXTRA)) === L.PAIR_ALIVE)
      out.push(`${pairs.colliderA[p]}-${pairs.colliderB[p]}`);
  }
  return out;
}

/** Pairs whose fat boxes overlap and whose filters agree, by trying all of them; sorted text. */
export function brutePairs(world: World): string[] {
  const { colliders: c, bodies: b, shapes, tree } = world.tables;
  const out: string[] = [];
  const n = count(world, L.COLLIDER_COUNT);
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      if (!(c.flags[i] & L.COLLIDER_ALIVE) || !(c.flags[j] & L.COLLIDER_ALIVE)) continue;
      if (c.body[i] === c.body[j]) continue;
      const fi = b.flags[c.body[i]];
      const fj = b.flags[c.body[j]];
      const sensor = ((c.flags[i] | c.flags[j]) & L.COLLIDER_SENSOR) !== 0;
      const moves = ((fi | fj) & (sensor ? L.BODY_DYNAMIC | L.BODY_KINEMATIC : L.BODY_DYNAMIC)) !== 0;
      const agree = (c.layers[i] >>> 16) & c.layers[j] & 0xffff && (c.layers[j] >>> 16) & c.layers[i] & 0xffff;
      if (!moves || !agree) continue;
      const p = tree.box.subarray(c.node[i] * 6, c.node[i] * 6 + 6);
      const q = tree.box.subarray(c.node[j] * 6, c.node[j] * 6 + 6);
      let apart = false;
      for (let k = 0; k < 3; k++) apart ||= p[k] > q[k + 3] || q[k] > p[k + 3];
      if (apart) continue;
      const ki = shapes.kind[c.shape[i]];
      const kj = shapes.kind[c.shape[j]];
      out.push(ki < kj || (ki === kj && i < j) ? `${i}-${j}` : `${j}-${i}`);
    }
  }
  return out.sort((x, y) => (x < y ? -1 : 1));
}

/** Walks the whole tree and throws where an invariant is broken; returns the number of leaves. */
export function checkTree(world: World): number {
  const { tree, colliders } = world.tables;
  const root = count(world, L.TREE_ROOT);
  const fail = (what: string, node: number): never => {
    throw new Error(`tree: ${what} at node ${node}`);
  };
  let leaves = 0;
  let nodes = 0;
  const stack = root < 0 ? [] : [root];
  if (root >= 0 && tree.parent[root] !== -1) fail('root has a parent', root);
  while (stack.length > 0) {
    const node = stack.pop()!;
    nodes++;
    const [b, c] = [tree.child[node * 2], tree.child[node * 2 + 1]];
    if (b < 0) {
      leaves++;
      if (tree.height[node] !== 0) fail('leaf height', node);
      if (colliders.node[tree.collider[node]] !== node) fail('collider of leaf', node);
      const box = colliders.box.subarray(tree.collider[node] * 6);
      for (let k = 0; k < 3; k++) {
        if (!(tree.box[node * 6 + k] <= box[k] && tree.box[node * 6 + 3 + k] >= box[3 + k]))
          fail('fat box too small', node);
      }
      continue;
    }
    if (tree.collider[node] !== -1) fail('inner node with collider', node);
    if (tree.height[node] !== 1 + Math.max(tree.height[b], tree.height[c])) fail('height', node);
    for (const child of [b, c]) if (tree.parent[child] !== node) fail('parent link', child);
    for (let k = 0; k < 6; k++) {
      const pick = k < 3 ? Math.min : Math.max;
      if (tree.box[node * 6 + k] !== pick(tree.box[b * 6 + k], tree.box[c * 6 + k])) fail('box is not the union', node);
    }
    stack.push(b, c);
  }
  let free = 0;
  for (let node = count(world, L.TREE_FREE); node >= 0; node = tree.parent[node]) free++;
  if (nodes + free !== count(world, L.TREE_COUNT))
    fail(`${nodes} used and ${free} free of ${count(world, L.TREE_COUNT)} nodes`, -1);
  return leaves;
}

/** Checks hash, chains, active list and slots against each other; throws where they disagree. */
export function checkPairs(world: World): void {
  const { pairs: p, colliders: c, bodies: b } = world.tables;
  const fail = (what: string, pair: number): never => {
    throw new Error(`pairs: ${what} at ${pair}`);
  };
  const total = count(world, L.PAIR_COUNT);
  const active = count(world, L.ACTIVE_COUNT);
  let expectedActive = 0;
  let hashed = 0;
  const chained = new Set<number>();
  for (let i = 0; i < count(world, L.COLLIDER_COUNT); i++) {
    for (let key = c.pair[i], before = -1; key >= 0; before = key, key = p.link[key * 2]) {
      if (p.link[key * 2 + 1] !== before) fail('back link', key >> 1);
      if ((key & 1 ? p.colliderB : p.colliderA)[key >> 1] !== i) fail('foreign chain', key >> 1);
      if (chained.has(key)) fail('chained twice', key >> 1);
      chained.add(key);
    }
  }
  for (let k = 0; k < total; k++) {
    if (!(p.flags[k] & L.PAIR_ALIVE)) {
      if (p.activeIndex[k] >= 0) fail('dead pair is active', k);
      continue;
    }
    const awake = b.awakeIndex[p.bodyA[k]] >= 0 || b.awakeIndex[p.bodyB[k]] >= 0;
    if (awake) expectedActive++;
    if (awake !== p.activeIndex[k] >= 0) fail(awake ? 'missing from the active list' : 'active though asleep', k);
    if (awake && p.activeList[p.activeIndex[k]] !== k) fail('active index', k);
    if (p.flags[k] & L.PAIR_EXTRA) continue;
    hashed++;
    if (!chained.has(2 * k) || !chained.has(2 * k + 1)) fail('not chained', k);
  }
  if (expectedActive !== active) fail(`${active} active, expected ${expectedActive}`, -1);
  if (chained.size !== 2 * hashed) fail('chain entries', -1);
  if (count(world, L.HASH_USED) !== hashed) fail(`hash holds ${count(world, L.HASH_USED)}, expected ${hashed}`, -1);
  const slots = p.hash.filter((x) => x !== 0).length;
  if (slots !== hashed) fail(`${slots} hash cells, expected ${hashed}`, -1);
}
