// Rolling and spinning friction by closed forms, on the path that users run and by each solver.

import { createWorld, hasComponent } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { addJoint, addRigidBody, createPhysics, type Physics } from '../../src/index';

const G = 9.81;
const RADIUS = 0.2;
const SOLVERS = ['auto', 'gauss-seidel', 'dantzig', 'contact-admm'] as const;

type Solver = (typeof SOLVERS)[number];
type Triple = [number, number, number];

/** A plane under gravity that is tilted by `tilt` [rad] along x, for which the plane stays level. */
function makeWorld(
  numbers: { rollingFriction?: number; spinningFriction?: number },
  solver: Solver,
  tilt = 0,
): Physics {
  const physics = createPhysics(createWorld(), {
    gravity: [G * Math.sin(tilt), -G * Math.cos(tilt), 0],
    solver,
    sleeping: false,
  });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.8, ...numbers });
  return physics;
}

function addBall(physics: Physics, x: number, velocity: Triple, spin: Triple, numbers: object): number {
  const ball = { shape: { sphere: RADIUS }, position: [x, RADIUS, 0], friction: 0.8, velocity, angularVelocity: spin };
  return addRigidBody(physics, { ...(ball as Parameters<typeof addRigidBody>[1]), ...numbers });
}

function steps(physics: Physics, seconds: number): void {
  for (let k = 0; k < Math.round(60 * seconds); k++) physics.step();
}

function energyOf({ components }: Physics, eids: readonly number[], mass: number): number {
  const { linear: v, angular: w } = components.Velocity;
  const { y } = components.Transform.position;
  let energy = 0;
  for (const e of eids) {
    const turning = 0.4 * RADIUS ** 2 * (w.x[e] ** 2 + w.y[e] ** 2 + w.z[e] ** 2);
    energy += mass * (0.5 * (v.x[e] ** 2 + v.y[e] ** 2 + v.z[e] ** 2 + turning) + G * y[e]);
  }
  return energy;
}

describe.each(SOLVERS)('%s', (solver) => {
  test('a ball that rolls slows by 5/7 g c/R, and comes to rest', () => {
    const numbers = { rollingFriction: 0.01 };
    const physics = makeWorld(numbers, solver);
    const ball = addBall(physics, 0, [1, 0, 0], [0, 0, -1 / RADIUS], numbers);
    const { linear, angular } = physics.components.Velocity;
    steps(physics, 1);
    const slowing = ((5 / 7) * G * 0.01) / RADIUS;
    expect((1 - linear.x[ball]) / slowing).toBeGreaterThan(0.98);
    expect((1 - linear.x[ball]) / slowing).toBeLessThan(1.02);
    expect(angular.z[ball]).toBeCloseTo(-linear.x[ball] / RADIUS, 4);
    steps(physics, 3);
    expect(Math.abs(linear.x[ball])).toBeLessThan(1e-6);
    expect(Math.abs(angular.z[ball])).toBeLessThan(1e-5);
  });

  test('a ball that spins on the spot slows by c m g / I, and stops', () => {
    const numbers = { spinningFriction: 0.002 };
    const physics = makeWorld(numbers, solver);
    const ball = addBall(physics, 0, [0, 0, 0], [0, 3, 0], numbers);
    const { angular } = physics.components.Velocity;
    steps(physics, 1);
    const slowing = (0.002 * G) / (0.4 * RADIUS ** 2);
    expect((3 - angular.y[ball]) / slowing).toBeGreaterThan(0.98);
    expect((3 - angular.y[ball]) / slowing).toBeLessThan(1.02);
    steps(physics, 2);
    expect(Math.abs(angular.y[ball])).toBeLessThan(1e-6);
  });

  test('a ball stands on a slope below tan θ = c/R and rolls above', () => {
    const numbers = { rollingFriction: 0.04 };
    const places = [0.97, 1.03].map((share) => {
      const physics = makeWorld(numbers, solver, Math.atan((share * 0.04) / RADIUS));
      const ball = addBall(physics, 0, [0, 0, 0], [0, 0, 0], numbers);
      steps(physics, 3);
      return physics.components.Transform.position.x[ball];
    });
    expect(Math.abs(places[0])).toBeLessThan(solver === 'gauss-seidel' ? 1e-4 : 1e-8);
    const angle = Math.atan((1.03 * 0.04) / RADIUS);
    const gain = (5 / 7) * G * (Math.sin(angle) - Math.cos(angle) * (0.04 / RADIUS));
    expect(places[1] / (4.5 * gain)).toBeGreaterThan(0.95);
    expect(places[1] / (4.5 * gain)).toBeLessThan(1.05);
  });
});

