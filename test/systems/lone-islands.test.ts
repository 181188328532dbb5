// Fields of boxes that touch nothing but the ground: who solves them, and that it makes no difference one could see.

import { expect, it } from 'vitest';
import { addRigidBody } from '../../src/index';
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

it('solves a hundred lone boxes exactly, and sweeps two hundred', () => {
  for (const [count, swept] of [
    [100, 0],
    [200, 200],
  ] as const) {
    const world = createField(count, 0);
    run(world, 0.1);
    const { dantzig, sweeps } = world.physics.report.solvers;
    expect(sweeps.islands).toBe(swept);
    expect(dantzig.islands).toBe(count - swept);
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
