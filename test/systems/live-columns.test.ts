// One rule for columns: what a game writes acts in the next step, whether the body moves, sleeps or is static.

import { createWorld, hasComponent, observe, onAdd, onRemove } from 'bitecs';
import { expect, test, vi } from 'vitest';
import {
  addJoint,
  addRigidBody,
  addRod,
  applyForce,
  applyImpulse,
  attach,
  attachmentDistance,
  createPhysics,
  createShape,
  type Physics,
  type PhysicsSettings,
} from '../../src/index';

/** A slope of 20° on which a box of friction 0.6 rests; asleep after a second. */
function slope(settings: PhysicsSettings = {}): {
  physics: Physics;
  ground: number;
  box: number;
  run(n: number): void;
} {
  const physics = createPhysics(createWorld(), settings);
  const [s, c] = [Math.sin(Math.PI / 18), Math.cos(Math.PI / 18)];
  const tilt = { rotation: [0, 0, s, c], friction: 0.6 };
  const ground = addRigidBody(physics, { type: 'static', shape: { box: [20, 1, 20] }, ...tilt });
  const up = [-2 * s * c, c * c - s * s];
  const box = addRigidBody(physics, {
    shape: { box: [0.5, 0.5, 0.5] },
    position: [1.5 * up[0], 1.5 * up[1], 0],
    ...tilt,
  });
  const run = (n: number) => {
    for (let i = 0; i < n; i++) physics.step();
  };
  run(90);
  expect(hasComponent(physics.world, box, physics.components.Sleeping)).toBe(true);
  return { physics, ground, box, run };
}

const speed = ({ components }: Physics, eid: number) =>
  Math.hypot(components.Velocity.linear.x[eid], components.Velocity.linear.y[eid]);

test.each(['box', 'ground'] as const)('friction of a sleeping box and of the static ground: %s', (which) => {
  const world = slope();
  const { physics, box, run } = world;
  physics.components.Material.friction[world[which]] = 0;
  run(1);
  // Within the first step, g sin 20° dt.
  expect(speed(physics, box)).toBeCloseTo((9.81 * Math.sin(Math.PI / 9)) / 60, 4);
  physics.components.Material.friction[world[which]] = 0.6;
  run(1);
  expect(speed(physics, box)).toBeLessThan((9.81 * Math.sin(Math.PI / 9)) / 60);
});

test('rules of combination', () => {
  const { physics, box, ground, run } = slope();
  physics.components.Material.friction[ground] = 0;
  physics.components.Material.combineFriction[box] = 5;
  run(5);
  expect(speed(physics, box)).toBeLessThan(1e-3);
  physics.components.Material.combineFriction[box] = 4;
  run(1);
  expect(speed(physics, box)).toBeGreaterThan(0.05);
});

test('restitution', () => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const ball = addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 2, 0] });
  for (let i = 0; i < 10; i++) physics.step();
  physics.components.Material.restitution[ball] = 1;
  let top = 0;
  for (let i = 0; i < 80; i++) {
    physics.step();
    if (i > 40) top = Math.max(top, physics.components.Transform.position.y[ball]);
  }
  expect(top).toBeGreaterThan(1.9);
});

test('layers and mask: what shall not touch any more falls, and touches end; and the other way round', () => {
  const physics = createPhysics(createWorld());
  const { components, world } = physics;
  const ground = addRigidBody(physics, { type: 'static', shape: { box: [5, 1, 5] } });
  const box = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 1.5, 0] });
  const seen: string[] = [];
  observe(world, onAdd(components.Contact), () => seen.push('began'));
  observe(world, onRemove(components.Contact), () => seen.push('ended'));
  for (let i = 0; i < 90; i++) physics.step();
  expect(hasComponent(world, box, components.Sleeping)).toBe(true);
  expect(seen).toEqual(['began']);
  components.Collider.mask[ground] = 0xfffe;
  physics.step();
  expect(components.Velocity.linear.y[box]).toBeCloseTo(-9.81 / 60, 9);
  expect(seen).toEqual(['began', 'ended']);
  components.Collider.layers[box] = 2;
  for (let i = 0; i < 20; i++) physics.step();
  expect(seen).toEqual(['began', 'ended', 'began']);
});

test('shape: another one from the next step on, in place', () => {
  const physics = createPhysics(createWorld());
  const { components } = physics;
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const ball = addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 0.5, 0], mass: 3 });
  for (let i = 0; i < 90; i++) physics.step();
  components.Collider.shape[ball] = createShape(physics, { sphere: 0.25 });
  for (let i = 0; i < 60; i++) physics.step();
  expect(components.Transform.position.y[ball]).toBeCloseTo(0.25, 2);
  expect(components.RigidBody.mass[ball]).toBe(3);
});

