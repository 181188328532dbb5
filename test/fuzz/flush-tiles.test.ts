// A floor of flush static boxes is a floor: what slides over it or is thrown at it goes on as over one large box.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import {
  addRigidBody,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  type RigidBodySpec,
} from '../../src/index.js';
import { isLong, rounds, seed } from './rounds.js';

/** Largest share of its speed along the floor that a body may lose over the edges of tiles [-]. */
const LOSS = 0.005;

type Floor = (physics: Physics) => void;

const large: Floor = (physics) => {
  addRigidBody(physics, { type: 'static', shape: { box: [30, 0.5, 3] }, position: [0, -0.5, 0], friction: 0 });
};

const tiles: Floor = (physics) => {
  for (let x = -30; x < 30; x++) {
    for (let z = -1; z <= 1; z++) {
      const position = [x + 0.5, -0.5, z];
      addRigidBody(physics, { type: 'static', shape: { box: [0.5, 0.5, 0.5] }, position, friction: 0 });
    }
  }
};

const compound: Floor = (physics) => {
  const parts = [];
  for (let x = -30; x < 30; x++) {
    for (let z = -1; z <= 1; z++) {
      parts.push({ shape: { box: [0.5, 0.5, 0.5] as const }, position: [x + 0.5, -0.5, z] as const });
    }
  }
  addRigidBody(physics, { type: 'static', shape: { compound: parts }, friction: 0 });
};

/** Speed along the floor, and the greatest height, after `steps` steps. */
function cross(
  floor: Floor,
  spec: RigidBodySpec,
  steps: number,
  settings: PhysicsSettings,
): { speed: number; top: number } {
  const physics = createPhysics(createWorld(), { sleeping: false, ...settings });
  floor(physics);
  const body = addRigidBody(physics, { friction: 0, ...spec });
  const { Transform, Velocity } = physics.components;
  let top = 0;
  for (let i = 0; i < steps; i++) {
    physics.step();
    top = Math.max(top, Transform.position.y[body]);
  }
  const speed = Velocity.linear.x[body];
  physics.dispose();
  return { speed, top };
}

const bodies = [
  ['ball', { sphere: 0.2 }, 0.2],
  ['box', { box: [0.3, 0.1, 0.2] }, 0.1],
  ['cylinder', { cylinder: [0.3, 0.2] }, 0.2],
] as const;

