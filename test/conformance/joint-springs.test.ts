// Joints of nodes that give way, and that break: against statics. On both backends.

import { createWorld, hasComponent } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRigidBody,
  addRod,
  addSolid,
  applyForce,
  attach,
  attachmentDistance,
  createPhysics,
  detach,
  loadGame,
  type Physics,
  rodPositions,
  saveGame,
} from '../../src/index';
import { box } from '../mechanics/solid/solid-world';

const G = 9.81;
const world = (backend: 'wasm' | 'reference', gravity = -G) =>
  createPhysics(createWorld(), { userTiming: false, gravity: [0, gravity, 0], elastic: { backend } });

const run = (physics: Physics, steps: number) => {
  for (let k = 0; k < steps; k++) physics.step();
};

const ROPE = { radius: 0.004, density: 1000, youngModulus: 1e8, damping: 0.01 };

/** A rope of 20 cm that hangs down from (0, 0, 0). */
const addRope = (physics: Physics, clampStart = false) =>
  addRod(physics, { points: [0, 1, 2, 3, 4].map((k) => [0, -0.05 * k, 0] as const), clampStart, ...ROPE });

/** How far what has a frequency sags under its own weight [m]. */
const sagOf = (frequency: number) => G / (2 * Math.PI * frequency) ** 2;

describe.each(['wasm', 'reference'] as const)('%s', (backend) => {
  test('a rope on a spring sags by its weight over the stiffness, and the column tells the weight', () => {
    const physics = world(backend);
    const rope = addRope(physics);
    const joint = attach(physics, { rod: rope, node: 'start', spring: { frequency: 2 } });
    run(physics, 240);
    expect(attachmentDistance(physics, joint) / sagOf(2)).toBeCloseTo(1, 3);
    const weight = Math.PI * ROPE.radius ** 2 * ROPE.density * 0.2 * G;
    const { force, impulse } = physics.components.Attachment;
    expect(force.y[joint] / weight).toBeCloseTo(1, 3);
    expect(force.y[joint]).toBe(impulse.y[joint] / physics.settings.timeStep);
  });

  test('a crate on a rope: its own frequency counts, by ball and beyond the length of a tether, and live', () => {
    const physics = world(backend);
    const spring = { frequency: 1.5, dampingRatio: 0.7 };
    const hang = (x: number, length: number) => {
      const rod = addRod(physics, {
        points: [0, 1, 2].map((k) => [x, -0.05 * k, 0] as const),
        clampStart: true,
        ...ROPE,
      });
      const body = addRigidBody(physics, { shape: { box: [0.05, 0.05, 0.05] }, mass: 2, position: [x, -0.2, 0] });
      return attach(physics, { rod, node: 'end', body, point: [0, 0.05, 0], length, spring });
    };
    const [ball, tether] = [hang(0, 0), hang(1, 0.05)];
    // What sleeps may be some 0.1 mm from where it would come to rest.
    const sags = () => [attachmentDistance(physics, ball), attachmentDistance(physics, tether) - 0.05];
    run(physics, 200);
    for (const sag of sags()) expect(Math.abs(sag / sagOf(1.5) - 1)).toBeLessThan(2e-3);
    expect(Math.abs(physics.components.Attachment.force.y[ball] / (-2 * G) - 1)).toBeLessThan(2e-3);
    physics.components.Attachment.springFrequency[ball] = 3;
    physics.components.Attachment.springFrequency[tether] = 0;
    run(physics, 200);
    expect(Math.abs(sags()[0] / sagOf(3) - 1)).toBeLessThan(4e-3);
    expect(Math.abs(sags()[1])).toBeLessThan(1e-6);
  });

  test('two ropes in the air swing on the spring between them as the mass of both says, step by step', () => {
    const physics = world(backend, 0);
    const [low, high] = [0, 0.1].map((y) =>
      addRod(physics, { points: [-2, -1, 0, 1, 2].map((k) => [0, y, 0.03 * k] as const), ...ROPE }),
    );
    const spring = { frequency: 0.8, dampingRatio: 0.05 };
    const joint = attach(physics, { rod: low, node: 2, to: { rod: high, node: 2 }, spring });
    // Implicit Euler of one mass on one spring.
    const omega = 2 * Math.PI * spring.frequency;
    const h = physics.settings.timeStep;
    let [x, v] = [0.1, 0];
    for (let k = 0; k < 15; k++) {
      physics.step();
      v = (v - h * omega * omega * x) / (1 + h * omega * (h * omega + 2 * spring.dampingRatio));
      x += h * v;
    }
    expect(attachmentDistance(physics, joint) / x).toBeCloseTo(1, 2);
  });

  test('breaks at its force within 1 %, not below, and says so as joints of bodies do', () => {
    const physics = world(backend, 0);
    const rod = addRope(physics, true);
    const body = addRigidBody(physics, { shape: { box: [0.05, 0.05, 0.05] }, mass: 1, position: [0, -0.25, 0] });
    const joint = attach(physics, { rod, node: 'end', body, point: [0, 0.05, 0], breakForce: 40 });
    const { Broken, Attachment } = physics.components;
    const pull = (newton: number) => {
      applyForce(physics, body, [0, -newton, 0]);
      physics.step();
    };
    for (let k = 0; k < 120; k++) pull((39.6 * Math.min(k, 60)) / 60);
    expect(hasComponent(physics.world, joint, Broken)).toBe(false);
    expect(Attachment.force.y[joint]).toBeCloseTo(-39.6, 1);
    expect(physics.report.joints.broken).toBe(0);
    let load = 39.6;
    while (!hasComponent(physics.world, joint, Broken) && load < 50) {
      load += 0.01;
      pull(load);
    }
    expect(physics.report.joints.broken).toBe(1);
    expect(-Attachment.force.y[joint]).toBeGreaterThan(40);
    expect(-Attachment.force.y[joint]).toBeLessThan(40.4);
    const gone = attachmentDistance(physics, joint);
    for (let k = 0; k < 30; k++) pull(load);
    expect(Math.abs(Attachment.force.y[joint])).toBe(0);
    expect(attachmentDistance(physics, joint)).toBeGreaterThan(gone + 1);
    expect(physics.report.joints.broken).toBe(0);
    detach(physics, joint);
    run(physics, 2);
    expect(physics.report.strands.quarantined).toBe(0);
  });
});