test('locks, inertia, centre of mass, mass 0, canSleep', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const { RigidBody, Velocity, Transform } = physics.components;
  const box = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, angularVelocity: [1, 2, 3], mass: 6 });
  physics.step();
  RigidBody.lockRotation[box] = 1 | 4;
  physics.step();
  expect([Velocity.angular.x[box], Velocity.angular.z[box]]).toEqual([0, 0]);
  expect(Velocity.angular.y[box]).toBeCloseTo(2, 6);
  RigidBody.lockRotation[box] = 0;
  RigidBody.inertia.x[box] = RigidBody.inertia.y[box] = RigidBody.inertia.z[box] = 5;
  RigidBody.torque.x[box] = 60;
  physics.step();
  expect(Velocity.angular.x[box]).toBeCloseTo(60 / 60 / 5, 9);
  // The centre moves, the entity's frame stays where it is and goes on turning.
  RigidBody.centerOffset.x[box] = 0.3;
  const before = [Transform.position.x[box], Transform.position.y[box], Transform.position.z[box]];
  physics.step();
  const moved = Math.hypot(
    Transform.position.x[box] - before[0],
    Transform.position.y[box] - before[1],
    Transform.position.z[box] - before[2],
  );
  expect(moved).toBeLessThan(0.01);
  expect(Math.hypot(Velocity.linear.x[box], Velocity.linear.y[box], Velocity.linear.z[box])).toBeGreaterThan(0.3);
  RigidBody.mass[box] = 0;
  physics.step();
  expect(RigidBody.mass[box]).toBe(1000);
  RigidBody.canSleep[box] = 0;
  for (let i = 0; i < 90; i++) physics.step();
  expect(hasComponent(physics.world, box, physics.components.Sleeping)).toBe(false);
});

test('Attachment.length: a rope that is drawn in', () => {
  const physics = createPhysics(createWorld());
  const crate = addRigidBody(physics, { shape: { box: [0.2, 0.2, 0.2] }, position: [0, 1, 0], mass: 2 });
  const points = Array.from({ length: 5 }, (_, i) => [0.1 * i, 3, 0]);
  const rod = addRod(physics, { points, radius: 0.01, youngModulus: 1e8, clampStart: true });
  const joint = attach(physics, { rod, node: 1, body: crate, point: [0, 0.2, 0], length: 1.8 });
  for (let i = 0; i < 120; i++) physics.step();
  expect(attachmentDistance(physics, joint)).toBeCloseTo(1.8, 2);
  for (let length = 1.8; length > 0.6; length -= 0.02) {
    physics.components.Attachment.length[joint] = length;
    physics.step();
  }
  for (let i = 0; i < 60; i++) physics.step();
  expect(attachmentDistance(physics, joint)).toBeLessThan(0.64);
});

test('values that have no effect are told once, with the remedy, and in the report of each step', () => {
  const warn = vi.fn();
  const { physics, box, run } = slope({ warn });
  const { RigidBody, Material, Collider, Transform } = physics.components;
  const dead: [string, () => void, RegExp][] = [
    [
      'mass',
      () => (RigidBody.mass[box] = Number.NaN),
      /RigidBody.mass of entity \d+: must be at least 1e-30 and at most .* the one before stays; .*, got NaN/,
    ],
    ['mass', () => (RigidBody.mass[box] = -1), /must be at least 1e-30/],
    ['friction', () => (Material.friction[box] = Number.NaN), /Material.friction .* must be >= 0/],
    ['restitution', () => (Material.restitution[box] = 2), /Material.restitution .* must be 0..1/],
    ['shape', () => (Collider.shape[box] = 99), /Collider.shape .* must be an id from createShape/],
    ['locks', () => (RigidBody.lockRotation[box] = 9), /RigidBody.lockRotation .* 0 to 7/],
    ['pose', () => (Transform.position.x[box] = Number.POSITIVE_INFINITY), /Transform .* must be finite/],
    [
      'gravity',
      () => (RigidBody.gravityScale[box] = Number.NaN),
      /gravityScale .* must be within ±1000000; the one before stays/,
    ],
    ['damping', () => (RigidBody.linearDamping[box] = -1), /linearDamping.* must be >= 0/],
  ];
  for (const [, write, text] of dead) {
    write();
    run(1);
    expect(physics.report.limits.join('\n')).toMatch(text);
  }
  const told = warn.mock.calls.map(([text]) => String(text));
  expect(told.length).toBe(dead.length - 1);
  for (const text of told) expect(text).toMatch(/^stiction: .*report.limits/);
  expect(RigidBody.gravityScale[box]).toBe(1);
  expect(RigidBody.linearDamping[box]).toBe(0);
  run(1);
  expect(physics.report.limits).toEqual([]);
  expect(physics.report.quarantined).toEqual([]);
});

