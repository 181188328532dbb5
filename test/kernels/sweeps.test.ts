import { expect, test } from 'vitest';
import { frictionalError } from '../../src/solvers/residual';
import * as L from '../../src/state/layout';
import { longTest } from '../setup/suite';
import {
  addBox,
  addColumn,
  addGround,
  addPyramid,
  type BoxWorld,
  createBoxWorld,
  driftOf,
  link,
  stepBoxes,
  turn,
} from './helpers/box-world';

function run(world: BoxWorld, seconds: number, each?: (step: number) => void): void {
  for (let k = 0; k < Math.round(seconds * 60); k++) {
    stepBoxes(world);
    each?.(k);
  }
}

const position = (world: BoxWorld, body: number) => [...world.tables.bodies.position.subarray(body * 4, body * 4 + 3)];
const velocity = (world: BoxWorld, body: number) => [
  ...world.tables.bodies.linearVelocity.subarray(body * 4, body * 4 + 3),
];
const aroundY = (angle: number) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];

longTest('a pyramid of 210 boxes stands: drift below 1 mm, and no trembling', () => {
  const world = createBoxWorld(256);
  const bodies = addPyramid(world, 20);
  const start = Float64Array.from(world.tables.bodies.position);
  run(world, 3);
  const [horizontal, vertical] = driftOf(world, bodies, start);
  expect(horizontal).toBeLessThan(1e-3);
  expect(vertical).toBeLessThan(0.5e-3);
  for (const b of bodies) expect(Math.hypot(...velocity(world, b))).toBeLessThan(2e-3);
});

test('a column of 60 boxes and one of 10 with a 100 times heavier top stand without a trace of sag', () => {
  for (const [count, top] of [
    [60, 1000],
    [10, 1e5],
  ]) {
    const world = createBoxWorld();
    const bodies = addColumn(world, count, 0.6, top);
    const start = Float64Array.from(world.tables.bodies.position);
    run(world, 3);
    const [horizontal, vertical] = driftOf(world, bodies, start);
    expect(horizontal).toBeLessThan(1e-4);
    expect(vertical).toBeLessThan(1e-4);
  }
});

test('a column let fall with gaps between its boxes comes to rest without falling over or keeping overlap', () => {
  const world = createBoxWorld();
  const bodies = addColumn(world, 8);
  const start = Float64Array.from(world.tables.bodies.position);
  bodies.forEach((b, k) => {
    world.tables.bodies.position[b * 4 + 1] += 0.005 * (k + 1);
  });
  run(world, 6);
  const [horizontal, vertical] = driftOf(world, bodies, start);
  expect(horizontal).toBeLessThan(1e-4);
  expect(vertical).toBeLessThan(1e-3);
  for (const b of bodies) expect(Math.hypot(...velocity(world, b))).toBeLessThan(1e-3);
});

test('a box on a slope sticks below and slides above the friction angle, whatever its heading', () => {
  const mu = 0.5;
  for (const yaw of [0, Math.PI / 8, Math.PI / 4]) {
    for (const ratio of [0.998, 1.002]) {
      const angle = Math.atan(mu * ratio);
      const tilt = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
      const world = createBoxWorld();
      const ground = addGround(world, tilt);
      const [, y, , w] = aroundY(yaw);
      // Rotation about the slope's normal after the tilt: tilt · yaw.
      const rotation = [tilt[2] * -y, tilt[3] * y, tilt[2] * w, tilt[3] * w];
      const box = addBox(world, { position: turn(tilt, [0, 0.5, 0]), rotation });
      link(world, ground, box, mu);
      run(world, 1);
      const middle = position(world, box);
      const speed = Math.hypot(...velocity(world, box));
      run(world, 1);
      const slid = Math.hypot(...position(world, box).map((p, k) => p - middle[k]));
      if (ratio < 1) {
        expect(slid).toBeLessThan(1e-5);
      } else {
        const acceleration = 9.81 * (Math.sin(angle) - mu * Math.cos(angle));
        expect(speed).toBeCloseTo(acceleration, 4);
        expect(slid / (1.5 * acceleration)).toBeCloseTo(1, 2);
      }
    }
  }
});

test('pucks stop at the same distance at all headings, and go straight', () => {
  const [mu, speed] = [0.3, 5];
  const distances: number[] = [];
  for (let k = 0; k < 9; k++) {
    const heading = (k * Math.PI) / 16;
    const world = createBoxWorld();
    const box = addBox(world, {
      half: [0.5, 0.1, 0.5],
      position: [0, 0.1, 0],
      velocity: [speed * Math.cos(heading), 0, speed * Math.sin(heading)],
    });
    link(world, addGround(world), box, mu);
    run(world, 2.5);
    const [x, , z] = position(world, box);
    distances.push(Math.hypot(x, z) / (speed ** 2 / (2 * mu * 9.81)));
    expect(Math.abs(Math.atan2(z, x) - heading)).toBeLessThan((0.05 * Math.PI) / 180);
    expect(Math.hypot(...velocity(world, box))).toBeLessThan(1e-6);
  }
  // First order in the substep: 1 − 2 mu g h / v and a little.
  expect(Math.min(...distances)).toBeGreaterThan(0.99);
  expect(Math.max(...distances)).toBeLessThan(1.001);
  expect(Math.max(...distances) / Math.min(...distances)).toBeLessThan(1.001);
});

