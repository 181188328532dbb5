// A small world for strand detection: rods of strands with given nodes, and the contacts read back.

import { findStrandContacts, type StrandDetectionOptions } from '../../src/collision/strands';
import { NEAR } from '../../src/core/elastic-constants';
import type { SurfaceKernelExports } from '../../src/kernels/exports';
import { instantiateStrandKernels } from '../../src/kernels/strand-kernels';
import { instantiateSurfaceKernels } from '../../src/kernels/surface-kernels';
import * as L from '../../src/state/layout';
import { createShapeScene, type Quaternion, type Shape, type Vector } from './generic-scene';

export interface RodOptions {
  radius?: number;
  selfContact?: boolean;
  friction?: number;
  cohesion?: number;
  compliance?: number;
  layers?: number;
}

export interface StrandContact {
  nodes: number[];
  weights: number[];
  normal: Vector;
  gap: number;
  force: number[];
  collider: number;
  body: number;
  key: [low: number, high: number];
  arm: Vector;
  friction: number;
  cohesion: number;
  compliance: number;
  time: number;
  drift: Vector;
}

export type StrandScene = ReturnType<typeof createStrandScene>;

export function createStrandScene() {
  const scene = createShapeScene();
  const { arena, tables } = scene;
  const kernels = instantiateStrandKernels(arena.memory);
  let surfaces: SurfaceKernelExports | null = null;

  /** One rod of several polylines; returns its first node. */
  const addRod = (polylines: Vector[][], options: RodOptions = {}): number => {
    const { radius = 0.001, selfContact = true, friction = 0.3, cohesion = 0, compliance = 0 } = options;
    const rod = arena.i32[L.ROD_COUNT >> 2]++;
    const firstStrand = arena.i32[L.STRAND_COUNT >> 2];
    const firstNode = arena.i32[L.NODE_COUNT >> 2];
    const count = polylines.reduce((n, line) => n + line.length, 0);
    tables.control.rods.ensure(rod + 1);
    tables.control.strands.ensure(firstStrand + polylines.length);
    tables.control.nodes.ensure(firstNode + count);
    tables.rods.flags[rod] = L.ROD_ALIVE | (selfContact ? L.ROD_SELF_CONTACT : 0);
    tables.rods.layers[rod] = options.layers ?? 0xffff0001 | 0;
    tables.rods.parameter.set([radius, 1000, 1e9, 4e8, 1e9, 0, friction, cohesion], rod * 8);
    tables.rods.extra.set([1, 0, compliance, 0], rod * 4);
    tables.rods.strandStart[rod] = firstStrand;
    tables.rods.strandCount[rod] = polylines.length;
    tables.rods.nodeStart[rod] = firstNode;
    tables.rods.nodeCount[rod] = count;
    let node = firstNode;
    polylines.forEach((line, k) => {
      const strand = firstStrand + k;
      tables.strands.rod[strand] = rod;
      tables.strands.first[strand] = node;
      tables.strands.nodes[strand] = line.length;
      tables.strands.flags[strand] = 0;
      line.forEach((point, i) => {
        tables.nodes.strand[node] = strand;
        tables.nodes.position.set([...point, 0], node * 4);
        tables.nodes.previous.set([...point, 0], node * 4);
        if (i + 1 < line.length) tables.nodes.rest[node * 8] = Math.hypot(...point.map((x, a) => line[i + 1][a] - x));
        node++;
      });
    });
    arena.i32[L.STRAND_COUNT >> 2] = firstStrand + polylines.length;
    arena.i32[L.NODE_COUNT >> 2] = node;
    return firstNode;
  };
  /** Velocities of nodes from `first` on. */
  const setVelocities = (first: number, velocities: Vector[]): void => {
    velocities.forEach((v, i) => {
      tables.nodes.velocity.set([...v, 0], (first + i) * 4);
    });
  };
  /** Moves nodes from `first` on. */
  const setPositions = (first: number, positions: Vector[]): void => {
    positions.forEach((p, i) => {
      tables.nodes.position.set([...p, 0], (first + i) * 4);
    });
  };
  const find = (options?: StrandDetectionOptions, by: typeof kernels = kernels): number => {
    if (arena.i32[L.TRIANGLE_COUNT >> 2] > 0) surfaces ??= instantiateSurfaceKernels(arena.memory);
    return findStrandContacts({ arena, tables, kernels: by, surfaces }, options);
  };
  const read = (): StrandContact[] => {
    const c = tables.nodeContacts;
    const take = (column: Float64Array | Int32Array, row: number, n: number) =>
      Array.from(column.slice(4 * row, 4 * row + n));
    return Array.from({ length: arena.i32[L.NODE_CONTACT_COUNT >> 2] }, (_, row) => ({
      nodes: take(c.node, row, 4),
      weights: take(c.weight, row, 4),
      normal: take(c.normal, row, 3) as Vector,
      gap: c.normal[4 * row + 3],
      force: take(c.force, row, 4),
      collider: c.side[4 * row + 2],
      body: c.side[4 * row + 3],
      key: [c.key[4 * row], c.key[4 * row + 1]],
      arm: take(c.arm, row, 3) as Vector,
      friction: c.material[4 * row],
      cohesion: c.material[4 * row + 1],
      compliance: c.material[4 * row + 2],
      time: c.material[4 * row + 3],
      drift: take(c.drift, row, 3) as Vector,
    }));
  };
  /** Finds and reads. */
  const detect = (options?: StrandDetectionOptions): StrandContact[] => {
    find(options);
    return read();
  };
  /** Counts buried nodes without a detection. */
  const bury = (): void => {
    for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) kernels.rodBury(s, NEAR);
  };
  return {
    ...scene,
    strandKernels: kernels,
    /** Those of surfaces, once anything was looked for among some. */
    surfaceKernels: () => surfaces,
    bury,
    addRod,
    setVelocities,
    setPositions,
    find,
    readContacts: read,
    detect,
  };
}

