// One suite for every backend: rods and bodies in one world, as statics, momentum and Coulomb's law have it.
import { describe, expect, test } from 'vitest';
import { elasticBackendName } from '../../src/dynamics/rods/step-rods';
import type { PhysicsSettings } from '../../src/index';
import {
  addBody,
  addStrands,
  createRodWorld,
  line,
  nodeAt,
  type RodWorld,
  steps,
  tie,
} from '../validation/strand-worlds';

/** Momentum of all nodes and of the given bodies of known mass [N·s]. */
function momentum(world: RodWorld, bodies: { slot: number; mass: number }[]): number[] {
  const { nodes, bodies: table } = world.tables;
  const p = [0, 0, 0];
  const count = world.physics.report.strands.nodes;
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < count; i++) p[k] += nodes.mass[2 * i] * nodes.velocity[4 * i + k];
    for (const { slot, mass } of bodies) p[k] += mass * table.linearVelocity[4 * slot + k];
  }
  return p;
}

/** Mean velocity of eleven nodes along y [m/s]. */
function meanSpeed(world: RodWorld, first: number): number {
  let sum = 0;
  for (let i = first; i < first + 11; i++) sum += world.tables.nodes.velocity[4 * i + 1];
  return sum / 11;
}

describe.each(['reference', 'wasm'] as const)('%s', (backend) => {
  test('is the backend that was asked for', () => {
    const { physics } = createRodWorld({ elastic: { backend } });
    expect(elasticBackendName(physics.internal.engine)).toBe(backend);
  });

  const createWorld = (settings: PhysicsSettings = {}) =>
    createRodWorld({ ...settings, elastic: { ...settings.elastic, backend } });

  test('a rope carries a crate: its tension is the weight, and it hangs still', () => {
    const world = createWorld();
    const crate = addBody(world, {
      type: 'dynamic',
      shape: { box: [0.2, 0.2, 0.2] },
      mass: 10,
      position: [0, -1.2, 0],
    });
    const rope = addStrands(world, { points: line([0, 0, 0], [0, -1, 0], 11), young: 1e9, clampStart: true });
    const knot = tie(world, 0, 10, crate.slot, [0, 0.2, 0]);
    steps(world, 120);
    const force = Array.from(world.tables.attachments.impulse.subarray(4 * knot, 4 * knot + 3), (x) => 60 * x);
    expect(force[1]).toBeCloseTo(-98.1, 4);
    expect(Math.abs(world.tables.bodies.linearVelocity[4 * crate.slot + 1])).toBeLessThan(1e-6);
    // Nine of its ten edges are free (the clamp holds one): stretched by F L/(E A), plus half of their own weight's share.
    const area = Math.PI * 1e-4;
    const own = (0.5 * 0.81 * 1000 * area * 9.81) / (1e9 * area);
    expect(-1 - nodeAt(world, rope + 10)[1]).toBeCloseTo((0.9 * 98.1) / (1e9 * area) + own, 6);
  });

  test('a rope attachment is slack inside its length and holds at it', () => {
    const world = createWorld();
    const weight = addBody(world, { type: 'dynamic', shape: { sphere: 0.05 }, mass: 2, position: [0, -0.4, 0] });
    addStrands(world, {
      points: line([-0.5, 0, 0], [0.5, 0, 0], 11),
      young: 1e9,
      radius: 0.02,
      clampStart: true,
      clampEnd: true,
    });
    const knot = tie(world, 0, 5, weight.slot, [0, 0, 0], 0.5);
    steps(world, 3);
    expect(Math.abs(world.tables.attachments.impulse[4 * knot + 1])).toBe(0);
    steps(world, 240);
    expect(60 * world.tables.attachments.impulse[4 * knot + 1]).toBeCloseTo(-2 * 9.81, 2);
    const node = nodeAt(world, 5);
    expect(node[1] - world.tables.bodies.position[4 * weight.slot + 1]).toBeCloseTo(0.5, 3);
  });

  test('a clamp on a falling body takes the rod along and gives its weight to the body', () => {
    const world = createWorld({ gravity: [0, 0, 0] });
    const mass = 0.5;
    const body = addBody(world, {
      type: 'dynamic',
      shape: { box: [0.1, 0.1, 0.1] },
      mass,
      position: [0, 0, 0],
      velocity: [1, 0, 0],
    } as never);
    addStrands(world, {
      points: line([0.1, 0, 0], [0.6, 0, 0], 11),
      young: 1e8,
      clampStart: true,
      attachStart: body.slot,
      friction: 0,
    });
    world.tables.bodies.linearVelocity[4 * body.slot + 1] = 1;
    const before = momentum(world, [{ slot: body.slot, mass }]);
    steps(world, 40);
    const after = momentum(world, [{ slot: body.slot, mass }]);
    for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], 5);
    // The clamped node stays at its place in the body.
    const { position } = world.tables.bodies;
    const arm = nodeAt(world, 0).map((x, k) => x - position[4 * body.slot + k]);
    expect(Math.sqrt(arm.reduce((s, x) => s + x * x, 0))).toBeCloseTo(0.1, 3);
  });

  test('a crate rests on strands without sinking through, and they bear its weight', () => {
    const world = createWorld();
    const crate = addBody(world, {
      type: 'dynamic',
      shape: { box: [0.1, 0.1, 0.1] },
      mass: 2,
      position: [0, 0.112, 0],
    });
    for (const z of [-0.06, 0, 0.06]) {
      addStrands(world, {
        points: line([-0.5, 0, z], [0.5, 0, z], 21),
        young: 1e8,
        clampStart: true,
        clampEnd: true,
        damping: 0.01,
      });
    }
    steps(world, 150);
    const { position, linearVelocity } = world.tables.bodies;
    const y = position[4 * crate.slot + 1];
    expect(y).toBeGreaterThan(0.08);
    expect(Math.abs(linearVelocity[4 * crate.slot + 1])).toBeLessThan(2e-3);
    // The strands touch the edges of the crate's underside, a radius below it (and bow down between them).
    for (const node of [21 + 8, 21 + 12]) expect(Math.abs(y - 0.1 - nodeAt(world, node)[1] - 0.01)).toBeLessThan(0.001);
  });

  test('a strand that hits a free ball hands over momentum and keeps the sum', () => {
    const world = createWorld({ gravity: [0, 0, 0], elastic: { tolerance: 1e-9, iterations: 400, sweeps: 10 } });
    const mass = 0.2;
    const ball = addBody(world, { type: 'dynamic', shape: { sphere: 0.05 }, mass, position: [0, 0, 0], friction: 0.3 });
    addStrands(world, {
      points: line([-0.2, 0.08, 0.01], [0.2, 0.08, 0.01], 9),
      velocity: [0.3, -2, 0],
      young: 1e7,
      damping: 0.01,
    });
    world.physics.step();
    const before = momentum(world, [{ slot: ball.slot, mass }]);
    steps(world, 20);
    const after = momentum(world, [{ slot: ball.slot, mass }]);
    expect(world.tables.bodies.linearVelocity[4 * ball.slot + 1]).toBeLessThan(-0.1);
    for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], 4);
  });

  describe('crossing strands at 20 m/s', () => {
    test.each([[0], [0.3], [0.7], [1.1]])('turned by %f rad, catch each other and do not pass through', (turn) => {
      const world = createWorld({ gravity: [0, 0, 0] });
      const hair = { radius: 37e-6, density: 1300, young: 4e9, stretch: 1e8, friction: 0.2 };
      const c = Math.cos(turn);
      const s = Math.sin(turn);
      addStrands(world, { ...hair, points: line([-0.05, 0.013, 0], [0.05, 0.013, 0], 11), velocity: [0, -10, 0] });
      addStrands(world, {
        ...hair,
        points: line([0.003 - 0.05 * s, -0.11, -0.05 * c], [0.003 + 0.05 * s, -0.11, 0.05 * c], 11),
        velocity: [0, 10, 0],
      });
      // Far beyond where they meet: had they passed, each would still have its speed.
      steps(world, 8);
      expect(meanSpeed(world, 0)).toBeGreaterThan(-3);
      expect(meanSpeed(world, 11)).toBeLessThan(3);
    });
  });

  test('a block on two strands slides beyond the friction angle and stays within it', () => {
    const moved = (slope: number) => {
      const world = createWorld({ gravity: [9.81 * slope, -9.81, 0] });
      const block = addBody(world, {
        type: 'dynamic',
        shape: { box: [0.1, 0.05, 0.1] },
        mass: 0.5,
        position: [-0.2, 0.06, 0],
        friction: 0.5,
      });
      for (const z of [-0.06, 0.06]) {
        addStrands(world, {
          points: line([-0.6, 0, z], [0.6, 0, z], 25),
          young: 1e9,
          stretch: 1e9,
          clampStart: true,
          clampEnd: true,
          damping: 0.01,
          friction: 0.5,
        });
      }
      steps(world, 90);
      return world.tables.bodies.position[4 * block.slot] + 0.2;
    };
    expect(Math.abs(moved(0.42))).toBeLessThan(0.01);
    expect(moved(0.65)).toBeGreaterThan(0.1);
  });

  test('sticky strands stay together with cohesion and part without', () => {
    const apart = (cohesion: number) => {
      const world = createWorld({ gravity: [0, 0, 0] });
      const rod = { radius: 0.002, density: 1000, young: 1e5, cohesion, friction: 0.2, damping: 0.01 };
      addStrands(world, { ...rod, points: line([0, 0.0041, 0], [0.3, 0.0041, 0], 13), velocity: [0, 0.02, 0] });
      addStrands(world, { ...rod, points: line([0, 0, 0], [0.3, 0, 0], 13) });
      steps(world, 40);
      return nodeAt(world, 6)[1] - nodeAt(world, 19)[1];
    };
    expect(apart(0)).toBeCloseTo(0.0041 + 0.02 * (40 / 60), 3);
    expect(apart(0.05)).toBeLessThan(0.0055);
  });

  test('a world without strands reports none and does not pay', () => {
    const world = createWorld();
    addBody(world, { type: 'dynamic', shape: { sphere: 0.1 }, mass: 1, position: [0, 1, 0] });
    steps(world, 2);
    expect(world.physics.report.strands).toMatchObject({ strands: 0, nodes: 0, contacts: 0, iterations: 0, delta: 0 });
  });

  test('a strand whose numbers go bad is quarantined alone', () => {
    const world = createWorld();
    addStrands(world, { points: line([0, 0, 0], [1, 0, 0], 6) });
    addStrands(world, { points: line([0, 0.015, 0.1], [1, 0.015, -0.1], 6) });
    steps(world, 2);
    world.tables.nodes.velocity[4 * 3 + 1] = Number.NaN;
    steps(world, 5);
    expect(world.physics.report.strands.quarantined).toBe(1);
    for (let i = 0; i < 12; i++) expect(nodeAt(world, i).every(Number.isFinite)).toBe(true);
    const y = nodeAt(world, 8)[1];
    steps(world, 5);
    expect(nodeAt(world, 8)[1]).toBeLessThan(y);
  });

  test('a step repeats bit for bit from a snapshot', () => {
    const world = createWorld();
    addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.5 });
    addBody(world, { type: 'dynamic', shape: { sphere: 0.05 }, mass: 0.1, position: [0.5, 0.3, 0], friction: 0.5 });
    addStrands(world, { points: line([0, 0.1, 0], [1, 0.1, 0.1], 11), young: 1e6 });
    steps(world, 20);
    const snapshot = world.physics.snapshot();
    const run = () => {
      steps(world, 20);
      return Array.from(world.tables.nodes.position.subarray(0, 44));
    };
    const once = run();
    world.physics.restore(snapshot);
    expect(run()).toEqual(once);
  });
});
