import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import { createScene, IDENTITY, multiply, rotate, turn, type Vector } from './manifold-scene';

const CUBE: Vector = [0.5, 0.5, 0.5];
const FLOOR: Vector = [5, 0.5, 5];

/** A cube on a floor with an impulse in each point: (1, 2, 3, 4) + 10 × point. */
function loadedCube(position: Vector, rotation = IDENTITY) {
  const scene = createScene();
  const floor = scene.addBox(FLOOR, [0, -0.5, 0]);
  const cube = scene.addBox(CUBE, position, rotation);
  scene.pairUp(floor, cube);
  const before = scene.collide();
  before.points.forEach((_, k) => {
    scene.tables.pairs.impulse.set([1 + 10 * k, 2 + 10 * k, 3 + 10 * k, 4 + 10 * k], 4 * k);
  });
  return { scene, cube, before: scene.read() };
}

test('a new contact starts without impulse and with an orthonormal frame', () => {
  const { before } = loadedCube([0, 0.5, 0]);
  const scene = createScene();
  scene.tables.pairs.impulse.fill(7);
  scene.pairUp(scene.addBox(FLOOR, [0, -0.5, 0]), scene.addBox(CUBE, [0, 0.5, 0]));
  const m = scene.collide();
  expect(m.points.map((p) => p.impulse)).toEqual([0, 1, 2, 3].map(() => [0, 0, 0, 0]));
  expect(m.tangent.map((x) => x + 0)).toEqual([1, 0, 0]);
  expect(before.points).toHaveLength(4);
});

test('impulses stay with their corners while a cube slides and turns a little', () => {
  const { scene, cube, before } = loadedCube([0.1, 0.4999, 0.2]);
  scene.place(cube, [0.13, 0.4998, 0.19], turn([0, 1, 0], 0.01));
  const after = scene.collide();
  expect(after.points.map((p) => p.feature)).toEqual(before.points.map((p) => p.feature));
  expect(after.points.map((p) => p.impulse)).toEqual(before.points.map((p) => p.impulse));
});

test('a corner whose feature changes keeps its impulse when it hardly moved', () => {
  // The cube stands flush on an equal cube; a small shift turns corners of one into crossings of edges.
  const scene = createScene();
  const a = scene.addBox(CUBE, [0, 0, 0]);
  const b = scene.addBox(CUBE, [0, 1, 0]);
  scene.pairUp(a, b);
  const before = scene.collide();
  before.points.forEach((_, k) => {
    scene.tables.pairs.impulse.set([k + 1, 0, 0, 0], 4 * k);
  });
  scene.place(b, [1e-5, 1, -1e-5]);
  const after = scene.collide();
  expect(after.points.some((p) => !before.points.some((q) => q.feature === p.feature))).toBe(true);
  for (const p of after.points) {
    const old = before.points.findIndex((q) => Math.hypot(...q.position.map((x, k) => x - p.position[k])) < 1e-4);
    expect(p.impulse[0]).toBe(old + 1);
  }
});

test('impulses are not passed to a different corner', () => {
  const { scene, cube } = loadedCube([0, 0.5, 0]);
  // A cube lifted on one edge: two corners go, the others keep what was theirs.
  const tilted = turn([0, 0, 1], 0.2);
  const low = rotate(tilted, [-0.5, -0.5, 0])[1];
  scene.place(cube, [0, -low, 0], tilted);
  const m = scene.collide();
  const stayed = m.points.filter((p) => p.position[0] < 0);
  expect(stayed).toHaveLength(2);
  expect(stayed.map((p) => p.impulse[0]).sort((a, b) => a - b)).toEqual([1, 11]);
});

test('the tangent turns as little as it can when the normal turns', () => {
  const { scene, cube, before } = loadedCube([0, 0.5, 0]);
  let tangent = before.tangent;
  for (let k = 1; k <= 30; k++) {
    // Both bodies roll together about z: contact frame and all.
    const q = turn([0, 0, 1], 0.05 * k);
    scene.place(0, rotate(q, [0, -0.5, 0]), q);
    scene.place(cube, rotate(q, [0, 0.5, 0]), q);
    const m = scene.collide();
    const cosine = m.tangent[0] * tangent[0] + m.tangent[1] * tangent[1] + m.tangent[2] * tangent[2];
    expect(cosine).toBeGreaterThan(Math.cos(0.051));
    expect(m.tangent[0] * m.normal[0] + m.tangent[1] * m.normal[1] + m.tangent[2] * m.normal[2]).toBeCloseTo(0, 14);
    expect(m.points[0].impulse).toEqual(before.points[0].impulse);
    tangent = m.tangent;
  }
});

