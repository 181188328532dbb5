// Grooms of more strands than joints are made for, on dynamic bodies: the body feels them.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addGroom,
  addRigidBody,
  addRod,
  applyImpulse,
  attach,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  rodPositions,
} from '../../../src/index';
import * as L from '../../../src/state/layout';
import { bySuite, longTest } from '../../setup/suite';

const NODES = 12;
const HEAD = 0.1; // radius [m]
const LENGTH = 0.12; // [m]
const RADIUS = 1e-3; // so that 200 hairs weigh 0.1 kg [m]

function makeWorld(backend: 'wasm' | 'reference', settings: PhysicsSettings = {}): Physics {
  return createPhysics(createWorld(), { userTiming: false, sleeping: false, elastic: { backend }, ...settings });
}

/** Hair all over a head, a cube, that is held by nothing. */
function addWig(physics: Physics, mass: number, options: object = {}, strands = 200): { head: number; groom: number } {
  const head = addRigidBody(physics, {
    shape: { box: [HEAD, HEAD, HEAD] },
    position: [0, 1, 0],
    mass,
    layers: 2,
    mask: 2,
  });
  const positions = new Float32Array(3 * strands * NODES);
  for (let s = 0; s < strands; s++) {
    const y = 1 - (2 * (s + 0.5)) / strands;
    const r = Math.sqrt(1 - y * y);
    const out = [r * Math.cos(2.4 * s), y, r * Math.sin(2.4 * s)];
    for (let i = 0; i < NODES; i++) {
      for (let k = 0; k < 3; k++) {
        positions[3 * (s * NODES + i) + k] = out[k] * (HEAD + (LENGTH * i) / (NODES - 1)) + (k === 1 ? 1 : 0);
      }
    }
  }
  const groom = addGroom(physics, {
    strands: { counts: new Array(strands).fill(NODES), positions },
    attach: head,
    radius: RADIUS,
    density: 1300,
    youngModulus: 1e7,
    damping: 0.01,
    selfContact: false,
    ...options,
  });
  physics.hash();
  return { head, groom };
}

/** Mass, momentum and moment of momentum about the origin of the body and all strands. */
function momentum(physics: Physics, head: number): { mass: number; linear: number[]; angular: number[] } {
  const { engine, slotOf } = physics.internal;
  const { bodies, nodes } = engine.tables;
  const linear = [0, 0, 0];
  const angular = [0, 0, 0];
  let total = 0;
  const add = (mass: number, x: ArrayLike<number>, v: ArrayLike<number>) => {
    total += mass;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      linear[k] += mass * v[k];
      angular[k] += mass * (x[i] * v[j] - x[j] * v[i]);
    }
  };
  const slot = slotOf[head];
  const at = 4 * slot;
  add(1 / bodies.inverseMass[slot], bodies.position.subarray(at, at + 3), bodies.linearVelocity.subarray(at, at + 3));
  // A cube.
  for (let k = 0; k < 3; k++) angular[k] += bodies.localInertia[8 * slot] * bodies.angularVelocity[at + k];
  for (let i = 0; i < engine.arena.i32[L.NODE_COUNT >> 2]; i++) {
    add(nodes.mass[2 * i], nodes.position.subarray(4 * i, 4 * i + 3), nodes.velocity.subarray(4 * i, 4 * i + 3));
  }
  return { mass: total, linear, angular };
}

function steps(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
}

describe.each([['wasm', 200], ...bySuite([], [['reference', 30] as const])] as const)('%s', (backend, strands) => {
  test('a blow on a head with a wig: momentum is kept, hair and head go on together', () => {
    const physics = makeWorld(backend, { gravity: [0, 0, 0] });
    const { head } = addWig(physics, 0.3, {}, strands);
    applyImpulse(physics, head, [0.3, 0, 0], [0, 1.05, 0]);
    const start = momentum(physics, head);
    expect(start.mass).toBeGreaterThan(0.3 + 4e-4 * strands);
    steps(physics, 90);
    const end = momentum(physics, head);
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(end.linear[k] - start.linear[k])).toBeLessThan(1e-3 * 0.3);
      // About the middle of the head the blow has 0.015.
      expect(Math.abs(end.angular[k] - start.angular[k])).toBeLessThan(0.01 * 0.015);
    }
    // One body by now.
    expect(physics.components.Velocity.linear.x[head]).toBeCloseTo(0.3 / start.mass, 2);
  });
});

test('both backends move head and hair alike', () => {
  const [fast, plain] = (['wasm', 'reference'] as const).map((backend) => {
    const physics = makeWorld(backend);
    const { head, groom } = addWig(physics, 0.05, {}, 30);
    applyImpulse(physics, head, [0.01, 0.004, 0], [0.03, 1.05, 0.04]);
    steps(physics, 20);
    const { linear, angular } = physics.components.Velocity;
    const velocity = [
      linear.x[head],
      linear.y[head],
      linear.z[head],
      angular.x[head],
      angular.y[head],
      angular.z[head],
    ];
    return { velocity, hair: rodPositions(physics, groom) };
  });
  expect(Math.max(...fast.velocity.map((v, k) => Math.abs(v - plain.velocity[k])))).toBeLessThan(2e-3);
  expect(Math.max(...fast.hair.map((x, k) => Math.abs(x - plain.hair[k])))).toBeLessThan(1e-4);
});

const HAIR: [string, object][] = [
  ['hair that lies on hair and head', { layers: 2, mask: 2, selfContact: true, friction: 0.3, youngModulus: 1e5 }],
  ['hair that touches nothing', { selfContact: false }],
];

longTest.each(HAIR.slice(0, bySuite(1, 2)))(
  'a light head on a rope: the hook carries head and hair; %s',
  (_name, options) => {
    const physics = makeWorld('wasm');
    const { head } = addWig(physics, 0.04, options, 80);
    const { mass } = momentum(physics, head);
    const rope = addRod(physics, {
      points: [0, 1, 2, 3, 4].map((i) => [0, 1.5 - 0.1 * i, 0]),
      radius: 0.005,
      youngModulus: 1e8,
      damping: 0.05,
      clampStart: true,
      layers: 4,
      mask: 4,
    });
    const hook = attach(physics, { rod: rope, node: 4, body: head, point: [0, HEAD, 0] });
    steps(physics, bySuite(180, 240));
    let pull = 0;
    for (let i = 0; i < 60; i++) {
      physics.step();
      pull -= physics.components.Attachment.impulse.y[hook];
    }
    expect(Math.abs(pull / (mass * 9.81) - 1)).toBeLessThan(0.01);
  },
);

test('a head with a wig falls as freely as any body', () => {
  const physics = makeWorld('wasm');
  const { head } = addWig(physics, 0.05);
  steps(physics, 60);
  expect(physics.components.Velocity.linear.y[head]).toBeCloseTo(-9.81, 3);
});

longTest('a head with a wig comes to rest on the ground and sleeps with its hair', () => {
  const physics = makeWorld('wasm', { sleeping: true });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0.88, 0], layers: 2, mask: 2 });
  const { head } = addWig(physics, 0.5, { layers: 1, mask: 1 });
  do physics.step();
  while (physics.report.awake > 0 && physics.stepCount < 900);
  expect(physics.report.awake).toBe(0);
  expect(physics.report.strands.asleep).toBe(200);
  applyImpulse(physics, head, [0, 0.5, 0]);
  physics.step();
  expect(physics.report.strands.asleep).toBe(0);
});