describe.each(['auto', 'gauss-seidel'] as const)('flush tiles, solver %s', (solver) => {
  test.each(bodies)('a %s slides over them', (_name, shape, height) => {
    const random = createRandom(seed());
    for (let i = 0; i < rounds(2, 40); i++) {
      const v = 0.1 * 300 ** random();
      const spec = { shape, position: [-12 + random(), height, random() - 0.5], velocity: [v, 0, 0] };
      const steps = Math.min(120, Math.floor((20 / v) * 60));
      const { speed, top } = cross(i % 2 === 0 ? tiles : compound, spec, steps, { solver });
      expect(Math.abs(speed - v) / v, `${v} m/s`).toBeLessThan(LOSS);
      expect(top, `${v} m/s`).toBeLessThan(height + 1e-4);
    }
  });

  // Their rounded cores met the edge of the next tile aslant: half of their speed was gone, or more.
  test.each([
    [0.36149188633244056, -11.563982456922531, 0.3734368085861206],
    [0.4919293345625638, -11.631744503974915, 0.4187244176864624],
    [0.14168516033539352, -11.426398009061813, 0.06264650821685791],
  ])('slow upright cylinders slide over them at %f m/s', (v, x, z) => {
    const cylinders = [
      [0.3, 0.2],
      [0.15, 0.5],
      [0.45, 0.45],
    ];
    // What they meet is the same whoever solves it.
    for (const [radius, half] of isLong || solver === 'auto' ? cylinders : cylinders.slice(0, 1)) {
      const spec = { shape: { cylinder: [radius, half] as const }, position: [x, half, z], velocity: [v, 0, 0] };
      for (const floor of [tiles, compound]) {
        expect(Math.abs(cross(floor, spec, 120, { solver }).speed - v) / v).toBeLessThan(LOSS);
      }
    }
  });

  // The core's rim of a cone lies far inside it: the direction to it was that of the next tile's side.
  test('cones slide over them', () => {
    for (const [radius, half] of [
      [0.3, 0.2],
      [0.2, 0.4],
      [0.45, 0.1],
    ]) {
      const position = [-11.004482507705688, half, -0.08905148506164551];
      for (const v of [1.9320887657200734, 0.9, 0.3]) {
        const { speed } = cross(tiles, { shape: { cone: [radius, half] }, position, velocity: [v, 0, 0] }, 120, {
          solver,
        });
        expect(Math.abs(speed - v) / v, `${radius}, ${half}, ${v} m/s`).toBeLessThan(LOSS);
      }
    }
  });

  test.each([0, 0.5])('balls and boxes thrown at them go on, e = %f', (restitution) => {
    const random = createRandom(seed() + 1);
    for (let i = 0; i < rounds(4, 100); i++) {
      const shape = random() < 0.5 ? { sphere: 0.1 } : { box: [0.1, 0.1, 0.1] as const };
      const position = [-12 + random(), 0.5 + random(), random() - 0.5];
      const v = 2 + 13 * random();
      const spec = { shape, position, velocity: [v, -5 * random(), 0], restitution };
      const there = cross(tiles, spec, 60, { solver });
      expect(there.speed / cross(large, spec, 60, { solver }).speed, `${v} m/s`).toBeGreaterThan(1 - LOSS);
    }
  });
});

/** Speeds along the floor after 4 s of boxes [0.3, 0.1, 0.2] that start at `places`, all at v, as shares of v. */
function slideTogether(places: readonly (readonly [number, number])[], v: number, settings: PhysicsSettings): number[] {
  const physics = createPhysics(createWorld(), { sleeping: false, ...settings });
  tiles(physics);
  const bodies = places.map(([x, y]) =>
    addRigidBody(physics, {
      shape: { box: [0.3, 0.1, 0.2] },
      position: [x - 20, y, 0.2],
      velocity: [v, 0, 0],
      friction: 0,
    }),
  );
  for (let i = 0; i < 240; i++) physics.step();
  const speeds = bodies.map((body) => physics.components.Velocity.linear.x[body] / v);
  physics.dispose();
  return speeds;
}

const STACK = [
  [0, 0.1],
  [0, 0.3],
  [0, 0.5],
] as const;
const ROW = [
  [0, 0.1],
  [0.6, 0.1],
  [1.2, 0.1],
] as const;

describe.each([
  ['auto', LOSS],
  // In a row f32 sweeps pass on rounding between bodies that touch.
  ['gauss-seidel', 0.03],
] as const)('what carries or pushes others slides over tiles too, solver %s', (solver, loss) => {
  test.each(isLong ? [0.1, 0.3, 0.5, 1, 5] : [0.3, 5])('a stack and a row of three at %f m/s', (v) => {
    for (const share of slideTogether(STACK, v, { solver })) expect(Math.abs(share - 1), 'stack').toBeLessThan(loss);
    for (const share of slideTogether(ROW, v, { solver })) expect(Math.abs(share - 1), 'row').toBeLessThan(loss);
  });

  test('a box that pushes a row of two that rests', () => {
    // All three go on as on a large box, together: e = 0, a third of the momentum each.
    const physics = createPhysics(createWorld(), { sleeping: false, solver });
    tiles(physics);
    const add = (x: number, v: number) =>
      addRigidBody(physics, {
        shape: { box: [0.3, 0.1, 0.2] },
        position: [x - 20, 0.1, 0],
        velocity: [v, 0, 0],
        friction: 0,
      });
    const bodies = [add(0, 3), add(1.25, 0), add(1.9, 0)];
    for (let i = 0; i < 240; i++) physics.step();
    let sum = 0;
    for (const body of bodies) sum += physics.components.Velocity.linear.x[body];
    physics.dispose();
    expect(Math.abs(sum / 3 - 1)).toBeLessThan(loss);
  });
});