test('a mass of Infinity, an impulse of 1e308 and friction beyond use leave everybody healthy', () => {
  const warn = vi.fn();
  const physics = createPhysics(createWorld(), { warn });
  const { RigidBody, Material, Transform } = physics.components;
  const ground = addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const tower = [0, 1, 2, 3].map((i) =>
    addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5 + i, 0] }),
  );
  for (const mass of [Number.POSITIVE_INFINITY, 1e15, 1e14, 1e13]) {
    RigidBody.mass[tower[3]] = mass;
    for (let i = 0; i < 60; i++) physics.step();
    expect(RigidBody.mass[tower[3]]).toBeCloseTo(1000, 9);
    expect(physics.report.quarantined).toEqual([]);
  }
  Material.friction[tower[2]] = 1e308;
  Material.friction[ground] = Number.MAX_VALUE;
  applyImpulse(physics, tower[1], [1e308, 1e308, -1e308]);
  applyImpulse(physics, tower[1], [1e308, 1e308, -1e308], [1e8, 1e8, 1e308]);
  applyForce(physics, tower[0], [1e308, 0, 0], [0, 1e308, 0]);
  RigidBody.force.z[tower[2]] = 1e308;
  for (let i = 0; i < 60; i++) physics.step();
  expect(Material.friction[tower[2]]).toBe(1000);
  expect(physics.report.quarantined).toEqual([]);
  for (const eid of tower) expect(Number.isFinite(Transform.position.y[eid])).toBe(true);
  const told = warn.mock.calls.map(([text]) => String(text)).join('\n');
  expect(told).toMatch(/RigidBody.mass .* at most 1000000000000 \[kg\]; .* what shall not move is Static/);
  expect(told).toMatch(/Material.friction .* more than 1000 holds no better/);
});

/** A ball in free space, and what a system writes in each step, at this place in it. */
function written(where: 'predict-motion' | 'find-pairs' | 'copy-out', write: (physics: Physics, ball: number) => void) {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const ball = addRigidBody(physics, { shape: { sphere: 0.5 }, mass: 2 });
  physics.step();
  physics.schedule.before(where, () => write(physics, ball));
  return { physics, ball };
}

test('what a system writes before predict-motion acts in the same step', () => {
  const { physics, ball } = written('predict-motion', ({ components }, eid) => {
    components.Velocity.linear.x[eid] += 1;
    components.RigidBody.force.y[eid] = 120;
    components.Transform.position.z[eid] = 7;
  });
  const { Transform, Velocity } = physics.components;
  physics.step();
  expect(Velocity.linear.x[ball]).toBe(1);
  expect(Velocity.linear.y[ball]).toBeCloseTo(1, 12); // 120 N on 2 kg for 1/60 s
  expect(Transform.position.z[ball]).toBe(7);
  physics.step();
  expect(Velocity.linear.x[ball]).toBe(2);
  expect(Velocity.linear.y[ball]).toBeCloseTo(2, 12);
});

test.each(['find-pairs', 'copy-out'] as const)('what one writes before %s acts in the next step', (where) => {
  const { physics, ball } = written(where, ({ components, stepCount }, eid) => {
    if (stepCount > 1) return;
    components.Velocity.linear.x[eid] = 3;
    components.Transform.position.z[eid] = 7;
  });
  const { Transform, Velocity } = physics.components;
  physics.step();
  expect(Transform.position.x[ball]).toBe(0);
  expect(Velocity.linear.x[ball]).toBe(3); // waits
  physics.step();
  expect(Transform.position.x[ball]).toBeCloseTo(3 / 60, 12);
  expect(Velocity.linear.x[ball]).toBe(3);
  expect(Transform.position.z[ball]).toBe(7);
});

test('a callback of `warn` that steps another world leaves the columns of joints as they are', () => {
  const wheels = (settings: PhysicsSettings, velocity: number) => {
    const physics = createPhysics(createWorld(), settings);
    const hinges = [0, 3].map((x) => {
      const a = addRigidBody(physics, { shape: { sphere: 0.5 }, position: [x, 0, 0] });
      const motor = { velocity, maxForce: 5 };
      return addJoint(physics, { type: 'hinge', a, anchor: [x, 0, 0], axis: [0, 0, 1], motor });
    });
    return { physics, hinges };
  };
  const other = wheels({}, 7);
  const warned: string[] = [];
  const { physics, hinges } = wheels({ warn: (line) => warned.push(line) && other.physics.step() }, 2);
  physics.step();
  const { Joint } = physics.components;
  Joint.motorVelocity[hinges[0]] = Number.NaN;
  physics.step();
  expect(warned.length).toBeGreaterThan(0);
  expect(hinges.map((eid) => Joint.motorVelocity[eid])).toEqual([2, 2]);
});
