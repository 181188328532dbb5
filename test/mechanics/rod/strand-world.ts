// A small world of strands without contacts, for tests of the rod mechanics: tables alone, stepped by the reference.

import { type Arena, createArena, refreshArena } from '../../../src/core/arena';
import { createRandom } from '../../../src/core/random';
import { factorBanded, solveBanded } from '../../../src/math/banded-ldl';
import type { ElasticStep } from '../../../src/mechanics/elastic-kind';
import { assembleStrand } from '../../../src/mechanics/rod/assemble-strand';
import { initialiseStrand } from '../../../src/mechanics/rod/initialise-strand';
import { updateFrames } from '../../../src/mechanics/rod/update-frames';
import * as L from '../../../src/state/layout';
import type { StrandRest } from '../../../src/state/strand-rest';
import { ARENA_LAYOUT, createTables, type Tables } from '../../../src/state/tables';

export interface StrandWorld {
  readonly arena: Arena;
  readonly tables: Tables;
  timeStep: number;
  gravity: number[];
  wind: number[] | null;
}

export interface StrandOptions {
  /** Flat x y z [m]. */
  points: number[];
  restPoints?: number[];
  radius?: number;
  density?: number;
  young?: number;
  shear?: number;
  stretch?: number;
  damping?: number;
  gravityScale?: number;
  airDrag?: number;
  clampStart?: boolean;
  clampEnd?: boolean;
  attachStart?: number;
  attachEnd?: number;
  along?: StrandRest;
}

export function createStrandWorld(timeStep = 1 / 60, gravity = [0, -9.81, 0]): StrandWorld {
  const arena = createArena(ARENA_LAYOUT, 8e6);
  const tables = createTables(arena, 4);
  refreshArena(arena);
  return { arena, tables, timeStep, gravity, wind: null };
}

/** Adds a rod of one strand; returns the strand. Clamps hold the present pose. */
export function addStrand(world: StrandWorld, o: StrandOptions): number {
  const { arena, tables } = world;
  const n = o.points.length / 3;
  const [rod, strand, first] = [L.ROD_COUNT, L.STRAND_COUNT, L.NODE_COUNT].map((cell) => arena.i32[cell >> 2]);
  tables.control.rods.ensure(rod + 1);
  tables.control.strands.ensure(strand + 1);
  tables.control.nodes.ensure(first + n);
  arena.i32[L.ROD_COUNT >> 2] = rod + 1;
  arena.i32[L.STRAND_COUNT >> 2] = strand + 1;
  arena.i32[L.NODE_COUNT >> 2] = first + n;
  const young = o.young ?? 4e9;
  const row = [o.radius ?? 35e-6, o.density ?? 1300, young, o.shear ?? young / 3, o.stretch ?? young, o.damping ?? 0];
  tables.rods.parameter.set([...row, 0, 0], 8 * rod);
  tables.rods.extra.set([o.gravityScale ?? 1, o.airDrag ?? 0, 0, 0], 4 * rod);
  tables.rods.flags[rod] = L.ROD_ALIVE;
  tables.strands.rod[strand] = rod;
  tables.strands.first[strand] = first;
  tables.strands.nodes[strand] = n;
  tables.strands.attach.set([o.attachStart ?? -1, o.attachEnd ?? -1], 2 * strand);
  tables.strands.flags[strand] = (o.clampStart ? L.STRAND_CLAMP_START : 0) | (o.clampEnd ? L.STRAND_CLAMP_END : 0);
  for (let i = 0; i < n; i++) tables.nodes.position.set([...o.points.slice(3 * i, 3 * i + 3), 0], 4 * (first + i));
  initialiseStrand(tables, strand, Float64Array.from(o.restPoints ?? o.points), o.along ?? null);
  clampHere(world, strand);
  return strand;
}

/** Sets both clamps to where the ends are now (in the world's frame). */
export function clampHere(world: StrandWorld, strand: number): void {
  const { strands, nodes } = world.tables;
  const first = strands.first[strand];
  const last = first + strands.nodes[strand] - 1;
  const point = (node: number) => nodes.position.slice(4 * node, 4 * node + 3);
  const director = (edge: number) => materialDirector(world, edge);
  strands.clamp.set([...point(first), ...point(first + 1), ...director(first)], 24 * strand);
  strands.clamp.set([...point(last), ...point(last - 1), ...director(last - 1)], 24 * strand + 12);
}

/** Material director m1 of an edge. */
export function materialDirector(world: StrandWorld, node: number): number[] {
  const { position, frame } = world.tables.nodes;
  const d = frame.slice(4 * node, 4 * node + 3);
  const e = [0, 1, 2].map((k) => position[4 * node + 4 + k] - position[4 * node + k]);
  const length = Math.hypot(...e);
  const t = e.map((x) => x / length);
  const c = Math.cos(position[4 * node + 3]);
  const s = Math.sin(position[4 * node + 3]);
  return [0, 1, 2].map((k) => c * d[k] + s * (t[(k + 1) % 3] * d[(k + 2) % 3] - t[(k + 2) % 3] * d[(k + 1) % 3]));
}

export interface System {
  A: Float64Array;
  f: Float64Array;
}

