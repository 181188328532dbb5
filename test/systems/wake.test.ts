// What wakes a body that sleeps: all that a game does to it or under it acts in the next step.

import { createWorld, hasComponent } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { addRigidBody, addRod, createPhysics, type Physics, rodPositions, teleport } from '../../src/index';
import { bySuite } from '../setup/suite';

/** A box of 0.6 m asleep on a plane. */
function createSleeper() {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const box = addRigidBody(physics, { shape: { box: [0.3, 0.3, 0.3] }, position: [0, 0.3, 0], mass: 2 });
  for (let k = 0; k < 120; k++) physics.step();
  expect(isAsleep(physics, box)).toBe(true);
  return { physics, box };
}

const isAsleep = ({ world, components }: Physics, entity: number) => hasComponent(world, entity, components.Sleeping);

describe('a sleeping body', () => {
  it('is pushed out by a static body that is added in its place', () => {
    const { physics, box } = createSleeper();
    addRigidBody(physics, { type: 'static', shape: { box: [0.3, 0.3, 0.3] }, position: [0.2, 0.3, 0] });
    physics.step();
    expect(isAsleep(physics, box)).toBe(false);
    for (let k = 0; k < 120; k++) physics.step();
    const { x, y } = physics.components.Transform.position;
    expect(Math.max(Math.abs(x[box] - 0.2), y[box] - 0.3)).toBeGreaterThan(0.59);
  });

  it.each([
    ['teleport', (physics: Physics, wall: number) => teleport(physics, wall, [0.2, 0.3, 0])],
    [
      'a write to its Transform',
      (physics: Physics, wall: number) => {
        physics.components.Transform.position.x[wall] = 0.2;
      },
    ],
  ])('wakes in the next step when a static body comes by %s', (_name, move) => {
    const { physics, box } = createSleeper();
    const wall = addRigidBody(physics, { type: 'static', shape: { box: [0.3, 0.3, 0.3] }, position: [5, 0.3, 0] });
    for (let k = 0; k < 3; k++) physics.step();
    expect(isAsleep(physics, box)).toBe(true);
    move(physics, wall);
    physics.step();
    expect(isAsleep(physics, box)).toBe(false);
  });

  it('sleeps on when a static body or a sensor comes elsewhere', () => {
    const { physics, box } = createSleeper();
    addRigidBody(physics, { type: 'static', shape: { box: [0.3, 0.3, 0.3] }, position: [5, 0.3, 0] });
    addRigidBody(physics, { type: 'static', shape: { sphere: 1 }, position: [0, 0, 0], sensor: true });
    physics.step();
    expect(isAsleep(physics, box)).toBe(true);
  });

  it('takes a force written to its columns in each step, as if it were awake', () => {
    const { physics, box } = createSleeper();
    const { force } = physics.components.RigidBody;
    const { y: height } = physics.components.Transform.position;
    for (let k = 0; k < 30; k++) {
      force.y[box] = 40;
      physics.step();
    }
    // 20 − 9.81 m/s² for 30 steps: no step of it is late or counted twice.
    const n = 30;
    expect(physics.components.Velocity.linear.y[box]).toBeCloseTo(((20 - 9.81) * n) / 60, 3);
    expect(height[box]).toBeCloseTo(0.3 + (((20 - 9.81) / 3600) * (n * (n + 1))) / 2, 2);
  });

  it('feels its gravityScale, and what it rests on its mass, in the next step', () => {
    const { physics, box } = createSleeper();
    physics.components.RigidBody.gravityScale[box] = -1;
    physics.step();
    expect(physics.components.Velocity.linear.y[box]).toBeCloseTo(9.81 / 60, 3);
    const other = createSleeper();
    other.physics.components.RigidBody.mass[other.box] = 5;
    other.physics.step();
    expect(isAsleep(other.physics, other.box)).toBe(false);
  });
});

it('with sleepDelay 0 nothing that moves falls asleep', () => {
  const physics = createPhysics(createWorld(), { sleepDelay: 0 });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0 });
  const line = (x: number, y: number) => Array.from({ length: 6 }, (_, i) => [x, y - 0.1 * i, 0] as const);
  const rope = { radius: 0.01, density: 1000, youngModulus: 1e6 };
  addRod(physics, { points: line(0, 2), ...rope, clampStart: true });
  const falling = addRod(physics, { points: line(1, 10), ...rope });
  const puck = addRigidBody(physics, {
    shape: { box: [0.3, 0.1, 0.3] },
    position: [3, 0.1, 0],
    velocity: [2, 0, 0],
    friction: 0,
  });
  for (let k = 0; k < 60; k++) physics.step();
  expect(rodPositions(physics, falling)[1]).toBeCloseTo(10 - (9.81 / 3600) * ((60 * 61) / 2), 1);
  expect(physics.components.Transform.position.x[puck]).toBeCloseTo(5, 2);
});

it('bodies made at one point are not pushed into the ground, nor sleep in it', () => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const balls = Array.from({ length: bySuite(40, 100) }, () =>
    addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 1, 0] }),
  );
  for (let k = 0; k < bySuite(400, 1200); k++) physics.step();
  const { y } = physics.components.Transform.position;
  expect(Math.min(...balls.map((ball) => y[ball]))).toBeGreaterThan(0.49);
});