test('by conjugate residuals a solid on springs sags as statics says', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, elastic: { solver: 'conjugate-residual' } });
  const mesh = box([1, 1, 1], [0, 0, 0], [0.1, 0.1, 0.1]);
  const solid = addSolid(physics, { ...mesh, density: 1000, youngModulus: 1e7, damping: 0.01 });
  const top = [0, 1, 2, 3, 4, 5, 6, 7].filter((vertex) => mesh.vertices[3 * vertex + 1] > 0.05);
  const joints = top.map((vertex) => attach(physics, { solid, vertex, spring: { frequency: 2 } }));
  run(physics, 90);
  // Each spring is as stiff as one that the whole hangs on; four share the load.
  for (const joint of joints)
    expect(Math.abs((4 * attachmentDistance(physics, joint)) / sagOf(2) - 1)).toBeLessThan(0.01);
});

test('springs, strengths and what broke come back with a snapshot and a saved game', () => {
  const play = () => {
    const physics = world('wasm');
    const rope = addRope(physics);
    const joint = attach(physics, { rod: rope, node: 'start', spring: { frequency: 2 }, breakForce: 5 });
    const weak = attach(physics, {
      rod: rope,
      node: 'end',
      point: [0.3, -0.2, 0],
      spring: { frequency: 20 },
      breakForce: 1,
    });
    return { physics, rope, joint, weak };
  };
  const { physics, rope, joint, weak } = play();
  run(physics, 5);
  const { Broken, Attachment } = physics.components;
  expect([joint, weak].map((eid) => hasComponent(physics.world, eid, Broken))).toEqual([false, true]);
  const snapshot = physics.snapshot();
  const saved = saveGame(physics);
  run(physics, 20);
  const later = [...rodPositions(physics, rope)];
  detach(physics, weak);
  Attachment.breakForce[joint] = 7;
  run(physics, 3);
  physics.restore(snapshot);
  expect([joint, weak].map((eid) => hasComponent(physics.world, eid, Broken))).toEqual([false, true]);
  expect([Attachment.springFrequency[joint], Attachment.springDamping[joint]]).toEqual([2, 1]);
  expect([Attachment.breakForce[joint], Attachment.breakForce[weak]]).toEqual([5, 1]);
  run(physics, 20);
  expect([...rodPositions(physics, rope)]).toEqual(later);

  const fresh = world('wasm');
  const numbers = loadGame(fresh, saved);
  expect(hasComponent(fresh.world, numbers.get(weak) ?? 0, fresh.components.Broken)).toBe(true);
  run(fresh, 20);
  expect([...rodPositions(fresh, numbers.get(rope) ?? 0)]).toEqual(later);
});

test('a strand of the device can have neither spring nor strength; numbers that make no sense are told', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0], warn: () => {} });
  const away = addRod(physics, {
    points: [
      [0, 0, 0],
      [0.1, 0, 0],
      [0.2, 0, 0],
    ],
    ...ROPE,
    backend: 'webgpu',
  });
  const spring = { frequency: 2 };
  const remedy = "of a rod of backend 'webgpu'; make the rod with 'auto' or 'wasm', got ";
  expect(() => attach(physics, { rod: away, node: 0, spring })).toThrow(`attach: spring must not be given ${remedy}`);
  expect(() => attach(physics, { rod: away, node: 0, breakForce: 3 })).toThrow(
    `attach: breakForce must not be given ${remedy}3`,
  );
  const rod = addRope(physics);
  expect(() => attach(physics, { rod, node: 0, spring: { frequency: 0 } })).toThrow(
    'attach: spring.frequency must be > 0 [Hz], got 0',
  );
  expect(() => attach(physics, { rod, node: 0, breakForce: -1 })).toThrow('attach: breakForce must be > 0 [N], got -1');

  const [joint, held] = [attach(physics, { rod, node: 0 }), attach(physics, { rod: away, node: 0 })];
  const { Attachment } = physics.components;
  Attachment.springFrequency[joint] = -1;
  Attachment.breakForce[joint] = 0;
  Attachment.springFrequency[held] = 2;
  Attachment.breakForce[held] = 9;
  run(physics, 1);
  expect([joint, held].map((eid) => Attachment.springFrequency[eid])).toEqual([0, 0]);
  expect([joint, held].map((eid) => Attachment.breakForce[eid])).toEqual([Infinity, Infinity]);
  expect(physics.report.limits.filter((text) => text.startsWith('Attachment.'))).toHaveLength(4);
});
