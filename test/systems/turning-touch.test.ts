// What turns about the edge or the rim that it touches all the way goes on with its velocity.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, createPhysics, type RigidBodySpec, type ShapeSpec } from '../../src/index';
import { bySuite } from '../setup/suite';

const SIDE = 0.5;
const ROW = 21;
const square = Array.from({ length: ROW * ROW }, (_, k) => [k % ROW, Math.floor(k / ROW)] as const);
/** All have their upper surface at y = 0. */
const GROUNDS: Record<string, RigidBodySpec> = {
  plane: { shape: { plane: [0, 1, 0] } },
  box: { shape: { box: [9, 1, 9] }, position: [0, -1, 0] },
  mesh: {
    shape: {
      mesh: {
        vertices: square.map(([i, j]) => [SIDE * (j - 10), 0, SIDE * (i - 10)] as const),
        triangles: square
          .filter(([i, j]) => i < ROW - 1 && j < ROW - 1)
          .flatMap(([i, j]) => {
            const a = j * ROW + i;
            return [[a, a + 1, a + ROW] as const, [a + ROW, a + 1, a + ROW + 1] as const];
          }),
      },
    },
  },
  'height field': {
    shape: { heightField: { heights: square.map(() => 0), rows: ROW, columns: ROW, size: [SIDE * 20, SIDE * 20] } },
  },
};

/** Of 60 steps, how many moved the body otherwise than its velocity says by more than half of it. */
function countHeld(ground: RigidBodySpec, body: RigidBodySpec): number {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', ...ground });
  const entity = addRigidBody(physics, body);
  const { position } = physics.components.Transform;
  const { linear } = physics.components.Velocity;
  let held = 0;
  let last = body.position as readonly number[];
  for (let step = 0; step < 60; step++) {
    physics.step();
    const place = [position.x[entity], position.y[entity], position.z[entity]];
    const way = [linear.x[entity] / 60, linear.y[entity] / 60, linear.z[entity] / 60];
    const off = Math.hypot(...place.map((x, k) => x - last[k] - way[k]));
    if (Math.hypot(...way) > 0.002 && off > 0.5 * Math.hypot(...way)) held++;
    last = place;
  }
  physics.dispose();
  return held;
}

const PLATE = [-1, 1].flatMap((x) =>
  [-1, 1].flatMap((y) => [-1, 1].map((z) => [0.3 * x, 0.003 * y, 0.3 * z] as const)),
);
const SHEETS: Record<string, ShapeSpec> = {
  box: { box: [0.3, 0.003, 0.3] },
  hull: { hull: PLATE },
  compound: { compound: [{ shape: { box: [0.3, 0.003, 0.3] } }] },
};

test.each(Object.keys(GROUNDS))('on a %s', (name) => {
  const held: string[] = [];
  const look = (what: string, body: RigidBodySpec) => {
    // One step may end at the new touch.
    const steps = countHeld(GROUNDS[name], body);
    if (steps > 4) held.push(`${what}: ${steps}`);
  };
  for (const [kind, shape] of Object.entries(SHEETS)) {
    for (const angle of bySuite([0.4], [0.05, 0.4, 1])) {
      for (const gap of bySuite([1e-6], [1e-6, 1e-5])) {
        look(`${kind} by ${angle}, ${gap} m up`, {
          shape,
          position: [0.1, 0.3 * Math.sin(angle) + 0.003 * Math.cos(angle) + gap, 0.1],
          rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
        });
      }
    }
  }
  // Coins that roll on their rims, upright.
  for (const [r, thin] of [
    [0.0186, 0.05],
    [0.1, 0.05],
    [0.05, 0.02],
  ]) {
    for (const speed of bySuite([4], [2, 4])) {
      look(`coin of ${r} m at ${speed} m/s`, {
        shape: { cylinder: [r, thin * r] },
        position: [-3, r + 1e-6, 0.13],
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        velocity: [speed, 0, 0],
        angularVelocity: [0, 0, -speed / r],
      });
    }
  }
  expect(held).toEqual([]);
});

/** Deepest overlap in eight steps where a ball hits an end of the upper one of two capsules across each other. */
function depthOfKnock(type: 'static' | 'dynamic', angle: number, speed: number): number {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const shape = { capsule: [0.15, 0.25] } as const;
  const [c, s] = [Math.cos(angle / 2) * Math.SQRT1_2, Math.sin(angle / 2) * Math.SQRT1_2];
  addRigidBody(physics, { type, shape, mass: 200, rotation: [0, 0, -Math.SQRT1_2, Math.SQRT1_2] });
  addRigidBody(physics, { shape, mass: 30, position: [0, 0.3, 0], rotation: [-s, s, -c, c] });
  const above = [0.25 * Math.cos(angle), 0.6, -0.25 * Math.sin(angle)];
  addRigidBody(physics, { shape: { sphere: 0.1 }, mass: 60, position: above, velocity: [0, -speed, 0] });
  let deepest = 0;
  for (let k = 0; k < 8; k++) {
    physics.step();
    deepest = Math.max(deepest, physics.report.penetration);
  }
  physics.dispose();
  return deepest;
}

test.each([0.15, 0.3])('capsules across each other by %f rad are not knocked into each other', (angle) => {
  // Knocked from rest: no contact at their ends was foreseen.
  for (const speed of bySuite([15, 40], [15, 20, 25, 30, 40])) {
    // 15 to 60 mm, with what the ball sinks in; 58 to 99 where what touches at the start was never stopped.
    for (const type of ['static', 'dynamic'] as const) expect(depthOfKnock(type, angle, speed)).toBeLessThan(0.065);
  }
});
