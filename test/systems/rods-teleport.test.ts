// A teleported body takes along what hangs on it alone.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRigidBody,
  addRod,
  attach,
  createPhysics,
  type Physics,
  rodPositions,
  rodVelocities,
  setVelocity,
  teleport,
} from '../../src/index';

const HAIR = { radius: 1e-3, density: 1300, youngModulus: 1e8, damping: 0.01, friction: 0.3 } as const;
/** A quarter turn about z. */
const QUARTER = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
const START = [0, 1, 0];
const THERE = [40, 3, -7];

function makeWorld(): Physics {
  return createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0], sleeping: false });
}

function addHead(physics: Physics, type: 'dynamic' | 'kinematic'): number {
  return addRigidBody(physics, {
    type,
    shape: { sphere: 0.1 },
    position: START,
    ...(type === 'dynamic' ? { mass: 2 } : {}),
  });
}

/** Three hairs side by side, out of the head along x. */
function addHair(physics: Physics, head: number, apart = 0.005): number[] {
  return [0, 1, 2].map((k) =>
    addRod(physics, {
      ...HAIR,
      points: Array.from({ length: 12 }, (_, i) => [START[0] + 0.1 + 0.01 * i, START[1] + apart * k, START[2]]),
      attachStart: head,
    }),
  );
}

/** A quarter turn about z about `from`, then to `to`. */
function turned(x: ArrayLike<number>, from: number[], to: number[]): number[] {
  return Array.from({ length: x.length / 3 }, (_, i) => [
    to[0] - (x[3 * i + 1] - from[1]),
    to[1] + (x[3 * i] - from[0]),
    to[2] + (x[3 * i + 2] - from[2]),
  ]).flat();
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (x, k) => Math.abs(x - b[k])));
}

function steps(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
}

const CALLS: [string, (physics: Physics, head: number) => void][] = [
  ['teleport', (physics, head) => teleport(physics, head, THERE, QUARTER)],
  [
    'a written Transform',
    ({ components }, head) => {
      const { position, rotation } = components.Transform;
      [position.x[head], position.y[head], position.z[head]] = THERE;
      [rotation.x[head], rotation.y[head], rotation.z[head], rotation.w[head]] = QUARTER;
    },
  ],
];

describe.each(['dynamic', 'kinematic'] as const)('%s body', (type) => {
  test.each(CALLS)('%s: the hair goes on as it would have gone on here', (_name, move) => {
    // The same world twice; one is moved.
    const [here, there] = [makeWorld(), makeWorld()].map((physics) => {
      const head = addHead(physics, type);
      const hair = addHair(physics, head);
      setVelocity(physics, head, [0, 0.2, 0], [0, 0, 1]);
      steps(physics, 20);
      setVelocity(physics, head, [0, 0, 0], [0, 0, 0]);
      return { physics, head, hair };
    });
    const { Transform } = here.physics.components;
    const center = [Transform.position.x[here.head], Transform.position.y[here.head], Transform.position.z[here.head]];
    const angle = 2 * Math.atan2(Transform.rotation.z[here.head], Transform.rotation.w[here.head]);
    move(there.physics, there.head);
    steps(here.physics, 10);
    steps(there.physics, 10);
    // How far the head itself was turned.
    const [c, s] = [Math.cos(Math.PI / 2 - angle), Math.sin(Math.PI / 2 - angle)];
    const expected = (x: Float64Array, from: number[], to: number[]) =>
      Array.from({ length: x.length / 3 }, (_, i) => {
        const [a, b, d] = [0, 1, 2].map((k) => x[3 * i + k] - from[k]);
        return [to[0] + c * a - s * b, to[1] + s * a + c * b, to[2] + d];
      }).flat();
    here.hair.forEach((rod, k) => {
      const moved = rodPositions(there.physics, there.hair[k]);
      expect(difference(moved, expected(rodPositions(here.physics, rod), center, THERE))).toBeLessThan(1e-6);
      const velocities = rodVelocities(there.physics, there.hair[k]);
      expect(difference(velocities, expected(rodVelocities(here.physics, rod), [0, 0, 0], [0, 0, 0]))).toBeLessThan(
        1e-4,
      );
    });
  });
});

test('no edge stretches in the step after, and nothing is interpolated across', () => {
  const physics = makeWorld();
  const head = addHead(physics, 'dynamic');
  const [rod] = addHair(physics, head);
  steps(physics, 5);
  const before = rodPositions(physics, rod);
  teleport(physics, head, THERE, QUARTER);
  expect(difference(rodPositions(physics, rod), turned(before, START, THERE))).toBeLessThan(1e-12);
  physics.interpolate(0.5);
  expect(physics.strands.positions[0]).toBeCloseTo(THERE[0], 4);
  physics.step();
  expect(difference(rodPositions(physics, rod), turned(before, START, THERE))).toBeLessThan(1e-6);
});

test('a rope that something else holds stays', () => {
  const physics = makeWorld();
  const crate = addHead(physics, 'dynamic');
  const points = Array.from({ length: 11 }, (_, i) => [0, 2.1 - 0.1 * i, 0]);
  const rope = addRod(physics, { ...HAIR, points, clampStart: true });
  attach(physics, { rod: rope, node: 10, body: crate });
  steps(physics, 5);
  const before = rodPositions(physics, rope);
  teleport(physics, crate, [0.01, 1, 0]);
  expect(difference(rodPositions(physics, rope), before)).toBe(0);
});
