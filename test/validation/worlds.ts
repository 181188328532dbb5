// Worlds of the accuracy contract, as in the benchmark: built through the public face.

import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics, type Physics, type PhysicsSettings } from '../../src/index';

export interface TestWorld {
  physics: Physics;
  /** Dynamic bodies in order. */
  bodies: number[];
}

/** A world with flat ground (a large box, `extent` [m] to each side, top at y = 0) and sleeping off. */
export function createGround(friction: number, settings: PhysicsSettings = {}, extent = 100): TestWorld {
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false, ...settings });
  addRigidBody(physics, { type: 'static', shape: { box: [extent, 1, extent] }, position: [0, -1, 0], friction });
  return { physics, bodies: [] };
}

export function run(world: TestWorld, seconds: number): void {
  const count = Math.round(seconds / world.physics.settings.timeStep);
  for (let i = 0; i < count; i++) world.physics.step();
}

export function positionOf({ physics }: TestWorld, eid: number): [number, number, number] {
  const { x, y, z } = physics.components.Transform.position;
  return [x[eid], y[eid], z[eid]];
}

/** Calls `move`, then returns the largest distance of any body from where it was before [m]. */
export function drift(world: TestWorld, move: () => void): number {
  world.physics.hash(); // makes the bodies that wait to be made
  const before = world.bodies.map((eid) => positionOf(world, eid));
  move();
  return Math.max(...world.bodies.map((eid, i) => distance(before[i], positionOf(world, eid))));
}

export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function axisAngle(axis: readonly number[], angle: number): number[] {
  return [...axis.map((x) => x * Math.sin(angle / 2)), Math.cos(angle / 2)];
}

export function multiply(a: readonly number[], b: readonly number[]): number[] {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

export function rotate(q: readonly number[], v: readonly number[]): number[] {
  const [x, y, z, w] = q;
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** A 1 × 0.5 × 1 m box on a plank whose slope's tangent is `ratio` times mu; yaw turns all about the vertical. */
export function createSlope(
  ratio: number,
  yaw: number,
  mu = 0.5,
): TestWorld & { down: number[]; acceleration: number } {
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false });
  const angle = Math.atan(ratio * mu);
  const rotation = multiply(axisAngle([0, 1, 0], yaw), axisAngle([0, 0, 1], angle));
  const normal = rotate(rotation, [0, 1, 0]);
  const place = (h: number) => normal.map((x) => x * h);
  addRigidBody(physics, { type: 'static', shape: { box: [40, 1, 5] }, position: place(-1), rotation, friction: mu });
  const box = addRigidBody(physics, {
    shape: { box: [0.5, 0.25, 0.5] },
    position: place(0.25),
    rotation,
    friction: mu,
  });
  const acceleration = ratio > 1 ? 9.81 * (Math.sin(angle) - mu * Math.cos(angle)) : 0;
  return { physics, bodies: [box], down: rotate(rotation, [-1, 0, 0]), acceleration };
}

/** Rows of 1 m boxes (times `scale`), one fewer each, 5 cm apart. */
export function createPyramid(base: number, settings?: PhysicsSettings, scale = 1): TestWorld {
  const world = createGround(0.6, settings, 100 * scale);
  for (let row = 0; row < base; row++) {
    for (let i = 0; i < base - row; i++) {
      const half = 0.5 * scale;
      const position = [(i - (base - row - 1) / 2) * 2.1 * half, (1 + 2 * row) * half, 0];
      world.bodies.push(addRigidBody(world.physics, { shape: { box: [half, half, half] }, position, friction: 0.6 }));
    }
  }
  return world;
}

/** A column of 1 m boxes of 10 kg; the last one is `ratio` times as heavy. */
export function createColumn(count: number, ratio = 1, settings?: PhysicsSettings): TestWorld {
  const world = createGround(0.6, settings);
  for (let i = 0; i < count; i++) {
    world.bodies.push(
      addRigidBody(world.physics, {
        shape: { box: [0.5, 0.5, 0.5] },
        position: [0, 0.5 + i, 0],
        mass: i === count - 1 ? 10 * ratio : 10,
        friction: 0.6,
      }),
    );
  }
  return world;
}

