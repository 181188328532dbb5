// A small world of boxes with hand-made face manifolds, for tests of the dynamics kernels without a narrowphase.
//
// Boxes stay nearly aligned with each other: a manifold lies on the top face of the lower body (or on the ground
// plane), over the rectangle in which the two boxes overlap, one point in each of its corners, gap from the poses.

import { type Arena, createArena, refreshArena } from '../../../src/core/arena';
import type { KernelExports } from '../../../src/kernels/exports';
import { instantiateKernels } from '../../../src/kernels/kernels';
import * as L from '../../../src/state/layout';
import { ARENA_LAYOUT, createTables, type Tables } from '../../../src/state/tables';

export interface BoxWorld {
  readonly arena: Arena;
  readonly tables: Tables;
  readonly kernels: KernelExports;
  /** Half extents of each body slot [m]. */
  readonly half: number[][];
  /**
   * Lower and upper body of each pair; a lower body without extent is the ground plane through it, normal = its y axis.
   */
  readonly links: { pair: number; lower: number; upper: number }[];
  scratch: number;
}

/** An empty world of gravity −9.81 m/s² along y, dt = 1/60 s, sleeping off. */
export function createBoxWorld(bodies = 64): BoxWorld {
  const arena = createArena(ARENA_LAYOUT, 32e6);
  const tables = createTables(arena, bodies);
  const kernels = instantiateKernels(arena.memory);
  refreshArena(arena);
  const put = (cell: number, value: number) => {
    arena.f64[cell >> 3] = value;
  };
  put(L.GRAVITY + 8, -9.81);
  put(L.TIME_STEP, 1 / 60);
  put(L.SPECULATIVE_DISTANCE, 0.02);
  put(L.SLEEP_LINEAR, 0.05);
  put(L.SLEEP_ANGULAR, 0.05);
  put(L.SLEEP_DELAY, 0.5);
  put(L.RESTITUTION_THRESHOLD, 0.5);
  put(L.RECOVERY_RATE, 0.2);
  put(L.RECOVERY_SPEED, 3);
  put(L.MAXIMUM_SPEED, 1000);
  put(L.MAXIMUM_SPIN, 500);
  arena.i32[L.SUBSTEPS >> 2] = 4;
  arena.i32[L.SWEEP_ITERATIONS >> 2] = 1;
  return { arena, tables, kernels, half: [], links: [], scratch: 0 };
}

export interface BoxOptions {
  half?: number[];
  position?: number[];
  rotation?: number[];
  velocity?: number[];
  spin?: number[];
  /** Mass [kg]; 0 makes a static body. Default: density 1000 kg/m³. */
  mass?: number;
  kinematic?: boolean;
}

/** Adds a box (solid, uniform) and returns its slot. */
export function addBox(world: BoxWorld, options: BoxOptions = {}): number {
  const { arena, tables } = world;
  const body = arena.i32[L.BODY_COUNT >> 2]++;
  tables.control.bodies.ensure(body + 1);
  const t = tables.bodies;
  const half = options.half ?? [0.5, 0.5, 0.5];
  const mass = options.mass ?? 8000 * half[0] * half[1] * half[2];
  world.half[body] = half;
  const isDynamic = mass > 0 && !options.kinematic;
  t.flags[body] = L.BODY_ALIVE | (isDynamic ? L.BODY_DYNAMIC : options.kinematic ? L.BODY_KINEMATIC : L.BODY_STATIC);
  t.position.set(options.position ?? [0, 0, 0], body * 4);
  t.rotation.set(options.rotation ?? [0, 0, 0, 1], body * 4);
  t.previousRotation.set(options.rotation ?? [0, 0, 0, 1], body * 4);
  t.linearVelocity.set(options.velocity ?? [0, 0, 0], body * 4);
  t.angularVelocity.set(options.spin ?? [0, 0, 0], body * 4);
  t.damping.set([0, 0, 1, 0], body * 4);
  t.collider[body] = -1;
  t.island[body] = -1;
  t.next[body] = -1;
  t.awakeIndex[body] = -1;
  if (isDynamic) {
    const [x, y, z] = half.map((h) => h * h);
    const inertia = [y + z, x + z, x + y].map((s) => (mass * s) / 3);
    t.inverseMass[body] = 1 / mass;
    t.localInertia.set(inertia, body * 8);
    t.localInverseInertia.set(
      inertia.map((i) => 1 / i),
      body * 8,
    );
  }
  if (isDynamic || options.kinematic) {
    const at = arena.i32[L.AWAKE_COUNT >> 2]++;
    t.awakeList[at] = body;
    t.awakeIndex[body] = at;
  }
  return body;
}

