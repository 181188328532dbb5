// Single points in the sweeps: balls, whose contacts never have more than one.

import { expect, test } from 'vitest';
import { addRigidBody } from '../../src/index';
import { frictionalError } from '../../src/solvers/residual';
import { createGround, positionOf, run, type TestWorld } from '../validation/worlds';

const RADIUS = 0.5;
const G = 9.81;

function addBall(world: TestWorld, position: number[], friction: number, restitution = 0): number {
  const eid = addRigidBody(world.physics, { shape: { sphere: RADIUS }, position, friction, restitution });
  world.bodies.push(eid);
  return eid;
}

function throwBall({ physics }: TestWorld, eid: number, v: number[]): void {
  const { linear } = physics.components.Velocity;
  [linear.x[eid], linear.y[eid], linear.z[eid]] = v;
}

function velocityOf({ physics }: TestWorld, eid: number): number[] {
  const { x, y, z } = physics.components.Velocity.linear;
  return [x[eid], y[eid], z[eid]];
}

test('a ball thrown without spin slides at mu g, then rolls at 5/7 of its speed, straight, at every heading', () => {
  const mu = 0.3;
  const speed = 4;
  for (const heading of [0, 0.3, 0.8, 1.2, Math.PI / 2]) {
    const world = createGround(mu, { solver: 'gauss-seidel' });
    const ball = addBall(world, [0, RADIUS, 0], mu);
    const along = [Math.cos(heading), 0, Math.sin(heading)];
    throwBall(
      world,
      ball,
      along.map((d) => speed * d),
    );
    run(world, 0.2);
    const early = velocityOf(world, ball);
    expect(Math.hypot(...early)).toBeCloseTo(speed - mu * G * 0.2, 2);
    // Slipping ends after 2 v / (7 mu g) = 0.39 s.
    run(world, 0.5);
    const late = velocityOf(world, ball);
    expect(late[0] * along[0] + late[2] * along[2]).toBeCloseTo((5 / 7) * speed, 2);
    expect(Math.abs(late[0] * along[2] - late[2] * along[0])).toBeLessThan(1e-4);
    expect(Math.abs(positionOf(world, ball)[1] - RADIUS)).toBeLessThan(2e-5);
  }
});

test('a falling ball lands, and leaves with its restitution', () => {
  const world = createGround(0.5, { solver: 'gauss-seidel' });
  const ball = addBall(world, [0, RADIUS + 1, 0], 0.5, 0.6);
  let top = 0;
  let lowest = 2;
  for (let k = 0; k < 60; k++) {
    run(world, 1 / 60);
    lowest = Math.min(lowest, positionOf(world, ball)[1]);
    if (velocityOf(world, ball)[1] > 0) top = Math.max(top, positionOf(world, ball)[1]);
  }
  expect(lowest).toBeGreaterThan(RADIUS - 0.01);
  expect(top - RADIUS).toBeGreaterThan(0.3);
  expect(top - RADIUS).toBeLessThan(0.42);
});

test('a ball goes its way alone as among six others that are solved along with it, whichever lanes they take', () => {
  const paths = [1, 7].map((count) => {
    const world = createGround(0.4, { solver: 'gauss-seidel' });
    for (let k = 0; k < count; k++) addBall(world, [4 * k, RADIUS + 0.3, 0], 0.4, 0.5);
    for (let k = 0; k < count; k++) throwBall(world, world.bodies[k], [0, 0, 2]);
    run(world, 1);
    return world.bodies.map((eid, k) => [positionOf(world, eid)[0] - 4 * k, ...positionOf(world, eid).slice(1)]);
  });
  const [[alone], many] = paths;
  expect(alone[2]).toBeGreaterThan(1);
  for (const place of many) for (let d = 0; d < 3; d++) expect(place[d]).toBeCloseTo(alone[d], 6);
});

test('the residual of single points is the one error measure of what was written; all lie in their cones', () => {
  const mu = 0.4;
  const world = createGround(mu, { solver: 'gauss-seidel', gravity: [6, -G, 0] });
  const { physics } = world;
  addRigidBody(physics, { type: 'static', shape: { box: [1, 5, 50] }, position: [1, 5, 0], friction: mu });
  // Into the corner of ground and wall, and along it.
  const ball = addBall(world, [-RADIUS, RADIUS, 0], mu);
  physics.hash(); // makes the bodies that wait to be made
  throwBall(world, ball, [0.5, 0, 1]);
  physics.step();
  const { bodies, pairs } = physics.internal.engine.tables;
  let worst = 0;
  let points = 0;
  for (let pair = 0; pair < pairs.points.length; pair++) {
    if (pairs.activeIndex[pair] < 0 || pairs.points[pair] === 0) continue;
    expect(pairs.points[pair]).toBe(1);
    points++;
    const body = bodies.inverseMass[pairs.bodyA[pair]] > 0 ? pairs.bodyA[pair] : pairs.bodyB[pair];
    const sign = body === pairs.bodyB[pair] ? 1 : -1;
    const vector = (column: Float64Array, row: number) => [...column.subarray(row, row + 3)];
    const n = vector(pairs.normal, pair * 4);
    const t = vector(pairs.tangent, pair * 4);
    const s = cross(n, t);
    const x0 = vector(bodies.previousPosition, body * 4);
    const arm = vector(pairs.point, pair * 16).map((p, d) => p - x0[d]);
    const turning = cross(vector(bodies.angularVelocity, body * 4), arm);
    const u = vector(bodies.linearVelocity, body * 4).map((v, d) => sign * (v + turning[d]));
    let trace = 0;
    for (const d of [n, t, s]) {
      trace += bodies.inverseMass[body] + bodies.localInverseInertia[body * 8] * dot(cross(arm, d), cross(arm, d));
    }
    const [rN, r1, r2] = vector(pairs.impulse, pair * 16).map((r) => r / physics.settings.substeps);
    expect(rN).toBeGreaterThan(0);
    expect(Math.hypot(r1, r2)).toBeLessThanOrEqual(mu * rN * (1 + 1e-5));
    worst = Math.max(worst, frictionalError(trace / 3, mu, [rN, r1, r2], 0, [dot(n, u), dot(t, u), dot(s, u)], 0));
  }
  expect(points).toBe(2);
  expect(worst).toBeGreaterThan(1e-6);
  expect(Math.abs(physics.report.residual - worst)).toBeLessThan(0.02 * worst + 1e-6);
});

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: number[], b: number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
