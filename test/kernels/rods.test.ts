// The strand kernels against the reference mechanics: matrices in f64, factors kept in f32.

import { expect, test } from 'vitest';
import { allocate } from '../../src/core/arena';
import { STRAND_SHARE } from '../../src/core/elastic-constants';
import { createRandom } from '../../src/core/random';
import type { StrandKernelExports } from '../../src/kernels/exports';
import { instantiateStrandKernels } from '../../src/kernels/strand-kernels';
import { inverseDiagonal } from '../../src/math/banded-inverse';
import { factorBanded, solveBanded } from '../../src/math/banded-ldl';
import { clampTarget } from '../../src/mechanics/rod/clamps';
import { updateFrames } from '../../src/mechanics/rod/update-frames';
import * as L from '../../src/state/layout';
import * as S from '../mechanics/rod/strand-world';
import elastica from '../validation/rods/heavy-elastica.json';
import { clampedPoints } from '../validation/rods/statics';

interface KernelWorld extends S.StrandWorld {
  kernels: StrandKernelExports;
  work: number;
  holds: number;
  out: number;
}

function createWorld(dt = 1 / 60): KernelWorld {
  const world = S.createStrandWorld(dt);
  const { arena } = world;
  world.wind = [0.5, 0, -1];
  arena.f64[L.TIME_STEP >> 3] = dt;
  for (let k = 0; k < 3; k++) {
    arena.f64[(L.GRAVITY >> 3) + k] = world.gravity[k];
    arena.f64[(L.WIND >> 3) + k] = world.wind[k];
  }
  return { ...world, kernels: instantiateStrandKernels(arena.memory), work: 0, holds: 0, out: 0 };
}

/** Numbers a strand in the kernels' holds: bits, then seven velocities for each end (rod-holds.ts). */
const HOLD_STRIDE = 16;

/** Fills the holds of a strand from its clamps. */
function writeHolds(world: S.StrandWorld, strand: number, o: number): void {
  const { arena, tables, timeStep } = world;
  const { strands, nodes } = tables;
  const target = new Float64Array(8);
  const last = strands.first[strand] + strands.nodes[strand] - 1;
  let bits = 0;
  for (const end of [0, 1] as const) {
    if (!(strands.flags[strand] & [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END][end])) continue;
    clampTarget(target, tables, strand, end, timeStep);
    const [outer, inner] = end === 0 ? [strands.first[strand], strands.first[strand] + 1] : [last, last - 1];
    const speed = (node: number, k: number, goal: number) => (goal - nodes.position[4 * node + k]) / timeStep;
    for (let k = 0; k < 3; k++) {
      arena.f64[o + 1 + 7 * end + k] = speed(outer, k, target[k]);
      arena.f64[o + 4 + 7 * end + k] = speed(inner, k, target[4 + k]);
    }
    arena.f64[o + 7 + 7 * end] = speed(Math.min(outer, inner), 3, target[3]);
    bits |= end === 0 ? 3 : 12;
  }
  arena.f64[o] = bits;
}

const nodeCount = (world: S.StrandWorld) => world.arena.i32[L.NODE_COUNT >> 2];
const strandCount = (world: S.StrandWorld) => world.arena.i32[L.STRAND_COUNT >> 2];
const range = (world: S.StrandWorld, strand: number): [number, number] => {
  const { first, nodes } = world.tables.strands;
  return [4 * first[strand], 4 * (first[strand] + nodes[strand])];
};

/**
 * Velocities without contacts by the kernel, f64×4 a node; `bad` strands are expected; `again`: in the same memory.
 */
function predict(world: KernelWorld, guess: Float64Array | null = null, bad = 0, again = false): Float64Array {
  const { arena, kernels } = world;
  const size = 4 * nodeCount(world);
  if (!again) {
    world.work = allocate(arena, kernels.rodWorkSize());
    world.holds = allocate(arena, 8 * HOLD_STRIDE * strandCount(world));
    world.out = allocate(arena, 8 * size);
  }
  for (let s = 0; s < strandCount(world); s++) {
    writeHolds(world, s, world.holds / 8 + HOLD_STRIDE * s);
  }
  const { out } = world;
  // It has to last for as long as the work memory does.
  const at = guess ? allocate(arena, 8 * size) : 0;
  if (guess) arena.f64.set(guess, at / 8);
  expect(kernels.rodPredict(world.work, at, out, world.holds, 0, 0)).toBe(bad);
  return arena.f64.slice(out / 8, out / 8 + size);
}