test('spin about the normal is braked by friction at the corners and drags nothing along', () => {
  const world = createBoxWorld();
  const box = addBox(world, { half: [0.5, 0.1, 0.5], position: [0, 0.1, 0], spin: [0, 6, 0] });
  link(world, addGround(world), box, 0.3);
  const mass = 1000 * 0.2;
  // Four corners of a quarter of the weight each at √½ m: torque mu m g √½, inertia m/6 (1 m square).
  const braking = (0.3 * mass * 9.81 * Math.SQRT1_2) / (mass / 6);
  run(world, 0.25);
  expect(world.tables.bodies.angularVelocity[box * 4 + 1]).toBeCloseTo(6 - braking * 0.25, 1);
  run(world, 1);
  expect(Math.abs(world.tables.bodies.angularVelocity[box * 4 + 1])).toBeLessThan(1e-5);
  expect(Math.hypot(position(world, box)[0], position(world, box)[2])).toBeLessThan(1e-3);
});

test('a conveyor carries a box up to its surface speed at mu g', () => {
  const world = createBoxWorld();
  const box = addBox(world, { position: [0, 0.5, 0] });
  const pair = link(world, addGround(world), box, 0.4);
  world.tables.pairs.material.set([0.4, 0, 2, 0], pair * 4);
  run(world, 0.25);
  expect(velocity(world, box)[0]).toBeCloseTo(0.4 * 9.81 * 0.25, 2);
  run(world, 1);
  expect(velocity(world, box)[0]).toBeCloseTo(2, 5);
});

test('a falling box lands before it bounces, with its restitution', () => {
  const world = createBoxWorld();
  const box = addBox(world, { position: [0, 1.5, 0] });
  link(world, addGround(world), box, 0.5, 0.5);
  let [lowest, highest] = [1, 0];
  for (let k = 0; k < 60; k++) {
    stepBoxes(world, undefined, 0.2);
    const height = position(world, box)[1] - 0.5;
    lowest = Math.min(lowest, height);
    if (lowest < 0.01) highest = Math.max(highest, height);
  }
  expect(lowest).toBeLessThan(1e-3);
  expect(lowest).toBeGreaterThan(-1e-5);
  // e² h = 0.25 m, up to the 1 mm by which each of the steps on the way in falls less in substeps than at once.
  expect(highest).toBeGreaterThan(0.25 - 0.002);
  expect(highest).toBeLessThan(0.25 + 0.009);
});

test('a box faster than its own size a step does not cross the ground', () => {
  const world = createBoxWorld();
  const box = addBox(world, { position: [0, 2, 0], velocity: [0, -120, 0] });
  link(world, addGround(world), box);
  for (let k = 0; k < 30; k++) {
    // The narrowphase sees as far as the pair may close.
    stepBoxes(world, undefined, 2.5);
    expect(position(world, box)[1]).toBeGreaterThan(0.5 - 1e-4);
  }
  expect(position(world, box)[1]).toBeCloseTo(0.5, 3);
});

test('overlap is recovered without gaining energy', () => {
  const world = createBoxWorld();
  const box = addBox(world, { position: [0, 0.3, 0] });
  link(world, addGround(world), box);
  run(world, 2, () => {
    expect(position(world, box)[1]).toBeLessThan(0.5 + 1e-4);
    expect(velocity(world, box)[1]).toBeLessThan(1e-5);
  });
  expect(position(world, box)[1]).toBeCloseTo(0.5, 4);
});

test('a kinematic lift carries a box and its friction', () => {
  const world = createBoxWorld();
  const lift = addBox(world, { kinematic: true, half: [2, 0.5, 2], velocity: [0.5, 1, 0], position: [0, -0.5, 0] });
  const box = addBox(world, { position: [0, 0.5, 0], velocity: [0.5, 1, 0] });
  link(world, lift, box);
  run(world, 1);
  expect(position(world, lift)[1]).toBeCloseTo(0.5, 10);
  expect(position(world, box)[0]).toBeCloseTo(0.5, 4);
  expect(position(world, box)[1]).toBeCloseTo(1.5, 4);
});