/** Centre of area of a polygon. */
function centroid(corners: number[][]): number[] {
  let [area, x, y] = [0, 0, 0];
  corners.forEach(([x0, y0], i) => {
    const [x1, y1] = corners[(i + 1) % corners.length];
    const cross = x0 * y1 - x1 * y0;
    area += cross / 2;
    x += ((x0 + x1) * cross) / 6;
    y += ((y0 + y1) * cross) / 6;
  });
  return [x / area, y / area];
}

/**
 * How an arch is built: stones, size of all lengths, joints opened by moving the stones
 * outwards by a share of their place.
 */
export interface ArchShape {
  count?: number;
  scale?: number;
  opening?: number;
}

/**
 * Semicircular arch of wedges (15), middle radius 5 m; `thickness` over radius. Exact statics allows 0.108 and
 * more for 15, and 0.1075 for many.
 */
export function createArch(thickness: number, settings?: PhysicsSettings, shape: ArchShape = {}): TestWorld {
  const { count = 15, scale = 1, opening = 0 } = shape;
  const world = createGround(0.6, settings, 100 * scale);
  const [inner, outer] = [5 * scale * (1 - thickness / 2), 5 * scale * (1 + thickness / 2)];
  for (let i = 0; i < count; i++) {
    const [a, b] = [(Math.PI * i) / count, (Math.PI * (i + 1)) / count];
    const corners = [
      [inner, a],
      [outer, a],
      [outer, b],
      [inner, b],
    ].map(([r, t]) => [r * Math.cos(t), r * Math.sin(t)]);
    const center = centroid(corners);
    const hull = [-0.5 * scale, 0.5 * scale].flatMap((z) => corners.map(([x, y]) => [x - center[0], y - center[1], z]));
    const position = [center[0] * (1 + opening), center[1] * (1 + opening), 0];
    world.bodies.push(addRigidBody(world.physics, { shape: { hull }, position, friction: 0.6 }));
  }
  return world;
}

/** How a house of cards is built: levels, half thickness of a card [m], settings of the world. */
export interface CardHouseShape {
  levels?: number;
  thin?: number;
  settings?: PhysicsSettings;
}

/** Levels of cards (0.1 × 2 × 1.2 m unless thinner) leaning at 20°, with flat ones between. */
export function createCardHouse({ levels = 3, thin = 0.05, settings }: CardHouseShape = {}): TestWorld {
  const world = createGround(0.6, settings);
  const [t, half, width] = [thin, 1, 0.6];
  const angle = (20 * Math.PI) / 180;
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const span = 2 * (2 * half * s + 2 * t * c) + 0.02;
  const add = (shape: [number, number, number], position: number[], rotation = [0, 0, 0, 1]) =>
    world.bodies.push(addRigidBody(world.physics, { shape: { box: shape }, position, rotation, friction: 0.6 }));
  let floor = 0;
  for (let level = 0; level < levels; level++) {
    const pairs = levels - level;
    const centre = floor + half * c + t * s;
    for (let i = 0; i < pairs; i++) {
      const apex = (i - (pairs - 1) / 2) * span;
      const offset = half * s + t * c;
      add([t, half, width], [apex - offset, centre, 0], axisAngle([0, 0, 1], -angle));
      add([t, half, width], [apex + offset, centre, 0], axisAngle([0, 0, 1], angle));
    }
    const top = centre + half * c + t * s;
    for (let i = 0; i < pairs - 1; i++) add([span / 2 - 0.005, t, width], [(i - (pairs - 2) / 2) * span, top + t, 0]);
    floor = top + 2 * t;
  }
  return world;
}