/** Memory for the factors of A + W. */
function openWeighted({ arena, kernels, work }: KernelWorld): number {
  return allocate(arena, kernels.rodWeightedSize(work));
}

/** Largest difference of x y z, relative to the largest change from the velocities of the step's start. */
function relativeError(world: S.StrandWorld, strand: number, found: Float64Array, known: Float64Array): number {
  const [start] = range(world, strand);
  let error = 0;
  let change = 0;
  for (let k = 0; k < known.length; k++) {
    if (k % 4 === 3) continue;
    error = Math.max(error, Math.abs(found[start + k] - known[k]));
    change = Math.max(change, Math.abs(known[k] - world.tables.nodes.velocity[start + k]));
  }
  if (process.env.SHOW_ERRORS) console.log(known.length / 4, (error / change).toExponential(1));
  return error / change;
}

const HAIR = { radius: 35e-6, young: 4e9, density: 1300, airDrag: 0.5 };
const ROPE = { radius: 0.01, young: 5e8, density: 1000, damping: 1e-3, gravityScale: 0.5 };
const LENGTHS = [2, 3, 4, 7, 16, 16, 16, 16, 31, 32, 33, 64, 100];

/** Strands of many lengths and shapes, bent and twisted by `shake` of an edge, pushed, moving. */
function addStrands(
  world: S.StrandWorld,
  kind: Omit<S.StrandOptions, 'points'>,
  edge: number,
  shake = 0.02,
  uneven = false,
): number[] {
  const random = createRandom(5);
  return LENGTHS.map((n, s) => {
    const points = s % 2 ? S.helix(n, 4 * edge, 6 * edge, n / 14) : S.straight(n, edge * (n - 1), [0, -1, 0]);
    // Beside even ones: the kernels take four strands at a time.
    const along = uneven && s % 3 > 0 ? S.uneven(points, s, 0.02) : undefined;
    const strand = S.addStrand(world, { ...kind, points, along });
    S.shake(world, strand, shake * edge, 0.3, s);
    const [start, end] = range(world, strand);
    const { velocity, force, mass } = world.tables.nodes;
    for (let i = start; i < end; i++) {
      velocity[i] = i === end - 1 ? 0 : 2 * random() - 1;
      force[i] = i % 4 === 3 ? 0 : mass[2 * (i >> 2)] * 10 * (2 * random() - 1);
    }
    return strand;
  });
}

test.each([
  ['hair', HAIR, 5e-3],
  ['rope', ROPE, 0.05],
  ['the finest hair', { ...HAIR, radius: 20e-6 }, 3e-4],
  ["a ship's rope", { ...ROPE, radius: 0.05, young: 1e9 }, 1],
  ['a rope five times thicker than its edges are long', { ...ROPE, radius: 0.05, young: 1e7 }, 0.01],
])('one step of %s is that of the reference', (_, kind, edge) => {
  const world = createWorld();
  const strands = addStrands(world, kind, edge);
  const found = predict(world);
  for (const strand of strands) {
    expect(relativeError(world, strand, found, S.solveStep(world, strand))).toBeLessThan(2e-4);
  }
});

test.each([
  ['hair', HAIR, 5e-3],
  ['rope', ROPE, 0.05],
])('one step of %s is that of the reference where rest shape and stiffness differ along it', (_, kind, edge) => {
  const world = createWorld();
  const strands = addStrands(world, kind, edge, 0.02, true);
  const found = predict(world);
  for (const strand of strands) {
    expect(relativeError(world, strand, found, S.solveStep(world, strand))).toBeLessThan(2e-4);
  }
});