test('sixty boxes that slide over tiles at once all keep their speed', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  for (let x = -15; x < 15; x++) {
    for (let z = 0; z < 20; z++) {
      const position = [x + 0.5, -0.5, z + 0.5];
      addRigidBody(physics, { type: 'static', shape: { box: [0.5, 0.5, 0.5] }, position, friction: 0 });
    }
  }
  const { linear } = physics.components.Velocity;
  const boxes: number[] = [];
  for (let i = 0; i < 60; i++) {
    const position = [-13 + 0.9 * (i % 3) + 0.05 * Math.floor(i / 3), 0.1, Math.floor(i / 3) + 0.5];
    const shape = { box: [0.3, 0.1, 0.2] } as const;
    boxes.push(addRigidBody(physics, { shape, position, velocity: [3, 0, 0], friction: 0 }));
  }
  for (let i = 0; i < 120; i++) physics.step();
  for (const [i, box] of boxes.entries()) expect(Math.abs(linear.x[box] / 3 - 1), `box ${i}`).toBeLessThan(LOSS);
});

test.each([0.01, 0.05, 50])('tiles of %f m are flush to a ball of a fifth of that', (size) => {
  for (const v of [0.3, 3, 15]) {
    const physics = createPhysics(createWorld(), { sleeping: false });
    const half = size / 2;
    for (let x = -2; x < 34; x++) {
      for (const z of [-1, 0]) {
        const position = [(x + 0.5) * size, -half, (z + 0.5) * size];
        addRigidBody(physics, { type: 'static', shape: { box: [half, half, half] }, position, friction: 0 });
      }
    }
    const position = [0.1 * size, 0.2 * size, 0.3 * size];
    const spec = { shape: { sphere: 0.2 * size }, position, velocity: [v * size, 0, 0], friction: 0 };
    const ball = addRigidBody(physics, spec);
    for (let i = 0; i < 120; i++) physics.step();
    const share = physics.components.Velocity.linear.x[ball] / (v * size);
    physics.dispose();
    expect(Math.abs(share - 1), `${v} tiles a second`).toBeLessThan(LOSS);
  }
});

test('a step is no flush edge: a box stops at one of 1 cm', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  large(physics);
  addRigidBody(physics, { type: 'static', shape: { box: [1, 0.01, 1] }, position: [2, 0, 0], friction: 0 });
  const shape = { box: [0.2, 0.2, 0.2] } as const;
  const body = addRigidBody(physics, { shape, position: [0, 0.2, 0], velocity: [0.5, 0, 0], friction: 0 });
  for (let i = 0; i < 240; i++) physics.step();
  expect(physics.components.Transform.position.x[body]).toBeLessThan(0.81);
});

test('nor is a ramp that begins in the floor: a fast box does not enter it', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  large(physics);
  const ramp = {
    hull: [
      [0, -0.1, -1],
      [0, -0.1, 1],
      [0, 0, -1],
      [0, 0, 1],
      [3, 1, -1],
      [3, 1, 1],
      [3, -0.1, -1],
      [3, -0.1, 1],
    ],
  };
  addRigidBody(physics, { type: 'static', shape: ramp as never, position: [2, 0, 0], friction: 0 });
  const shape = { sphere: 0.1 };
  const body = addRigidBody(physics, { shape, position: [0, 0.1, 0], velocity: [10, 0, 0], friction: 0 });
  const { position } = physics.components.Transform;
  for (let i = 0; i < 60; i++) {
    physics.step();
    // Height over the slope of 1 in 3, less the radius.
    const over = (3 * position.y[body] - (position.x[body] - 2)) / Math.sqrt(10) - 0.1;
    if (position.x[body] > 2 && position.x[body] < 4.5) expect(over).toBeGreaterThan(-1e-3);
  }
});
