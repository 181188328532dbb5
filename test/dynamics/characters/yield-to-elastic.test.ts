// Characters and what is elastic: balls that they kick, curtains and ropes that they walk into.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { boxMesh } from '../../../src/bench/solids-worlds';
import {
  addCharacter,
  addRigidBody,
  addRod,
  addShell,
  addSolid,
  createPhysics,
  type Physics,
  rodPositions,
  shellPositions,
  solidPositions,
  solidVelocities,
} from '../../../src/index';
import { bySuite } from '../../setup/suite';

const [RADIUS, HEIGHT] = [0.3, 1.8]; // of the character [m]

function makeWorld(): Physics {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  return physics;
}

/** A ball of cells of a cube drawn out to a sphere, on the ground. */
function addBall(physics: Physics, radius: number, density: number, youngModulus: number): number {
  const { vertices, tetrahedra } = boxMesh([2, 2, 2], [4, 4, 4], [0, 0, 0], 0);
  for (let k = 0; k < vertices.length; k += 3) {
    const p = vertices.slice(k, k + 3);
    const far = Math.max(...p.map(Math.abs));
    const length = Math.hypot(...p);
    for (let a = 0; a < 3; a++) vertices[k + a] = length > 0 ? (radius * far * p[a]) / length : 0;
    vertices[k + 1] += radius + 0.006;
  }
  return addSolid(physics, { vertices, tetrahedra, density, youngModulus });
}

/** Deepest that a point is inside the capsule of a character [m]; below 0: none is. */
function deepest(physics: Physics, hero: number, points: ArrayLike<number>): number {
  const { x, y, z } = physics.components.Transform.position;
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < points.length; k += 3) {
    const height = points[k + 1] - y[hero];
    const off = height - Math.min(Math.max(height, RADIUS), HEIGHT - RADIUS);
    most = Math.max(most, RADIUS - Math.hypot(points[k] - x[hero], off, points[k + 2] - z[hero]));
  }
  return most;
}

const meanSpeed = (physics: Physics, solid: number) => {
  const v = solidVelocities(physics, solid);
  return v.filter((_, k) => k % 3 === 0).reduce((sum, x) => sum + x, 0) / (v.length / 3);
};

interface Walk {
  speed: number;
  steps: number;
  points: () => ArrayLike<number>;
  each?: (step: number) => void;
}

/** Walks along x: the deepest that anything elastic was inside, and the least speed after a tenth of a second. */
function walk(physics: Physics, hero: number, { speed, steps, points, each }: Walk) {
  const { move, velocity } = physics.components.Character;
  let depth = Number.NEGATIVE_INFINITY;
  let slowest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < steps; k++) {
    move.x[hero] = speed;
    physics.step();
    depth = Math.max(depth, deepest(physics, hero, points()));
    if (k >= 6) slowest = Math.min(slowest, Math.sign(speed) * velocity.x[hero]);
    each?.(k);
  }
  return { depth, slowest, x: physics.components.Transform.position.x[hero] };
}

describe('a soft ball', () => {
  const [soft, hard] = [2e4, 2e5];
  const slow = [soft, hard].map((modulus) => [modulus, 2]);
  const fast = [soft, hard].map((modulus) => [modulus, 5]);
  test.each([...bySuite([], slow), ...fast])(
    'of %d Pa goes at about the speed of who kicks it at %d m/s, and stays out of him',
    (youngModulus, speed) => {
      const physics = makeWorld();
      const ball = addBall(physics, 0.15, 100, youngModulus);
      const hero = addCharacter(physics, { position: [-0.6, 0.02, 0] });
      let fastest = 0;
      const { depth, slowest } = walk(physics, hero, {
        ...{ speed, steps: 40, points: () => solidPositions(physics, ball) },
        each: () => {
          fastest = Math.max(fastest, meanSpeed(physics, ball));
        },
      });
      expect(depth).toBeLessThan(0.002);
      expect(fastest / speed).toBeGreaterThan(0.95);
      expect(fastest / speed).toBeLessThan(1.5);
      // 1.4 kg against 70.
      expect(slowest / speed).toBeGreaterThan(0.9);
    },
  );

  test('that weighs more than he does gets his momentum, and stops him as much', () => {
    const physics = makeWorld();
    const ball = addBall(physics, 0.3, 1000, 2e5);
    const hero = addCharacter(physics, { position: [-1.2, 0.02, 0] });
    let fastest = 0;
    const { depth, slowest } = walk(physics, hero, {
      ...{ speed: 2, steps: 50, points: () => solidPositions(physics, ball) },
      each: () => {
        fastest = Math.max(fastest, meanSpeed(physics, ball));
      },
    });
    expect(depth).toBeLessThan(0.002);
    expect(slowest).toBeLessThan(1.2);
    expect(fastest).toBeLessThan(2);
  });
});