/** Adds a static ground plane, normal = local y of `rotation`, through `position`. */
export function addGround(world: BoxWorld, rotation = [0, 0, 0, 1], position = [0, 0, 0]): number {
  const body = addBox(world, { mass: 0, rotation, position });
  world.half[body] = [0, 0, 0];
  return body;
}

/** Lets `upper` rest on `lower`: a pair in the active list. */
export function link(world: BoxWorld, lower: number, upper: number, friction = 0.6, restitution = 0): number {
  const { arena, tables } = world;
  const pair = arena.i32[L.PAIR_COUNT >> 2]++;
  tables.control.pairs.ensure(pair + 1);
  const t = tables.pairs;
  t.flags[pair] = L.PAIR_ALIVE;
  t.bodyA[pair] = lower;
  t.bodyB[pair] = upper;
  t.colliderA[pair] = lower;
  t.colliderB[pair] = upper;
  t.material.set([friction, restitution, 0, 0], pair * 4);
  t.island[pair] = -1;
  t.next[pair] = -1;
  const at = arena.i32[L.ACTIVE_COUNT >> 2]++;
  t.activeList[at] = pair;
  t.activeIndex[pair] = at;
  world.links.push({ pair, lower, upper });
  return pair;
}

/** Turns v by the quaternion q. */
export function turn(q: ArrayLike<number>, v: number[]): number[] {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  const c = [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]];
  return [
    v[0] + 2 * (w * c[0] + y * c[2] - z * c[1]),
    v[1] + 2 * (w * c[1] + z * c[0] - x * c[2]),
    v[2] + 2 * (w * c[2] + x * c[1] - y * c[0]),
  ];
}

/** Remakes all manifolds from the poses: points nearer than `reach` [m]. Impulses stay with their corners. */
export function makeManifolds(world: BoxWorld, reach: number): void {
  for (const { pair, lower, upper } of world.links) makeManifold(world, pair, lower, upper, reach);
}

function makeManifold(world: BoxWorld, pair: number, lower: number, upper: number, reach: number): void {
  const { bodies, pairs } = world.tables;
  const pose = (body: number) => ({
    p: [...bodies.position.subarray(body * 4, body * 4 + 3)],
    q: [...bodies.rotation.subarray(body * 4, body * 4 + 4)],
  });
  const a = pose(lower);
  const b = pose(upper);
  const back = [-a.q[0], -a.q[1], -a.q[2], a.q[3]];
  const [halfA, halfB] = [world.half[lower], world.half[upper]];
  const toA = (v: number[]) => turn(back, [v[0] - a.p[0], v[1] - a.p[1], v[2] - a.p[2]]);
  // The upper body's lower face, in the lower body's axes.
  const center = toA(b.p);
  const down = turn(back, turn(b.q, [0, -1, 0]));
  const face = center.map((c, k) => c + halfB[1] * down[k]);
  const isPlane = halfA[1] === 0;
  const low = [0, 2].map((k) => (isPlane ? face[k] - halfB[k] : Math.max(-halfA[k], face[k] - halfB[k])));
  const high = [0, 2].map((k) => (isPlane ? face[k] + halfB[k] : Math.min(halfA[k], face[k] + halfB[k])));
  pairs.normal.set(turn(a.q, [0, 1, 0]), pair * 4);
  pairs.tangent.set(turn(a.q, [1, 0, 0]), pair * 4);
  pairs.points[pair] = 0;
  if (low[0] > high[0] || low[1] > high[1]) return;
  const corners = [
    [low[0], low[1]],
    [low[0], high[1]],
    [high[0], low[1]],
    [high[0], high[1]],
  ];
  const kept: { point: number[]; impulse: number[] }[] = [];
  for (let k = 0; k < 4; k++) {
    const [x, z] = corners[k];
    // Height of the upper body's lower face over the point, along the lower body's normal.
    const y = face[1] - ((x - face[0]) * down[0] + (z - face[2]) * down[2]) / down[1];
    const gap = y - halfA[1];
    if (gap > reach) continue;
    const world3 = turn(a.q, [x, halfA[1] + gap / 2, z]);
    const old = [...pairs.feature.subarray(pair * 4, pair * 4 + 4)].indexOf(k + 1);
    const impulse = old < 0 ? [0, 0, 0, 0] : [...pairs.impulse.subarray(pair * 16 + old * 4, pair * 16 + old * 4 + 4)];
    kept.push({ point: [...world3.map((w, i) => w + a.p[i]), gap, k + 1], impulse });
  }
  pairs.feature.fill(0, pair * 4, pair * 4 + 4);
  pairs.points[pair] = kept.length;
  kept.forEach(({ point, impulse }, i) => {
    pairs.point.set(point.slice(0, 4), pair * 16 + i * 4);
    pairs.feature[pair * 4 + i] = point[4];
    pairs.impulse.set(impulse, pair * 16 + i * 4);
  });
}

