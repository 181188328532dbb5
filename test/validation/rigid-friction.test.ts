// The accuracy contract of rigid bodies: closed forms and limits of statics, with numbers and tolerances.
// Values: block on a slope, stopping distance of first-order stepping, lateral pull, toppling (textbook statics);
// the arch's limit 0.108 by linear programming over exact statics.

import { describe, expect, test } from 'vitest';
import { addRigidBody, applyForce, type ShapeSpec } from '../../src/index';
import { bySuite } from '../setup/suite';
import {
  axisAngle,
  createArch,
  createCardHouse,
  createColumn,
  createGround,
  createPyramid,
  createSlope,
  distance,
  drift,
  positionOf,
  run,
  type TestWorld,
} from './worlds';

const slid = (world: TestWorld & { down: number[] }, seconds: number) => {
  world.physics.hash();
  const before = positionOf(world, world.bodies[0]);
  run(world, seconds);
  const after = positionOf(world, world.bodies[0]);
  return world.down.reduce((sum, d, k) => sum + d * (after[k] - before[k]), 0);
};

/** Of worlds at rest and on their way [s]. */
const LONG = bySuite(4, 10);

describe.each([0, 45, 10])('a box on a slope, the whole turned by %d°', (yaw) => {
  const turn = (yaw * Math.PI) / 180;

  test('sticks at 99.8 % of the friction angle: creep at most 0.01 mm/s', () => {
    expect(Math.abs(slid(createSlope(0.998, turn), LONG)) / LONG).toBeLessThan(1e-5);
  });

  test('slides at 100.2 %, within 1 % of the analytic distance', () => {
    const world = createSlope(1.002, turn);
    const expected = 0.5 * world.acceleration * LONG ** 2;
    expect(Math.abs(slid(world, LONG) / expected - 1)).toBeLessThan(0.01);
  });
});

test('sliding speed on a slope is exact after any number of steps', () => {
  const world = createSlope(1.3, 0.7);
  run(world, 2);
  const { linear } = world.physics.components.Velocity;
  const eid = world.bodies[0];
  const speed = world.down.reduce((sum, d, k) => sum + d * [linear.x[eid], linear.y[eid], linear.z[eid]][k], 0);
  expect(speed / (world.acceleration * 2)).toBeCloseTo(1, 7);
});

test('pucks stop where first-order stepping says, straight, whatever their heading', () => {
  const world = createGround(0.5);
  const headings = Array.from({ length: 9 }, (_, i) => (i * 11.25 * Math.PI) / 180);
  headings.forEach((a, i) => {
    const velocity = [5 * Math.cos(a), 0, 5 * Math.sin(a)];
    const position = [0, 0.05, (i - 4) * 8];
    world.bodies.push(
      addRigidBody(world.physics, { shape: { box: [0.25, 0.05, 0.25] }, position, velocity, friction: 0.5 }),
    );
  });
  run(world, 3);
  const ratios = headings.map((a, i) => {
    const [x, , z] = positionOf(world, world.bodies[i]);
    const deviation = Math.atan2(z - (i - 4) * 8, x) - a;
    expect(Math.abs(deviation) * (180 / Math.PI)).toBeLessThan(0.05);
    return Math.hypot(x, z - (i - 4) * 8) / (25 / (2 * 0.5 * 9.81));
  });
  expect(Math.min(...ratios)).toBeGreaterThan(0.983);
  expect(Math.max(...ratios) / Math.min(...ratios) - 1).toBeLessThan(0.001);
});

test.each([
  [1, 0.3, 0.01, 0.1648977],
  [1, 0.3, 1 / 60, 0.16165833333333318],
  [2, 0.5, 1 / 120, 0.399425],
  [3, 0.1, 1 / 60, 4.56218999999998],
])('a block at %d m/s, mu %d, steps of %d s stops after %d m', (speed, mu, timeStep, expected) => {
  const world = createGround(mu, { timeStep });
  world.bodies.push(
    addRigidBody(world.physics, {
      shape: { box: [0.5, 0.01, 0.5] },
      position: [0, 0.01, 0],
      velocity: [speed, 0, 0],
      friction: mu,
    }),
  );
  run(world, 5);
  expect(positionOf(world, world.bodies[0])[0]).toBeCloseTo(expected, 5);
});