/** A repeatable stream of numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

/** A random unit vector. */
export function randomDirection(random: () => number): Vector {
  for (;;) {
    const v: Vector = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    const length = Math.hypot(...v);
    if (length > 0.1 && length < 1) return [v[0] / length, v[1] / length, v[2] / length];
  }
}

/** Strands that wander through a cube: `count` of `nodes` nodes with edges of `edge` [m]. */
export function tangledStrands(count: number, nodes: number, edge: number, side: number, seed: number): Vector[][] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    let p: Vector = [side * (random() - 0.5), side * (random() - 0.5), side * (random() - 0.5)];
    let d = randomDirection(random);
    return Array.from({ length: nodes }, () => {
      const at = p;
      const bend = randomDirection(random);
      const turned = d.map((x, k) => x + 0.4 * bend[k]) as Vector;
      const length = Math.hypot(...turned);
      d = [turned[0] / length, turned[1] / length, turned[2] / length];
      p = [p[0] + edge * d[0], p[1] + edge * d[1], p[2] + edge * d[2]];
      return at;
    });
  });
}

/** Puts a shape into the world as find-pairs would, as a body that does not move by itself unless told. */
export function putBody(
  scene: StrandScene,
  shape: Shape,
  position: Vector = [0, 0, 0],
  rotation?: Quaternion,
  flags = L.BODY_STATIC,
): number {
  const collider = scene.put(shape, position, rotation);
  const { bodies, colliders } = scene.tables;
  colliders.layers[collider] = 0xffff0001 | 0;
  colliders.flags[collider] |= L.COLLIDER_MOVED;
  colliders.material[2 * collider] = 0.5;
  colliders.localRotation.set([0, 0, 0, 1], 4 * collider);
  bodies.flags[collider] = L.BODY_ALIVE | flags;
  bodies.collider[collider] = collider;
  scene.arena.i32[L.BODY_COUNT >> 2] = collider + 1;
  scene.arena.i32[L.COLLIDER_COUNT >> 2] = collider + 1;
  scene.tables.control.tree.ensure(2 * collider + 4);
  scene.kernels.findPairs();
  return collider;
}