test('momentum is kept in a collision, friction and spin included', () => {
  const world = createBoxWorld();
  world.arena.f64[(L.GRAVITY + 8) >> 3] = 0;
  const a = addBox(world, { position: [0, 0, 0], velocity: [0, 1, 0], spin: [0, 2, 0], mass: 300 });
  const b = addBox(world, { position: [0.3, 1.02, 0.2], velocity: [1, -2, 0.5], mass: 50 });
  link(world, a, b, 0.8, 0.3);
  const t = world.tables.bodies;
  const momentum = () => {
    const p = [0, 0, 0];
    const l = [0, 0, 0];
    for (const body of [a, b]) {
      const mass = 1 / t.inverseMass[body];
      const x = position(world, body);
      const v = velocity(world, body);
      const w = [...t.angularVelocity.subarray(body * 4, body * 4 + 3)];
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        p[k] += mass * v[k];
        // Cubes: the inertia is the same about every axis.
        l[k] += mass * (x[i] * v[j] - x[j] * v[i]) + t.localInertia[body * 8] * w[k];
      }
    }
    return [...p, ...l];
  };
  const before = momentum();
  run(world, 0.2);
  expect(velocity(world, b)[1]).toBeGreaterThan(velocity(world, a)[1]);
  const after = momentum();
  const impulse = (velocity(world, b)[1] + 2) * 50;
  for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], 3);
  // Angular: the bodies move on within the step while the impulse's place stays, an error of impulse × path.
  const path = 3 / 60;
  for (let k = 3; k < 6; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(impulse * path);
});

test('the reported residual is the one error measure of what was written', () => {
  const world = createBoxWorld();
  const ground = addGround(world);
  const low = addBox(world, { position: [0, 0.5, 0], velocity: [1, 0, 0] });
  const high = addBox(world, { position: [0.3, 1.5, 0.1], velocity: [-1, 0, 0.5] });
  link(world, ground, low, 0.2);
  link(world, low, high, 0.7);
  stepBoxes(world);
  const { bodies, pairs } = world.tables;
  let worst = 0;
  for (const { pair, lower, upper } of world.links) {
    const n = [0, 1, 0];
    const t1 = [1, 0, 0];
    const t2 = [0, 0, -1];
    for (let k = 0; k < pairs.points[pair]; k++) {
      const at = pair * 16 + k * 4;
      const u = [0, 0, 0];
      let trace = 0;
      for (const [body, sign] of [
        [lower, -1],
        [upper, 1],
      ]) {
        if (bodies.inverseMass[body] === 0) continue;
        // Anchors are those of the step's beginning; so are the points in the table.
        const x0 = [...bodies.previousPosition.subarray(body * 4, body * 4 + 3)];
        const r = [0, 1, 2].map((d) => pairs.point[at + d] - x0[d]);
        const w = [...bodies.angularVelocity.subarray(body * 4, body * 4 + 3)];
        const v = velocity(world, body);
        [n, t1, t2].forEach((d, i) => {
          const arm = [r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]];
          u[i] += sign * (d[0] * v[0] + d[1] * v[1] + d[2] * v[2] + arm[0] * w[0] + arm[1] * w[1] + arm[2] * w[2]);
          const inverse = bodies.localInverseInertia[body * 8];
          trace += bodies.inverseMass[body] + inverse * (arm[0] ** 2 + arm[1] ** 2 + arm[2] ** 2);
        });
      }
      const [rN, r1, r2] = [0, 1, 2].map((d) => pairs.impulse[at + d] / 4);
      const mu = pairs.material[pair * 4];
      worst = Math.max(worst, frictionalError(trace / 3, mu, [rN, r1, r2], 0, u, 0));
    }
  }
  const reported = bodies.islandResidual[0];
  expect(worst).toBeGreaterThan(1e-6);
  expect(Math.abs(reported - worst)).toBeLessThan(0.02 * worst + 1e-6);
});

test('every impulse obeys the friction cone, isotropically', () => {
  const world = createBoxWorld();
  const bodies = addPyramid(world, 5, 0.15);
  bodies.forEach((b, k) => {
    world.tables.bodies.linearVelocity.set([Math.sin(k), 0, Math.cos(3 * k)], b * 4);
  });
  run(world, 0.2, () => {
    const { pairs } = world.tables;
    for (const { pair } of world.links) {
      for (let k = 0; k < pairs.points[pair]; k++) {
        const [n, t1, t2] = pairs.impulse.subarray(pair * 16 + k * 4, pair * 16 + k * 4 + 3);
        expect(n).toBeGreaterThanOrEqual(0);
        expect(Math.hypot(t1, t2)).toBeLessThanOrEqual(0.15 * n * (1 + 1e-5) + 1e-12);
      }
    }
  });
});

test('the same world gives the same bits', () => {
  const results = [0, 1].map(() => {
    const world = createBoxWorld();
    const bodies = addPyramid(world, 6, 0.3);
    world.tables.bodies.linearVelocity.set([0, 0, 3], bodies[20] * 4);
    run(world, 1);
    return [...world.tables.bodies.position, ...world.tables.bodies.rotation];
  });
  expect(results[0]).toEqual(results[1]);
});

test('two islands do not feel each other: each moves as it would alone', () => {
  const alone = createBoxWorld();
  const column = addColumn(alone, 5);
  const both = createBoxWorld();
  const first = addColumn(both, 5);
  const second = addColumn(both, 3).map((b) => {
    both.tables.bodies.position[b * 4] += 10;
    return b;
  });
  both.tables.bodies.linearVelocity.set([2, 0, 0], second[2] * 4);
  run(alone, 0.5);
  run(both, 0.5);
  expect(both.arena.i32[L.ISLAND_COUNT >> 2]).toBe(2);
  expect(first.map((b) => position(both, b))).toEqual(column.map((b) => position(alone, b)));
});