test.each([
  [10, 0.3, 0.23902401203293372],
  [20, 0.5, 0.3221455834702087],
  [30, 0.6, 0.14142135623730975],
])('on a slope of %d° with mu %d a sideways pull slips at %d of the weight', (degrees, mu, limit) => {
  for (const [share, slips] of [
    [0.995, false],
    [1.005, true],
  ] as const) {
    const world = createSlope(Math.tan((degrees * Math.PI) / 180) / mu, 0, mu);
    const [box] = world.bodies;
    world.physics.schedule.before('copy-in', () => {
      // A low pull at the sole: it cannot topple the box.
      const [x, y, z] = positionOf(world, box);
      applyForce(world.physics, box, [0, 0, 500 * 9.81 * limit * share], [x, y - 0.25, z]);
    });
    const moved = drift(world, () => run(world, 2));
    if (slips) expect(moved).toBeGreaterThan(1e-3);
    else expect(moved).toBeLessThan(1e-5);
  }
});

test.each([
  [0.95, false],
  [1.05, true],
])('a tall box on a rough slope topples past its edge: at %d of width over height %s', (share, topples) => {
  // The plank of createSlope has mu 2; the box stands 5 m up on it, clear of the box that is there.
  const world = createSlope((0.4 * share) / 2, 0, 2);
  const angle = Math.atan(0.4 * share);
  const tall = addRigidBody(world.physics, {
    shape: { box: [0.2, 0.5, 0.5] },
    friction: 2,
    rotation: axisAngle([0, 0, 1], angle),
    position: [5 * Math.cos(angle) - 0.5 * Math.sin(angle), 5 * Math.sin(angle) + 0.5 * Math.cos(angle), 0],
  });
  world.bodies = [tall];
  const moved = drift(world, () => run(world, 4));
  expect(moved > 0.1).toBe(topples);
});

describe('what must stand, stands still; sleeping off', () => {
  test('ten boxes, the top one 100 and 1000 times as heavy: 0.1 mm in 10 s', () => {
    for (const ratio of [100, 1000]) {
      const world = createColumn(10, ratio);
      expect(drift(world, () => run(world, LONG))).toBeLessThan(1e-5 * LONG);
      expect(world.physics.report.solvers.dantzig.islands).toBe(1);
    }
  });

  test('a card house of three levels: 0.1 mm in 10 s', () => {
    const world = createCardHouse();
    expect(drift(world, () => run(world, LONG))).toBeLessThan(1e-5 * LONG);
  });

  // 0.11 and 0.13 are hard: their sets change at rest, and once they were left to the sweeps for it.
  test.each([0.11, 0.13, 0.2])('an arch of 15 stones, thickness %d of its radius: 0.1 mm in 10 s', (thickness) => {
    const world = createArch(thickness);
    expect(drift(world, () => run(world, LONG))).toBeLessThan(1e-5 * LONG);
  });

  test('an arch of thickness 0.095 falls, as statics says', () => {
    const world = createArch(0.095);
    expect(drift(world, () => run(world, LONG))).toBeGreaterThan(0.5);
  });

  test('a pyramid of base 20, by sweeps and then by the kept factor: 0.5 mm in 10 s from its build', () => {
    const world = createPyramid(20);
    expect(drift(world, () => run(world, LONG))).toBeLessThan(0.0005);
    expect(world.physics.report.solvers.contactAdmm.islands).toBe(1);
  });

  test('a column of 60 boxes stands', () => {
    const world = createColumn(60);
    expect(drift(world, () => run(world, 2 * LONG))).toBeLessThan(0.05);
  });
});

test.each([
  ['dantzig', { sphere: 0.2 }],
  ['gauss-seidel', { sphere: 0.2 }],
  ['gauss-seidel', { box: [0.2, 0.2, 0.2] }],
] as const)('what bounces keeps its restitution, each peak e² as high: %s, %o', (solver, shape) => {
  const world = createGround(0.5, { solver });
  const body = addRigidBody(world.physics, { shape: shape as ShapeSpec, position: [0, 2.2, 0], restitution: 0.8 });
  world.bodies.push(body);
  const peaks: number[] = [];
  let [last, rising] = [2.2, false];
  for (let i = 0; i < 240; i++) {
    world.physics.step();
    const y = positionOf(world, body)[1];
    if (rising && y < last) peaks.push(last - 0.2);
    rising = y > last;
    last = y;
  }
  expect(peaks.length).toBeGreaterThanOrEqual(3);
  for (let n = 0; n < 3; n++) expect(peaks[n] / (2 * 0.64 ** (n + 1))).toBeCloseTo(1, 2);
});

test('resting contact neither sinks nor jitters: a box on the ground for 20 s', () => {
  const world = createGround(0.6);
  world.bodies.push(addRigidBody(world.physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] }));
  const before = [0, 0.5, 0];
  run(world, 20);
  expect(distance(before, positionOf(world, world.bodies[0]))).toBeLessThan(1e-9);
});
