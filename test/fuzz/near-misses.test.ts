// Near misses: a body that flies past another, however near and fast, keeps its velocity in every bit.
//
// Of each body a twin flies the same way in a world of its own kind without the others: poses and velocities must be
// equal. The way lies in front of a plane that the other body lies behind (the support of what flies, spinning or not,
// stays above it), so nothing can touch.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random.js';
import { addRigidBody, createPhysics, type Physics, type PhysicsSettings, type ShapeSpec } from '../../src/index.js';
import { bySuite } from '../setup/suite';
import { rounds, seed } from './rounds.js';

type Vector = [number, number, number];
type Quaternion = [number, number, number, number];

interface Form {
  readonly name: string;
  readonly spec: ShapeSpec;
  /** Farthest reach of the surface from the centre of mass along unit direction d, own axes [m]. */
  readonly support: (d: Vector) => number;
  /** Farthest point from the centre of mass [m]. */
  readonly radius: number;
  /** Centre of mass in the frame of the shape [m]. */
  readonly center: Vector;
  readonly isStatic: boolean;
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
const added = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function unit(v: Vector): Vector {
  return scaled(v, 1 / Math.hypot(...v));
}

function turned(q: Quaternion, v: Vector): Vector {
  const u: Vector = [q[0], q[1], q[2]];
  const t = scaled(cross(u, v), 2);
  return added(added(v, scaled(t, q[3])), cross(u, t));
}

function direction(random: Random): Vector {
  for (;;) {
    const v: Vector = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    const length = Math.hypot(...v);
    if (length > 0.1 && length < 1) return scaled(v, 1 / length);
  }
}

function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random();
}

/** The corners' reach, for shapes that are their hull. */
function corners(points: readonly Vector[]): Pick<Form, 'support' | 'radius' | 'center'> {
  return {
    support: (d) => Math.max(...points.map((p) => dot(d, p))),
    radius: Math.max(...points.map((p) => Math.hypot(...p))),
    center: [0, 0, 0],
  };
}

const FORMS = ['sphere', 'capsule', 'box', 'hull', 'cylinder', 'cone'] as const;
const STATIC_FORMS = [...FORMS, 'plane', 'mesh'] as const;

function makeForm(kind: (typeof STATIC_FORMS)[number], random: Random, n: Vector): Form {
  const size = () => between(random, 0.02, 2);
  const center: Vector = [0, 0, 0];
  const common = { name: kind, center, isStatic: false };
  const r = size();
  const half = size();
  if (kind === 'sphere') return { ...common, spec: { sphere: r }, support: () => r, radius: r };
  if (kind === 'capsule') {
    const spec = { capsule: [r, half] } as const;
    return { ...common, spec, support: (d) => r + half * Math.abs(d[1]), radius: r + half };
  }
  if (kind === 'cylinder') {
    const support = (d: Vector) => r * Math.hypot(d[0], d[2]) + half * Math.abs(d[1]);
    return { ...common, spec: { cylinder: [r, half] }, support, radius: Math.hypot(r, half) };
  }
  if (kind === 'cone') {
    // Base at −half, apex at +half; its centre of mass is a quarter of the height above the base.
    const support = (d: Vector) => Math.max(1.5 * half * d[1], r * Math.hypot(d[0], d[2]) - 0.5 * half * d[1]);
    const radius = Math.max(1.5 * half, Math.hypot(r, 0.5 * half));
    return { ...common, spec: { cone: [r, half] }, support, radius, center: [0, -0.5 * half, 0] };
  }
  const [x, y, z] = [size(), size(), size()];
  if (kind === 'plane') return { ...common, spec: { plane: n }, support: () => 0, radius: 0, isStatic: true };
  const box: Vector[] = [];
  for (let k = 0; k < 8; k++) box.push([k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z]);
  if (kind === 'box') return { ...common, spec: { box: [x, y, z] }, ...corners(box) };
  const tips: Vector[] = [
    [x, 0, 0],
    [-x, 0, 0],
    [0, y, 0],
    [0, -y, 0],
    [0, 0, z],
    [0, 0, -z],
  ];
  if (kind === 'hull') return { ...common, spec: { hull: tips }, ...corners(tips) };
  const triangles: Vector[] = [];
  for (const a of [0, 1]) {
    for (const b of [2, 3]) for (const c of [4, 5]) triangles.push((a + b + c) % 2 === 0 ? [a, b, c] : [a, c, b]);
  }
  return { ...common, spec: { mesh: { vertices: tips, triangles } }, ...corners(tips), isStatic: true };
}

interface Flight {
  readonly world: Physics;
  /** Worlds of the twins: of what flies, and of what is passed. */
  readonly alone: readonly [Physics, Physics];
  /** A body, its twin, and the twin's world. */
  readonly bodies: readonly (readonly [number, number, Physics])[];
  readonly names: readonly string[];
}

function quaternion(random: Random): Quaternion {
  const q = [...direction(random), 2 * random() - 1] as Quaternion;
  const length = Math.hypot(...q);
  return q.map((x) => x / length) as Quaternion;
}

