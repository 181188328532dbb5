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
  setKinematicTarget,
  setVelocity,
  teleport,
} from '../../../src/index';

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

test('a Transform written a little further every step is motion: hair sways as with a kinematic target', () => {
  const lag = (move: (physics: Physics, head: number, x: number) => void): number => {
    const physics = makeWorld();
    const head = addHead(physics, 'kinematic');
    const points = Array.from({ length: 12 }, (_, i) => [START[0] + 0.1 + 0.01 * i, START[1], START[2]]);
    const rod = addRod(physics, { ...HAIR, youngModulus: 1e6, points, attachStart: head });
    for (let i = 1; i <= 6; i++) {
      move(physics, head, 0.02 * i);
      physics.step();
    }
    // How far the tip is behind the root.
    const at = rodPositions(physics, rod);
    return at[1] - at[at.length - 2];
  };
  const written = lag(({ components }, head, y) => {
    components.Transform.position.y[head] = START[1] + y;
  });
  const driven = lag((physics, head, y) => setKinematicTarget(physics, head, [START[0], START[1] + y, START[2]]));
  const jumped = lag((physics, head, y) => teleport(physics, head, [START[0], START[1] + y, START[2]]));
  expect(written).toBeGreaterThan(0.02);
  expect(written / driven).toBeGreaterThan(0.7);
  expect(written / driven).toBeLessThan(1.3);
  expect(Math.abs(jumped)).toBeLessThan(1e-6);
});

test('a Transform written farther than the hair is long, or turned by more than a radian, takes it along', () => {
  for (const [way, angle] of [
    [0.2, 0],
    [0, 1.5],
  ]) {
    const physics = makeWorld();
    const head = addHead(physics, 'kinematic');
    const [rod] = addHair(physics, head);
    physics.step();
    const before = rodPositions(physics, rod);
    const { position, rotation } = physics.components.Transform;
    position.y[head] = START[1] + way;
    [rotation.x[head], rotation.w[head]] = [Math.sin(angle / 2), Math.cos(angle / 2)];
    physics.step();
    const after = rodPositions(physics, rod);
    const length = (x: Float64Array) => Math.hypot(x[0] - x[33], x[1] - x[34], x[2] - x[35]);
    expect(after[1] - before[1]).toBeCloseTo(way, 6);
    expect(length(after)).toBeCloseTo(length(before), 6);
  }
});