test('statics: a heavy cantilever of 64 nodes sags as the elastica does', () => {
  // Γ = ρ S g L³/EI = 10, free length 1 m from the middle of the clamped edge.
  const world = createWorld();
  world.arena.f64.fill(0, L.WIND >> 3, (L.WIND >> 3) + 3);
  const points = clampedPoints(64);
  const young = (4 * 1000 * 9.81) / (10 * 0.01 ** 2);
  S.addStrand(world, { radius: 0.01, young, stretch: 1e9, density: 1000, airDrag: 4, points, clampStart: true });
  for (let step = 0; step < 600; step++) {
    world.tables.nodes.velocity.set(predict(world, null, 0, step > 0));
    world.kernels.rodIntegrate();
  }
  const row = elastica.rows.find((r) => r.Gamma === 10)!;
  const [x, y] = world.tables.nodes.position.subarray(4 * 63, 4 * 64);
  expect(Math.hypot(x - row.W_over_L, y + row.H_over_L)).toBeLessThan(0.002);
});

test('the work memory asked for is enough for strands of any lengths', () => {
  const random = createRandom(11);
  for (let round = 0; round < 6; round++) {
    const world = createWorld();
    for (let s = 0; s < 1 + 7 * round; s++) {
      const n = 2 + Math.floor(random() ** 4 * 300);
      S.addStrand(world, { ...HAIR, points: S.straight(n, 0.005 * n) });
    }
    predict(world);
    const { i32 } = world.arena;
    const groups = i32[world.work >> 2];
    expect(groups).toBe(Math.ceil(strandCount(world) / 4));
    // The scratch for right-hand sides comes last, three times 64 bytes a node of the longest group (48 in a record).
    let longest = 0;
    for (let g = 1; g <= groups; g++) longest = Math.max(longest, i32[(world.work + 64 * g + 48) >> 2]);
    const end = i32[(world.work + 24) >> 2] + 3 * 64 * longest;
    expect(end).toBeLessThanOrEqual(world.work + world.kernels.rodWorkSize());
  }
});

test('clamps are held as in the reference, exactly', () => {
  const world = createWorld();
  const strands = addStrands(world, HAIR, 5e-3, 1e-3);
  const { strands: table } = world.tables;
  for (const s of strands) {
    if (table.nodes[s] < 4) continue;
    S.clampHere(world, s);
    table.flags[s] = s % 3 === 0 ? L.STRAND_CLAMP_START : s % 3 === 1 ? L.STRAND_CLAMP_END : 3;
    for (let k = 0; k < 6; k++) table.clamp[24 * s + 12 + k] += 1e-4 * (1 + (k % 3));
  }
  const found = predict(world);
  for (const s of strands) {
    const known = S.solveStep(world, s);
    expect(relativeError(world, s, found, known)).toBeLessThan(2e-4);
    if (table.nodes[s] < 4 || s % 3 === 1) continue;
    for (let k = 0; k < 7; k++) expect(found[range(world, s)[0] + k]).toBeCloseTo(known[k], 6);
  }
});

test.each([
  ['even', false],
  ['uneven', true],
])('a second linearisation of %s strands at a guess is that of the reference', (_, uneven) => {
  const world = createWorld();
  const strands = addStrands(world, ROPE, 0.05, 0.02, uneven);
  const guess = predict(world);
  const found = predict(world, guess);
  for (const strand of strands) {
    const at = guess.slice(...range(world, strand));
    const { A, f } = S.assemble(world, strand, at);
    factorBanded(A, 0, f.length, 10);
    solveBanded(A, 0, f.length, 10, f, 0);
    expect(relativeError(world, strand, found, f)).toBeLessThan(2e-4);
  }
});

test('a fast strand loses nothing against its speed', () => {
  const world = createWorld();
  const strand = S.addStrand(world, { ...HAIR, airDrag: 0, points: S.helix(32, 0.02, 0.03, 2) });
  for (let i = 0; i < 32; i++) world.tables.nodes.velocity.set([20, -7, 30, 0], 4 * i);
  const found = predict(world);
  expect(relativeError(world, strand, found, S.solveStep(world, strand))).toBeLessThan(1e-5);
});