test('a block goes by his push force, and stays where friction holds more', () => {
  const moved = [150, 450].map((pushForce) => {
    const physics = makeWorld();
    const mesh = boxMesh([0.4, 0.4, 0.4], [1, 1, 1], [0, 0.206, 0], 0);
    const block = addSolid(physics, { ...mesh, density: 780, youngModulus: 1e6, friction: 0.6 });
    const hero = addCharacter(physics, { position: [-0.55, 0.02, 0], pushForce });
    walk(physics, hero, { speed: 0.5, steps: 60, points: () => solidPositions(physics, block) });
    const from = solidPositions(physics, block)[0];
    walk(physics, hero, { speed: 0.5, steps: 60, points: () => solidPositions(physics, block) });
    return solidPositions(physics, block)[0] - from;
  });
  expect(Math.abs(moved[0])).toBeLessThan(0.005);
  expect(moved[1]).toBeGreaterThan(0.3);
});

const post = (physics: Physics, position: [number, number, number]) =>
  addRigidBody(physics, { type: 'static', shape: { sphere: 0.02 }, position });

test('a curtain and a hanging rope let him through from both sides, in mirror image', () => {
  // The next test has a rope, too.
  for (const what of ['curtain', ...bySuite([], ['rope'])]) {
    const ends = [1, -1].map((side) => {
      const physics = makeWorld();
      let points: () => ArrayLike<number>;
      if (what === 'curtain') {
        const [nx, ny] = [8, 12];
        const vertices: number[] = [];
        const triangles: number[] = [];
        for (let j = 0; j <= ny; j++) {
          for (let i = 0; i <= nx; i++) vertices.push(0, 0.15 + (1.9 * j) / ny, 1.2 * (i / nx - 0.5));
        }
        for (let j = 0; j < ny; j++) {
          for (let i = 0; i < nx; i++) {
            const a = j * (nx + 1) + i;
            triangles.push(a, a + 1, a + nx + 2, a, a + nx + 2, a + nx + 1);
          }
        }
        const pins = Array.from({ length: nx + 1 }, (_, i) => ({ vertex: ny * (nx + 1) + i }));
        const sheet = addShell(physics, { vertices, triangles, pins });
        points = () => shellPositions(physics, sheet);
      } else {
        const places = Array.from({ length: 25 }, (_, i) => [0, 2.2 - (1.9 * i) / 24, 0]).flat();
        const hook = post(physics, [0, 2.2, 0]);
        const rope = addRod(physics, { points: places, radius: 0.012, youngModulus: 1e7, attachStart: hook });
        points = () => rodPositions(physics, rope);
      }
      const hero = addCharacter(physics, { position: [-0.8 * side, 0.02, 0] });
      const { depth, slowest, x } = walk(physics, hero, { speed: 1.5 * side, steps: 100, points });
      expect(depth).toBeLessThan(0.002);
      expect(slowest).toBeGreaterThan(1.3);
      return side * x;
    });
    expect(ends[0]).toBeGreaterThan(1.6);
    expect(ends[1]).toBeCloseTo(ends[0], 3);
  }
});

test('a rope across his way stops him, from both sides', () => {
  for (const side of [1, -1]) {
    const physics = makeWorld();
    const places = Array.from({ length: 25 }, (_, i) => [0, 1, -1.5 + (3 * i) / 24]).flat();
    const attachStart = post(physics, [0, 1, -1.5]);
    const attachEnd = post(physics, [0, 1, 1.5]);
    const spec = { radius: 0.012, youngModulus: 1e7, attachStart, attachEnd };
    const rope = addRod(physics, { points: places, ...spec });
    const hero = addCharacter(physics, { position: [-0.8 * side, 0.02, 0] });
    const points = () => rodPositions(physics, rope);
    const { depth } = walk(physics, hero, { speed: 4 * side, steps: 60, points });
    expect(depth).toBeLessThan(0.002);
    const { x } = walk(physics, hero, { speed: 1.5 * side, steps: 120, points });
    // 300 N in the middle: it gives way, and holds him.
    expect(side * x).toBeGreaterThan(0.1);
    expect(side * x).toBeLessThan(0.8);
  }
});

test('what he wears does not push him', () => {
  const physics = makeWorld();
  const hero = addCharacter(physics, { position: [0, 0.02, 0] });
  const { vertices, triangles } = {
    vertices: [-0.31, 1.4, -0.2, -0.31, 1.4, 0.2, -0.31, 0.8, -0.2, -0.31, 0.8, 0.2],
    triangles: [0, 1, 3, 0, 3, 2],
  };
  const pins = [0, 1].map((vertex) => ({ vertex, body: hero }));
  addShell(physics, { vertices, triangles, pins });
  const { velocity, move } = physics.components.Character;
  for (let k = 0; k < 60; k++) {
    move.x[hero] = k < 30 ? -2 : 0;
    physics.step();
    if (k > 2) expect(velocity.x[hero]).toBe(k < 30 ? -2 : 0);
  }
});

test('a snapshot taken while he pushes a ball repeats to the bit', () => {
  const physics = makeWorld();
  const ball = addBall(physics, 0.3, 300, 1e5);
  const hero = addCharacter(physics, { position: [-0.7, 0.02, 0] });
  const points = () => solidPositions(physics, ball);
  walk(physics, hero, { speed: 2, steps: 12, points });
  const kept = physics.snapshot();
  walk(physics, hero, { speed: 2, steps: 12, points });
  const hash = physics.hash();
  physics.restore(kept);
  walk(physics, hero, { speed: 2, steps: 12, points });
  expect(physics.hash()).toBe(hash);
});