/** Pairs of bodies that miss each other, each pair far from the others. */
function makeFlight(random: Random, pairs: number, settings: PhysicsSettings): Flight {
  const options = { gravity: [0, 0, 0] as Vector, sleeping: false, ...settings };
  const world = createPhysics(createWorld(), options);
  const flying = createPhysics(createWorld(), options);
  const passed = createPhysics(createWorld(), options);
  const bodies: [number, number, Physics][] = [];
  const names: string[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const n = direction(random);
    const moving = makeForm(FORMS[Math.floor(random() * FORMS.length)], random, n);
    // A half-space would reach the other pairs: it has a world of its own.
    const kinds = pair === 0 ? STATIC_FORMS : STATIC_FORMS.filter((kind) => kind !== 'plane');
    const other = makeForm(kinds[Math.floor(random() * kinds.length)], random, n);
    const isDynamic = !other.isStatic && random() < 0.4;
    const spins = random() < 0.5;
    const q = quaternion(random);
    const p: Quaternion = other.name === 'plane' ? [0, 0, 0, 1] : quaternion(random);
    const back = (r: Quaternion, d: Vector) => turned([-r[0], -r[1], -r[2], r[3]], d);
    // Height of the centres over the plane that parts the two ways.
    const gap = between(random, 1e-5, 0.1);
    const above = gap + (spins ? moving.radius : moving.support(back(q, scaled(n, -1))));
    const below = other.support(back(p, n));
    const speed = between(random, 0.1, 300);
    const side = unit(cross(n, direction(random)));
    const away = random() < 0.2 ? 0.2 * random() : 0;
    const v = added(scaled(side, speed), scaled(n, away * speed));
    const across = scaled(cross(side, n), (2 * random() - 1) * 0.5 * other.radius);
    // It passes the middle within the steps that are taken.
    const start = added(added(scaled(n, above), across), scaled(side, -speed * (3 * random()) * (1 / 60)));
    const cell: Vector = other.name === 'plane' ? [0, 0, 0] : [4000 * pair, 0, 0];
    const drift: Vector = isDynamic && random() < 0.5 ? scaled(direction(random), between(random, 0.1, 50)) : [0, 0, 0];
    const place = (f: Form, r: Quaternion, c: Vector) => added(added(cell, c), scaled(turned(r, f.center), -1));
    const spec = {
      shape: moving.spec,
      position: place(moving, q, start),
      rotation: q,
      velocity: added(v, drift),
      angularVelocity: spins ? scaled(direction(random), between(random, 0.1, 50)) : ([0, 0, 0] as Vector),
      restitution: 0.5,
    };
    const obstacle = {
      type: isDynamic ? ('dynamic' as const) : ('static' as const),
      shape: other.spec,
      position: place(other, p, scaled(n, -below)),
      rotation: p,
      velocity: isDynamic ? drift : undefined,
    };
    bodies.push([addRigidBody(world, spec), addRigidBody(flying, spec), flying]);
    names.push(
      `${moving.name} past ${isDynamic ? 'moving ' : ''}${other.name}, ${speed} m/s, ${gap} m, spins ${spins}`,
    );
    const body = addRigidBody(world, obstacle);
    if (isDynamic) {
      bodies.push([body, addRigidBody(passed, obstacle), passed]);
      names.push(`${other.name} passed by ${moving.name}, ${speed} m/s, ${gap} m`);
    }
    if (other.name === 'plane') break;
  }
  return { world, alone: [flying, passed], bodies, names };
}

/** Columns of a body as they are, to the bit. */
function columnsOf({ components }: Physics, eid: number): number[] {
  const { Transform, Velocity } = components;
  const { position, rotation } = Transform;
  const { linear, angular } = Velocity;
  return [position, linear, angular]
    .flatMap((c) => [c.x[eid], c.y[eid], c.z[eid]])
    .concat(rotation.x[eid], rotation.y[eid], rotation.z[eid], rotation.w[eid]);
}

const STEPS = 8;

function fly(random: Random, pairs: number, settings: PhysicsSettings): string[] {
  const flight = makeFlight(random, pairs, settings);
  const changed = new Set<string>();
  for (let step = 0; step < STEPS; step++) {
    for (const physics of [flight.world, ...flight.alone]) physics.step();
    flight.bodies.forEach(([eid, twin, physics], i) => {
      const other = columnsOf(physics, twin);
      if (columnsOf(flight.world, eid).some((x, k) => !Object.is(x, other[k]))) changed.add(flight.names[i]);
    });
  }
  for (const physics of [flight.world, ...flight.alone]) physics.dispose();
  return [...changed];
}

test.each(bySuite([0.02], [0.001, 0.02, 0.5]))(
  'what misses is not touched, in any bit, with a speculative distance of %f m',
  (distance) => {
    const random = createRandom(seed() + 1000 * distance);
    const flights = rounds(bySuite(4, 8), 90);
    const changed: string[] = [];
    for (let i = 0; i < flights; i++) changed.push(...fly(random, 40, { speculativeDistance: distance }));
    expect(changed).toEqual([]);
  },
);

test('by sweeps neither', () => {
  const random = createRandom(seed() + 7);
  const flights = rounds(bySuite(2, 4), 30);
  const changed: string[] = [];
  for (let i = 0; i < flights; i++) changed.push(...fly(random, 40, { solver: 'gauss-seidel' }));
  expect(changed).toEqual([]);
});