test('friction impulses keep their direction in the world when the frame starts afresh', () => {
  const scene = createScene();
  const a = scene.addBox(CUBE, [0, 0, 0]);
  const b = scene.addBox(CUBE, [0, 1, 0]);
  scene.pairUp(a, b);
  scene.collide();
  scene.tables.pairs.impulse.set([5, 2, 3, 1], 0);
  const feature = scene.read().points[0].feature;
  const before = scene.read();
  // The old tangent is x; the new normal lies along it.
  scene.place(a, [0, 0, 0]);
  scene.place(b, [1, 0.0001, 0]);
  scene.forget();
  scene.tables.pairs.points[0] = 1;
  const after = scene.collide();
  expect(after.normal.map((x) => Math.round(x))).toEqual([1, 0, 0]);
  const kept = after.points.find((p) => p.feature === feature);
  expect(kept).toBeDefined();
  const world = (m: typeof after, impulse: number[]) => {
    const [n, t] = [m.normal, m.tangent];
    const s = [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]];
    return [0, 1, 2].map((k) => t[k] * impulse[1] + s[k] * impulse[2]);
  };
  // Before: 2 x + 3 (y × x) = 2 x − 3 z. What lies along the new normal is lost.
  expect(world(before, [5, 2, 3]).map((x) => x + 0)).toEqual([2, 0, -3]);
  const now = world(after, kept!.impulse);
  expect(now[0]).toBeCloseTo(0, 12);
  expect(now[1]).toBeCloseTo(0, 12);
  expect(now[2]).toBeCloseTo(-3, 12);
});

test('an octagon keeps the same four corners from step to step', () => {
  const scene = createScene();
  const a = scene.addBox(CUBE, [0, 0, 0]);
  const b = scene.addBox(CUBE, [0, 1, 0], turn([0, 1, 0], Math.PI / 4));
  scene.pairUp(a, b);
  const first = scene.collide().points.map((p) => p.feature);
  for (let k = 1; k <= 40; k++) {
    const wobble = 1e-4 * Math.sin(7 * k);
    const tilt = turn([Math.cos(k), 0, Math.sin(k)], 1e-6);
    scene.place(b, [wobble, 1, -wobble], multiply(tilt, turn([0, 1, 0], Math.PI / 4 + wobble)));
    expect(scene.collide().points.map((p) => p.feature)).toEqual(first);
  }
});

test('reduction to four points keeps the deepest', () => {
  const scene = createScene();
  const a = scene.addBox(CUBE, [0, 0, 0]);
  const b = scene.addBox(CUBE, [0, 1, 0]);
  scene.pairUp(a, b);
  for (let k = 0; k < 16; k++) {
    const angle = (k / 16) * 2 * Math.PI;
    const tilt = turn([Math.cos(angle), 0, Math.sin(angle)], 0.004);
    scene.place(b, [0, 1, 0], multiply(tilt, turn([0, 1, 0], Math.PI / 4)));
    scene.forget();
    const m = scene.collide();
    expect(m.points).toHaveLength(4);
    // Lowest point of the upper face's octagon: corners of its outline at 22.5° + n · 45°.
    const radius = Math.sqrt(0.25 + (Math.SQRT1_2 - 0.5) ** 2);
    const steepest = Math.max(
      ...Array.from({ length: 8 }, (_, n) => Math.cos((n + 0.5) * (Math.PI / 4) - angle - Math.PI / 2)),
    );
    expect(Math.min(...m.points.map((p) => p.gap))).toBeCloseTo(-Math.tan(0.004) * radius * steepest, 4);
  }
});

test('small bodies do not feel ghosts at the speculative distance of large ones', () => {
  const gapLimit = (size: number) => {
    const scene = createScene();
    const half: Vector = [size / 2, size / 2, size / 2];
    const cube = scene.addBox(half, [0, 0, 0]);
    scene.pairUp(scene.addBox([50, 0.5, 50], [0, -0.5, 0]), cube);
    const touches = (gap: number) => {
      scene.place(cube, [0, size / 2 + gap, 0]);
      return scene.collide().points.length > 0;
    };
    let [low, high] = [0, 0.1];
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2;
      if (touches(middle)) low = middle;
      else high = middle;
    }
    return low;
  };
  expect(gapLimit(1)).toBeCloseTo(0.02, 9);
  expect(gapLimit(0.01)).toBeCloseTo(0.1 * 0.005 * Math.sqrt(3), 9);
});

test('the contact distance grows by what the bodies can close in a step, spin included', () => {
  const scene = createScene();
  const cube = scene.addBox(CUBE, [0, 0.5 + 0.15, 0]);
  scene.pairUp(scene.addBox(FLOOR, [0, -0.5, 0]), cube);
  expect(scene.collide().points).toHaveLength(0);
  scene.tables.bodies.linearVelocity.set([0, -9, 0], 4 * cube);
  expect(scene.collide().points).toHaveLength(4);
  scene.tables.bodies.linearVelocity.fill(0);
  scene.tables.bodies.angularVelocity.set([0, 0, 10], 4 * cube);
  expect(scene.collide().points).toHaveLength(4);
});

test('a pair that parts has no points, and starts without impulse when it meets again', () => {
  const { scene, cube } = loadedCube([0, 0.5, 0]);
  scene.place(cube, [0, 2, 0]);
  expect(scene.collide().points).toHaveLength(0);
  expect(scene.arena.i32[L.TOUCHING_COUNT >> 2]).toBe(0);
  scene.place(cube, [0, 0.5, 0]);
  const m = scene.collide();
  expect(m.points).toHaveLength(4);
  for (const p of m.points) expect(p.impulse).toEqual([0, 0, 0, 0]);
});
