// Islands of a few contacts, alone or a thousand at once: all are solved exactly, and as pivoting would.

import { createWorld } from 'bitecs';
import { expect, it } from 'vitest';
import { addRigidBody, createPhysics, type Physics } from '../../src/index';
import * as L from '../../src/state/layout';
import { bySuite, longTest } from '../setup/suite';
import { createGround, run } from '../validation/worlds';

/** Boxes on ground that leans: friction 0.6 holds up to 31°. */
function createField(count: number, tangent: number) {
  const world = createGround(0.6, { gravity: [9.81 * tangent, -9.81, 0], sleeping: false });
  for (let k = 0; k < count; k++) {
    world.bodies.push(
      addRigidBody(world.physics, {
        shape: { box: [0.25, 0.2, 0.25] },
        position: [2 * (k % 20), 0.2, 2 * Math.floor(k / 20)],
        friction: 0.6,
      }),
    );
  }
  return world;
}

function slid(count: number, tangent: number): number {
  const world = createField(count, tangent);
  const { position } = world.physics.components.Transform;
  const first = world.bodies[0];
  run(world, 1);
  return Math.abs(position.x[first]);
}

it('solves a hundred lone boxes exactly, and a thousand', () => {
  for (const count of [100, 1000]) {
    const world = createField(count, 0.6 * 1.02);
    run(world, 0.1);
    const { dantzig, sweeps } = world.physics.report.solvers;
    expect(sweeps.islands).toBe(0);
    expect(dantzig.islands).toBe(count);
    expect(world.physics.report.residual).toBeLessThan(1e-8);
  }
});

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Boxes, balls and cylinders thrown onto a slope, far apart; pairs of balls that meet. */
function createThrow(seed: number): Physics {
  const random = createRandom(seed);
  const physics = createPhysics(createWorld(), { sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [random() - 0.5, 1.5, random() - 0.5] }, friction: 0.4 });
  for (let i = 0; i < 16; i++) {
    const [a, b, c] = [0.1 + random() / 2, 0.1 + random() / 2, 0.1 + random() / 2];
    const shape = [{ box: [a, b, c] }, { sphere: a }, { cylinder: [a, b] }, { sphere: b }][i % 4] as { sphere: number };
    const [x, z] = [4 * (i >> 2), 4 * (i & 3)];
    addRigidBody(physics, {
      shape,
      position: [i % 4 === 3 ? x - 1.2 : x, 2 + random(), i % 4 === 3 ? z - 4 : z],
      velocity: [random(), 0, random()],
      friction: random(),
    });
  }
  return physics;
}

longTest('solves islands of up to four contacts by passes alone, each to the tolerance', () => {
  const counts = { few: 0, left: 0 };
  for (let seed = 1; seed <= 12; seed++) {
    const physics = createThrow(seed);
    const { bodies } = physics.internal.engine.tables;
    for (let k = 0; k < 100; k++) {
      physics.step();
      for (let island = 0; island < physics.report.islands; island++) {
        if (bodies.islandPointCount[island] > 4 || bodies.islandPointCount[island] === 0) continue;
        if (bodies.islandSolver[island] === L.ISLAND_FEW) {
          counts.few++;
          expect(bodies.islandResidual[island]).toBeLessThan(1e-6);
        } else if (bodies.islandSolver[island] === L.ISLAND_DANTZIG) counts.left++;
      }
    }
    physics.dispose();
  }
  expect(counts.few).toBeGreaterThan(2000);
  // What turns fast has its energy looked after elsewhere.
  expect(counts.left).toBeLessThan(0.3 * counts.few);
});

it('gives the velocities that pivoting gives', () => {
  for (let seed = 1; seed <= bySuite(8, 20); seed++) {
    const ends = (['auto', 'dantzig'] as const).map((solver) => {
      const random = createRandom(seed);
      const physics = createPhysics(createWorld(), { sleeping: false, solver });
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
      const bodies = Array.from({ length: 12 }, (_, i) => {
        const [a, b, c] = [0.1 + random(), 0.1 + random(), 0.1 + random()];
        const shape = [{ box: [a, b, c] }, { sphere: b }, { cylinder: [a, b] }, { sphere: 0.5 }][i % 4];
        return addRigidBody(physics, {
          shape: shape as { sphere: number },
          // Every fourth is a ball that leans on the ball of another row.
          position: i % 4 === 3 ? [8 * i, 1.4, 0.3] : [8 * i, b, 0],
          velocity: [random() - 0.5, -random(), random() - 0.5],
          // Loads of four corners that turn are not unique, nor is what slows the turn.
          angularVelocity: i % 2 === 1 ? [random(), random() - 1, random()] : [0, 0, 0],
          friction: random(),
        });
      });
      for (let i = 3; i < 12; i += 4) {
        bodies.push(addRigidBody(physics, { shape: { sphere: 0.5 }, position: [8 * i, 0.5, 0], friction: 0.3 }));
      }
      physics.step();
      const { linear, angular } = physics.components.Velocity;
      return bodies.flatMap((eid) => [linear, angular].flatMap((v) => [v.x[eid], v.y[eid], v.z[eid]]));
    });
    for (let k = 0; k < ends[0].length; k++) expect(ends[0][k]).toBeCloseTo(ends[1][k], 4);
  }
});

it('holds and slides at the same angles either way', () => {
  for (const count of [100, 200]) {
    expect(slid(count, 0.6 * 0.99)).toBeLessThan(1e-4);
    // It slides down at g (0.01 mu): half of that after a second.
    const way = slid(count, 0.6 * 1.02);
    expect(way).toBeGreaterThan(0.9 * 0.5 * 9.81 * 0.012);
    expect(way).toBeLessThan(1.1 * 0.5 * 9.81 * 0.012);
  }
});