test('weights and solves with A + W are those of the reference, at a guess, too', () => {
  for (const [kind, edge, isGuessed] of [
    [HAIR, 5e-3, false],
    [ROPE, 0.05, false],
    [ROPE, 0.05, true],
  ] as const) {
    const world = createWorld();
    const strands = addStrands(world, kind, edge);
    const guess = isGuessed ? predict(world) : null;
    predict(world, guess);
    const { arena, kernels } = world;
    const count = nodeCount(world);
    const weights = allocate(arena, 4 * count) / 4;
    const right = allocate(arena, 16 * count) / 4;
    const f32 = new Float32Array(arena.memory.buffer);
    kernels.rodWeigh(world.work, openWeighted(world), 4 * weights, world.holds, 0, STRAND_SHARE);
    const random = createRandom(3);
    for (let i = 0; i < 4 * count; i++) {
      f32[right + i] = i % 4 === 3 ? 0 : f32[weights + (i >> 2)] * (2 * random() - 1);
    }
    const b = Float64Array.from(f32.subarray(right, right + 4 * count));
    kernels.rodSolve(world.work, 1, 4 * right, 4 * right, 0);
    for (const s of strands) {
      const [start, end] = range(world, s);
      const { A } = S.assemble(world, s, guess?.slice(start, end));
      const give = new Float64Array(end - start);
      const factor = A.slice();
      factorBanded(factor, 0, give.length, 10);
      inverseDiagonal(give, factor, 0, give.length, 10);
      for (let i = start; i < end; i += 4) {
        const w = f32[weights + (i >> 2)];
        const a = i - start;
        const known = (3 * STRAND_SHARE) / (give[a] + give[a + 1] + give[a + 2]);
        if (process.env.SHOW_ERRORS) console.log('weight', give.length / 4, a / 4, (w / known - 1).toExponential(1));
        expect(Math.abs(w / known - 1)).toBeLessThan(0.01);
        for (let k = 0; k < 3; k++) A[11 * (a + k)] += w;
      }
      const x = b.slice(start, end);
      factorBanded(A, 0, x.length, 10);
      solveBanded(A, 0, x.length, 10, x, 0);
      const largest = Math.max(...x.map((v, k) => (k % 4 === 3 ? 0 : Math.abs(v))));
      const error = Math.max(...x.map((v, k) => (k % 4 === 3 ? 0 : Math.abs(v - f32[right + start + k]))));
      if (process.env.SHOW_ERRORS) console.log('solve', x.length / 4, (error / largest).toExponential(1));
      expect(error).toBeLessThan(3e-4 * largest);
    }
  }
});

test('held nodes weigh nothing, and inactive groups are left alone', () => {
  const world = createWorld();
  for (let s = 0; s < 8; s++) S.addStrand(world, { ...HAIR, points: S.straight(8 + s, 0.05), clampStart: s < 4 });
  predict(world);
  const { arena, kernels } = world;
  const weights = allocate(arena, 4 * nodeCount(world)) / 4;
  const active = allocate(arena, 8);
  arena.u8[active + 1] = 1;
  const f32 = new Float32Array(arena.memory.buffer);
  f32.fill(-1, weights, weights + nodeCount(world));
  kernels.rodWeigh(world.work, openWeighted(world), 4 * weights, world.holds, active, STRAND_SHARE);
  const { first } = world.tables.strands;
  expect([...f32.subarray(weights, weights + 2)]).toEqual([0, 0]);
  expect(f32[weights + 2]).toBeGreaterThan(0);
  expect(f32[weights + first[4]]).toBe(-1);
});

test.each([1, 2, 4, 5])('of %i strands, nodes without contact weigh nothing in free lanes either', (strands) => {
  const world = createWorld();
  for (let s = 0; s < strands; s++) S.addStrand(world, { ...HAIR, points: S.straight(8, 0.05) });
  predict(world);
  const { arena, kernels } = world;
  const count = nodeCount(world);
  const weights = allocate(arena, 4 * count) / 4;
  const f32 = new Float32Array(arena.memory.buffer);
  // As admmMark leaves them: −2 without contact, 0 with one.
  for (let i = 0; i < count; i++) f32[weights + i] = i % 8 < 6 ? -2 : 0;
  kernels.rodWeigh(world.work, openWeighted(world), 4 * weights, world.holds, 0, STRAND_SHARE);
  for (let i = 0; i < count; i++) expect(f32[weights + i] > 0).toBe(i % 8 >= 6);
});