/**
 * One step with all islands given to the sweeps; contacts up to the gap `reach` [m]. Returns how
 * long solveSweeps took by `clock`.
 */
export function stepBoxes(world: BoxWorld, clock: () => number = () => 0, reach = 0.02): number {
  const { arena, kernels, tables } = world;
  kernels.predictMotion();
  makeManifolds(world, reach);
  kernels.wakeTouched();
  kernels.buildIslands();
  tables.bodies.islandSolver.fill(L.ISLAND_SWEEPS, 0, arena.i32[L.ISLAND_COUNT >> 2]);
  const need = kernels.sweepScratchSize();
  if (world.scratch === 0) world.scratch = (arena.memory.buffer.byteLength - 16e6) & ~63;
  const before = clock();
  kernels.solveSweeps(world.scratch, need);
  const spent = clock() - before;
  kernels.integrateMotion();
  kernels.carrySpins();
  kernels.updateSleep();
  kernels.collectTouches();
  return spent;
}

/** A pyramid of unit boxes on the ground (the benchmark's scene): bodies in rows from below. */
export function addPyramid(world: BoxWorld, base: number, friction = 0.6): number[] {
  const ground = addGround(world);
  const rows: number[][] = [];
  for (let row = 0; row < base; row++) {
    rows.push([]);
    for (let i = 0; i < base - row; i++) {
      const body = addBox(world, { position: [(i - (base - row - 1) / 2) * 1.05, 0.5 + row, 0] });
      rows[row].push(body);
      if (row === 0) link(world, ground, body, friction);
      else for (const lower of [rows[row - 1][i], rows[row - 1][i + 1]]) link(world, lower, body, friction);
    }
  }
  return rows.flat();
}

/** A column of unit boxes on the ground, from below. */
export function addColumn(world: BoxWorld, count: number, friction = 0.6, topMass = 1000): number[] {
  let lower = addGround(world);
  const bodies: number[] = [];
  for (let i = 0; i < count; i++) {
    const body = addBox(world, { position: [0, 0.5 + i, 0], mass: i === count - 1 ? topMass : 1000 });
    link(world, lower, body, friction);
    bodies.push(body);
    lower = body;
  }
  return bodies;
}

/** Largest horizontal and vertical displacement of `bodies` from `start` (positions, 4 a body slot) [m]. */
export function driftOf(world: BoxWorld, bodies: number[], start: Float64Array): [number, number] {
  const { position } = world.tables.bodies;
  let horizontal = 0;
  let vertical = 0;
  for (const b of bodies) {
    const d = [0, 1, 2].map((k) => position[b * 4 + k] - start[b * 4 + k]);
    horizontal = Math.max(horizontal, Math.hypot(d[0], d[2]));
    vertical = Math.max(vertical, Math.abs(d[1]));
  }
  return [horizontal, vertical];
}
