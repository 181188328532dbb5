// A blow that goes through several bodies: what lies on what rebounds goes with it, and Newton's law holds at every
// contact of the velocities that are kept.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { addRigidBody, createPhysics } from '../../src/index';
import { bodyEnergy } from '../fuzz/energy';

const G = 9.81;
/** Energy may come up by so much: half a step of fall in what is measured [-]. */
const ROUNDING = 1.02;

/** Numbers from 0 to 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function dropStack(solver: 'auto' | 'dantzig' | 'gauss-seidel' | 'contact-admm', restitution: number, seed: number) {
  const random = createRandom(seed);
  const physics = createPhysics(createWorld(), { solver, sleeping: false });
  const material = { restitution, friction: 0.5 };
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, ...material });
  const boxes = Array.from({ length: 5 }, (_, k) => {
    const position = [0.3 * (random() - 0.5), 1 + 0.51 * k, 0.3 * (random() - 0.5)] as const;
    return addRigidBody(physics, { shape: { box: [0.5, 0.25, 0.5] }, position, ...material });
  });
  const energy = () => boxes.reduce((sum, eid) => sum + bodyEnergy(physics, eid, G), 0);
  physics.step();
  const first = energy();
  let residual = 0;
  let most = 0;
  for (let step = 0; step < 150; step++) {
    physics.step();
    residual = Math.max(residual, physics.report.residual);
    most = Math.max(most, energy() / first);
  }
  return { residual, most };
}

describe.each(['auto', 'dantzig'] as const)('falling stacks of five, by %s', (solver) => {
  it.each([0.2, 0.5, 0.8, 1])('rebound by the law, and win nothing: e = %f', (restitution) => {
    for (let seed = 1; seed <= 4; seed++) {
      const { residual, most } = dropStack(solver, restitution, seed);
      // 7 m/s at e = 0.5, where rebounds alone were scaled down for their energy; 15 at 1.
      expect(residual).toBeLessThan(1e-5);
      expect(most).toBeLessThan(ROUNDING);
    }
  });
});

// Sweeps are approximate, and say by how much; a single pass over the rebounds left six times as much.
it.each([
  [0.2, 0.4],
  [0.5, 1],
  [0.8, 2],
])('falling stacks of five, by sweeps, pass most of the blow on: e = %f', (restitution, bound) => {
  for (let seed = 1; seed <= 4; seed++) {
    const { residual, most } = dropStack('gauss-seidel', restitution, seed);
    expect(residual).toBeLessThan(bound);
    expect(most).toBeLessThan(ROUNDING);
  }
});

it.each(['auto', 'dantzig', 'gauss-seidel', 'contact-admm'] as const)(
  'falling stacks win nothing at e = 0, by %s',
  (solver) => {
    for (let seed = 1; seed <= 4; seed++) expect(dropStack(solver, 0, seed).most).toBeLessThan(1);
  },
);

it.each([0, 0.04])(
  'what leaves a floor that moves is not slowed by how far it is lifted out of it: %f m',
  (overlap) => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    const material = { restitution: 1, friction: 0 };
    const velocity = [0, 2, 0];
    addRigidBody(physics, {
      type: 'kinematic',
      shape: { box: [5, 1, 5] },
      position: [0, -1, 0],
      velocity,
      ...material,
    });
    const ball = addRigidBody(physics, {
      shape: { sphere: 0.5 },
      position: [0, 0.5 - overlap, 0],
      velocity: [0, 2.5, 0],
      ...material,
    });
    physics.step();
    expect(physics.components.Velocity.linear.y[ball]).toBeCloseTo(2.5 - G / 60, 6);
  },
);