test('a strand keeps the share of its last step where many nodes are in contact', () => {
  const world = createWorld();
  for (let s = 0; s < 2; s++) S.addStrand(world, { ...HAIR, points: S.straight(30, 0.05) });
  predict(world);
  const { arena, kernels } = world;
  const weights = allocate(arena, 4 * nodeCount(world)) / 4;
  const f32 = new Float32Array(arena.memory.buffer);
  const weigh = () => {
    f32.fill(0, weights, weights + 60);
    kernels.rodWeigh(world.work, openWeighted(world), 4 * weights, world.holds, 0, STRAND_SHARE);
    return Array.from(f32.subarray(weights, weights + 60));
  };
  const first = weigh();
  // 30 nodes of the first strand had 1.5 times the weight, 3 of the second.
  first.forEach((w, i) => {
    world.tables.nodes.dual[4 * i + 3] = i < 33 ? 1.5 * w : 0;
  });
  weigh().forEach((w, i) => {
    expect(w / first[i]).toBeCloseTo(i < 30 ? 1.5 : 1, 4);
  });
});

test('positions and frames move as in the reference', () => {
  const world = createWorld();
  const strands = addStrands(world, ROPE, 0.05);
  // Quick enough to turn edges through large angles.
  const { nodes } = world.tables;
  for (let k = 0; k < 4 * nodeCount(world); k++) nodes.velocity[k] *= 3;
  const size = 4 * nodeCount(world);
  for (let step = 0; step < 5; step++) {
    const known = nodes.position.slice(0, size);
    const frames = nodes.frame.slice(0, size);
    expect(world.kernels.rodIntegrate()).toBe(0);
    const found = nodes.frame.slice(0, size);
    for (let k = 0; k < size; k++) {
      expect(nodes.position[k]).toBe(known[k] + nodes.velocity[k] * world.timeStep);
      expect(nodes.previous[k]).toBe(known[k]);
    }
    nodes.frame.set(frames);
    for (const s of strands) updateFrames(world.tables, s);
    for (let k = 0; k < size; k++) expect(Math.abs(found[k] - nodes.frame[k])).toBeLessThan(1e-12);
    nodes.frame.set(found);
  }
});

test('a strand gives the same bits in any company', () => {
  const alone = createWorld();
  const [points, other] = [S.helix(20, 0.02, 0.03, 2), S.helix(23, 0.03, 0.02, 2)];
  S.addStrand(alone, { ...HAIR, points });
  const known = predict(alone);
  for (const before of [1, 2, 3, 6]) {
    const world = createWorld();
    for (let k = 0; k < before; k++) S.addStrand(world, { ...ROPE, points: other });
    const strand = S.addStrand(world, { ...HAIR, points });
    S.addStrand(world, { ...ROPE, points: S.straight(18, 1) });
    expect(predict(world).slice(...range(world, strand))).toEqual(known);
  }
});

test('a strand gone bad is reported and spoils no other; quarantined ones are left out', () => {
  const world = createWorld();
  for (let s = 0; s < 6; s++) S.addStrand(world, { ...HAIR, points: S.helix(12, 0.02, 0.03, 1) });
  const known = predict(world);
  world.tables.nodes.position[4 * 15] = Number.NaN;
  world.tables.strands.flags[4] |= L.STRAND_QUARANTINED;
  const found = predict(world, null, 1);
  for (const s of [0, 2, 3, 5]) expect(found.slice(48 * s, 48 * s + 48)).toEqual(known.slice(48 * s, 48 * s + 48));
  expect(found.slice(48, 96).every(Number.isNaN)).toBe(true);
  expect(found.slice(192, 240).every((x) => x === 0)).toBe(true);
  expect(world.kernels.rodIntegrate()).toBe(1);
});

test('collapsed edges stay finite', () => {
  const world = createWorld();
  for (let s = 0; s < 3; s++) S.addStrand(world, { ...ROPE, points: S.straight(8, 1) });
  const { position } = world.tables.nodes;
  position.set(position.slice(8, 11), 12);
  position.fill(0, 32, 64);
  const found = predict(world);
  expect(found.every(Number.isFinite)).toBe(true);
  world.tables.nodes.velocity.set(found);
  expect(world.kernels.rodIntegrate()).toBe(0);
  expect(world.tables.nodes.frame.every(Number.isFinite)).toBe(true);
});