export function assemble(world: StrandWorld, strand: number, guess: Float64Array | null = null): System {
  const size = 4 * world.tables.strands.nodes[strand];
  const A = new Float64Array(11 * size);
  const f = new Float64Array(size);
  const step: ElasticStep = { timeStep: world.timeStep, gravity: world.gravity, wind: world.wind };
  assembleStrand({ A, a: 0, f, b: 0 }, world.tables, strand, step, guess);
  return { A, f };
}

/** Velocity after one step, by `iterations` Newton steps. */
export function solveStep(world: StrandWorld, strand: number, iterations = 1): Float64Array {
  let guess: Float64Array | null = null;
  for (let k = 0; k < iterations; k++) {
    const { A, f } = assemble(world, strand, guess);
    const bad = factorBanded(A, 0, f.length, 10);
    if (bad >= 0) throw new Error(`pivot ${bad} not positive`);
    solveBanded(A, 0, f.length, 10, f, 0);
    guess = f;
  }
  return guess!;
}

/** Moves a strand by its velocities. */
export function moveStrand(world: StrandWorld, strand: number, velocity: Float64Array): void {
  const { nodes, strands } = world.tables;
  const at = 4 * strands.first[strand];
  for (let k = 0; k < velocity.length; k++) {
    nodes.velocity[at + k] = velocity[k];
    nodes.previous[at + k] = nodes.position[at + k];
    nodes.position[at + k] += world.timeStep * velocity[k];
  }
  updateFrames(world.tables, strand);
}

export function stepStrand(world: StrandWorld, strand: number, iterations = 1): void {
  moveStrand(world, strand, solveStep(world, strand, iterations));
}

/** Elastic forces on the 4n unknowns [N, N·m]. */
export function elasticForces(world: StrandWorld, strand: number): Float64Array {
  const { nodes, strands } = world.tables;
  const at = 4 * strands.first[strand];
  const size = 4 * strands.nodes[strand];
  const flags = strands.flags[strand];
  const velocity = nodes.velocity.slice(at, at + size);
  nodes.velocity.fill(0, at, at + size);
  strands.flags[strand] = 0;
  const { f } = assemble({ ...world, gravity: [0, 0, 0], wind: null }, strand);
  strands.flags[strand] = flags;
  nodes.velocity.set(velocity, at);
  return f.map((x) => x / world.timeStep);
}

/** A strand bent and twisted at random: points, then θ and frames by moves that carry the frames along. */
export function shake(world: StrandWorld, strand: number, amount: number, turn: number, seed: number): void {
  const { nodes, strands } = world.tables;
  const random = createRandom(seed);
  const first = strands.first[strand];
  const n = strands.nodes[strand];
  for (let round = 0; round < 3; round++) {
    const at = 4 * first;
    nodes.previous.set(nodes.position.subarray(at, at + 4 * n), at);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 3; k++) nodes.position[at + 4 * i + k] += amount * (2 * random() - 1);
      if (i < n - 1) nodes.position[at + 4 * i + 3] += turn * (2 * random() - 1);
    }
    updateFrames(world.tables, strand);
  }
}

/** The full matrix of a band. */
export function fullMatrix(A: Float64Array, size: number): number[][] {
  const full = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (let i = 0; i < size; i++) {
    for (let k = 0; k <= Math.min(i, 10); k++) full[i][i - k] = full[i - k][i] = A[11 * i + k];
  }
  return full;
}

/** Points of a straight strand along a direction. */
export function straight(n: number, length: number, direction = [1, 0, 0], start = [0, 0, 0]): number[] {
  return Array.from({ length: n }, (_, i) => direction.map((d, k) => start[k] + (d * length * i) / (n - 1))).flat();
}

/** Points of a helix about y. */
export function helix(n: number, radius: number, pitch: number, turns: number): number[] {
  return Array.from({ length: n }, (_, i) => {
    const a = (2 * Math.PI * turns * i) / (n - 1);
    return [radius * Math.cos(a), (-pitch * a) / (2 * Math.PI), radius * Math.sin(a)];
  }).flat();
}

/**
 * Rest shape and stiffness that differ along a strand: stiffness within ±40 %, rest lengths within `strain` of the
 * drawn ones, bend and twist within ±0.4.
 */
export function uneven(points: readonly number[], seed: number, strain = 0.4): StrandRest {
  const random = createRandom(seed);
  const n = points.length / 3;
  const around = (spread: number) => 1 + spread * (2 * random() - 1);
  const list = (width: number, value: (i: number) => number) => Array.from({ length: width * n }, (_, i) => value(i));
  const length = (i: number) => Math.hypot(...[0, 1, 2].map((k) => points[3 * i + 3 + k] - points[3 * i + k]));
  return {
    lengths: list(1, (i) => (i < n - 1 ? length(i) * around(strain) : 0)),
    curvatures: list(4, () => 0.4 * (2 * random() - 1)),
    twists: list(1, () => 0.4 * (2 * random() - 1)),
    stretchFactors: list(1, () => around(0.4)),
    bendFactors: list(1, () => around(0.4)),
    twistFactors: list(1, () => around(0.4)),
  };
}