test('balls thrown into a heap lose energy in every step, and come to rest', () => {
  const numbers = { rollingFriction: 0.02, spinningFriction: 0.005, restitution: 0, mass: 1 };
  const physics = makeWorld({ rollingFriction: 0.02, spinningFriction: 0.005 }, 'auto');
  const balls: number[] = [];
  for (let k = 0; k < 20; k++) {
    const at = [(k % 3) * 0.41, RADIUS + 0.42 * Math.floor(k / 5), 0.37 * (k % 2)];
    const eid = addBall(physics, 0, [Math.sin(k), 0, Math.cos(k)], [k % 5, 3, -(k % 4)], {
      ...numbers,
      position: at,
    });
    balls.push(eid);
  }
  let energy = energyOf(physics, balls, 1);
  let gain = 0;
  for (let k = 0; k < 600; k++) {
    physics.step();
    const next = energyOf(physics, balls, 1);
    // Those that start in each other part first.
    if (k > 30) gain = Math.max(gain, next - energy);
    energy = next;
  }
  const { linear } = physics.components.Velocity;
  expect(gain).toBeLessThan(1e-6);
  for (const e of balls) expect(Math.hypot(linear.x[e], linear.z[e])).toBeLessThan(1e-6);
});

test('two balls on an axle, an island with a joint, slow by 5/7 g c/R', () => {
  const numbers = { rollingFriction: 0.01 };
  const physics = makeWorld(numbers, 'auto');
  const balls = [0, 1].map((z) => {
    return addBall(physics, 0, [1, 0, 0], [0, 0, -1 / RADIUS], { ...numbers, position: [0, RADIUS, z] });
  });
  addJoint(physics, { type: 'fixed', a: balls[0], b: balls[1], anchor: [0, RADIUS, 0.5] });
  steps(physics, 1);
  const { x } = physics.components.Velocity.linear;
  const slowing = ((5 / 7) * G * 0.01) / RADIUS;
  for (const ball of balls) expect(Math.abs((1 - x[ball]) / slowing - 1)).toBeLessThan(0.02);
});

test.each(['auto', 'gauss-seidel'] as const)('a field of many balls by %s: all slow by 5/7 g c/R', (solver) => {
  const numbers = { rollingFriction: 0.01 };
  const physics = makeWorld(numbers, solver);
  const balls = Array.from({ length: 140 }, (_, k) => addBall(physics, 2 * k, [1, 0, 0], [0, 0, -1 / RADIUS], numbers));
  steps(physics, 0.5);
  expect(physics.report.solvers.sweeps.islands).toBe(solver === 'auto' ? 0 : 140);
  const slowing = ((5 / 7) * G * 0.01) / RADIUS / 2;
  for (const ball of balls) {
    expect(Math.abs((1 - physics.components.Velocity.linear.x[ball]) / slowing - 1)).toBeLessThan(0.02);
  }
});

test('balls without it roll on, to the same bits beside a world that knows it', () => {
  const run = (numbers: object): number[] => {
    const physics = makeWorld({}, 'auto');
    const ball = addBall(physics, 0, [1, 0, 0.3], [0, 2, -1 / RADIUS], {});
    addBall(physics, 100, [1, 0, 0], [0, 0, 0], numbers);
    steps(physics, 2);
    const { position: p } = physics.components.Transform;
    expect(physics.components.Velocity.linear.x[ball]).toBeCloseTo(1, 6);
    return [p.x[ball], p.y[ball], p.z[ball]];
  };
  // The plane has none: the geometric mean is 0 whatever the ball has.
  expect(run({ rollingFriction: 0.1 })).toEqual(run({}));
});

test('columns act in the next step; a ball comes to rest and sleeps', () => {
  const physics = createPhysics(createWorld());
  const ground = addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const ball = addBall(physics, 0, [1, 0, 0], [0, 0, -1 / RADIUS], {});
  const { Material, Velocity, Sleeping } = physics.components;
  steps(physics, 1);
  expect(Velocity.linear.x[ball]).toBeCloseTo(1, 4);
  Material.rollingFriction[ball] = Material.rollingFriction[ground] = 0.02;
  steps(physics, 4);
  expect(hasComponent(physics.world, ball, Sleeping)).toBe(true);
});

test('a snapshot goes on to the same bits', () => {
  const numbers = { rollingFriction: 0.01, spinningFriction: 0.01 };
  const physics = makeWorld(numbers, 'auto');
  const ball = addBall(physics, 0, [1, 0, 0.2], [0, 5, 0], numbers);
  steps(physics, 0.5);
  const snapshot = physics.snapshot();
  const { x, z } = physics.components.Transform.position;
  steps(physics, 0.5);
  const first = [x[ball], z[ball]];
  physics.restore(snapshot);
  steps(physics, 0.5);
  expect([x[ball], z[ball]]).toEqual(first);
});
