// What every backend must pass: rods and bodies in one world, as statics, momentum and Coulomb's law have it.
//
// rods.test.ts runs it on the CPU, rods-webgpu.test.ts on the device. Steps may be
// waited for, worlds take time to make.

import { expect } from 'vitest';
import type { PhysicsSettings } from '../../src/index';
import * as L from '../../src/state/layout';
import { addBody, addStrands, line, nodeAt, type RodWorld, tie } from '../validation/strand-worlds';

export interface RodBackend {
  test(name: string, work: () => Promise<void>): void;
  createWorld(settings?: PhysicsSettings): RodWorld | Promise<RodWorld>;
  steps(world: RodWorld, count: number): void | Promise<void>;
  /** The tables of strands were written by hand. */
  written(world: RodWorld): void;
  /** Whether a snapshot holds all that a step depends on, forces of contacts too: else only restored runs repeat. */
  readonly hasWholeSnapshot: boolean;
  /**
   * Digits after the point to which the force of a joint settles [N], and momentum is kept
   * [N·s]; the speed that is rest [m/s].
   */
  readonly exact: { readonly force: number; readonly momentum: number; readonly rest: number };
}

/** Momentum of all nodes and of the given bodies of known mass [N·s]. */
function momentum(world: RodWorld, bodies: { slot: number; mass: number }[]): number[] {
  const { nodes, bodies: table } = world.tables;
  const p = [0, 0, 0];
  const count = world.physics.internal.engine.arena.i32[L.NODE_COUNT >> 2];
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

/** Joints of strands and bodies. */
export function jointSuite({ test, createWorld, steps, exact }: RodBackend): void {
  test('a rope carries a crate: its tension is the weight, and it hangs still', async () => {
    const world = await createWorld();
    const crate = addBody(world, {
      type: 'dynamic',
      shape: { box: [0.2, 0.2, 0.2] },
      mass: 10,
      position: [0, -1.2, 0],
    });
    const rope = addStrands(world, { points: line([0, 0, 0], [0, -1, 0], 11), young: 1e9, clampStart: true });
    const knot = tie(world, 0, 10, crate.slot, [0, 0.2, 0]);
    await steps(world, 120);
    const force = Array.from(world.tables.attachments.impulse.subarray(4 * knot, 4 * knot + 3), (x) => 60 * x);
    expect(force[1]).toBeCloseTo(-98.1, exact.force);
    expect(Math.abs(world.tables.bodies.linearVelocity[4 * crate.slot + 1])).toBeLessThan(exact.rest);
    // Nine of its ten edges are free (the clamp holds one): stretched by F L/(E A), plus
    // half of their own weight's share.
    const area = Math.PI * 1e-4;
    const own = (0.5 * 0.81 * 1000 * area * 9.81) / (1e9 * area);
    expect(-1 - nodeAt(world, rope + 10)[1]).toBeCloseTo((0.9 * 98.1) / (1e9 * area) + own, 6);
  });

  test('a rope attachment is slack inside its length and holds at it', async () => {
    const world = await createWorld();
    const weight = addBody(world, { type: 'dynamic', shape: { sphere: 0.05 }, mass: 2, position: [0, -0.4, 0] });
    addStrands(world, {
      points: line([-0.5, 0, 0], [0.5, 0, 0], 11),
      young: 1e9,
      radius: 0.02,
      clampStart: true,
      clampEnd: true,
    });
    const knot = tie(world, 0, 5, weight.slot, [0, 0, 0], 0.5);
    await steps(world, 3);
    expect(Math.abs(world.tables.attachments.impulse[4 * knot + 1])).toBe(0);
    await steps(world, 240);
    expect(60 * world.tables.attachments.impulse[4 * knot + 1]).toBeCloseTo(-2 * 9.81, 2);
    const node = nodeAt(world, 5);
    expect(node[1] - world.tables.bodies.position[4 * weight.slot + 1]).toBeCloseTo(0.5, 3);
  });

  test('a clamp on a falling body takes the rod along and gives its weight to the body', async () => {
    const world = await createWorld({ gravity: [0, 0, 0] });
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
    await steps(world, 40);
    const after = momentum(world, [{ slot: body.slot, mass }]);
    for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], exact.momentum);
    // The clamped node stays at its place in the body.
    const { position } = world.tables.bodies;
    const arm = nodeAt(world, 0).map((x, k) => x - position[4 * body.slot + k]);
    expect(Math.sqrt(arm.reduce((s, x) => s + x * x, 0))).toBeCloseTo(0.1, 3);
  });
}

/** Contacts of strands with each other and with bodies. */
export function rodSuite({ test, createWorld, steps, written, hasWholeSnapshot }: RodBackend): void {
  test('a crate rests on strands without sinking through, and they bear its weight', async () => {
    const world = await createWorld();
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
    await steps(world, 150);
    const { position, linearVelocity } = world.tables.bodies;
    const y = position[4 * crate.slot + 1];
    expect(y).toBeGreaterThan(0.08);
    expect(Math.abs(linearVelocity[4 * crate.slot + 1])).toBeLessThan(2e-3);
    // The strands touch the edges of the crate's underside, a radius below it (and bow down between them).
    for (const node of [21 + 8, 21 + 12]) expect(Math.abs(y - 0.1 - nodeAt(world, node)[1] - 0.01)).toBeLessThan(0.001);
  });

  test('a strand that falls on a height field lies on its slope, a radius above it', async () => {
    const world = await createWorld();
    const rise = 0.25;
    // Ground at y = 0.4 + rise · x: whoever looks past it lets the strand fall, by 0.2 m.
    const heights = Array.from({ length: 25 }, (_, i) => 0.4 + rise * ((i % 5) * 0.5 - 1));
    const heightField = { size: [2, 2], rows: 5, columns: 5, heights } as const;
    addBody(world, { type: 'static', shape: { heightField }, friction: 1 });
    const radius = 0.01;
    // Its lowest node, 2 mm from the ground; the surface is a radius away across the slope.
    const above = radius * Math.sqrt(1 + rise * rise);
    const heightAt = (x: number) => 0.4 + rise * x + above;
    const points = line([-0.3, heightAt(-0.3) + 2e-3, -0.2], [0.3, heightAt(0.3) + 2e-3, 0.25], 11);
    const first = addStrands(world, { points, radius, friction: 1, young: 1e7, damping: 0.01 });
    await steps(world, 12);
    for (let i = first; i < first + 11; i++) {
      const [x, y] = nodeAt(world, i);
      expect(Math.abs(y - heightAt(x)), `node ${i - first}`).toBeLessThan(2e-4);
    }
    // It holds by friction, where gravity alone would have moved it by 5 cm down the slope.
    expect(Math.abs(nodeAt(world, first)[0] + 0.3)).toBeLessThan(5e-3);
    expect(Math.abs(meanSpeed(world, first))).toBeLessThan(1e-2);
  });

  test('a strand that hits a free ball hands over momentum and keeps the sum', async () => {
    const world = await createWorld({ gravity: [0, 0, 0], elastic: { tolerance: 1e-9, iterations: 400, sweeps: 10 } });
    const mass = 0.2;
    const ball = addBody(world, { type: 'dynamic', shape: { sphere: 0.05 }, mass, position: [0, 0, 0], friction: 0.3 });
    addStrands(world, {
      points: line([-0.2, 0.08, 0.01], [0.2, 0.08, 0.01], 9),
      velocity: [0.3, -2, 0],
      young: 1e7,
      damping: 0.01,
    });
    const before = momentum(world, [{ slot: ball.slot, mass }]);
    await steps(world, 20);
    const after = momentum(world, [{ slot: ball.slot, mass }]);
    expect(world.tables.bodies.linearVelocity[4 * ball.slot + 1]).toBeLessThan(-0.1);
    for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], 4);
  });

  for (const turn of [0, 0.3, 0.7, 1.1]) {
    test(`strands that cross at 20 m/s, turned by ${turn} rad, catch each other and do not pass through`, async () => {
      const world = await createWorld({ gravity: [0, 0, 0] });
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
      await steps(world, 8);
      expect(meanSpeed(world, 0)).toBeGreaterThan(-3);
      expect(meanSpeed(world, 11)).toBeLessThan(3);
    });
  }

  test('a block on two strands slides beyond the friction angle and stays within it', async () => {
    const moved = async (slope: number) => {
      const world = await createWorld({ gravity: [9.81 * slope, -9.81, 0] });
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
      await steps(world, 90);
      return world.tables.bodies.position[4 * block.slot] + 0.2;
    };
    expect(Math.abs(await moved(0.42))).toBeLessThan(0.01);
    expect(await moved(0.65)).toBeGreaterThan(0.1);
  });

  test('each edge of a hanging strand stretches by its own stiffness and rest length', async () => {
    const world = await createWorld();
    const n = 9;
    const shares = Array.from({ length: n }, (_, i) => 0.5 + 0.25 * (i % 4));
    const lengths = Array.from({ length: n }, (_, i) => 0.1 * (1 + 0.004 * (i % 3)));
    const points = line([0, 0, 0], [0, -0.8, 0], n);
    const first = addStrands(world, {
      ...{ points, young: 1e4, stretch: 1e6, damping: 0.1, clampStart: true },
      along: { stretchFactors: shares, lengths },
    });
    await steps(world, 60);
    const area = Math.PI * 1e-4;
    // The clamp holds the first edge; half of the last edge's mass hangs at the end, as drawn.
    for (let i = 1; i < n - 1; i++) {
      const weight = (n - 1 - i - 0.5) * 0.1 * area * 1000 * 9.81;
      const length = nodeAt(world, first + i)[1] - nodeAt(world, first + i + 1)[1];
      expect(length).toBeCloseTo(lengths[i] * (1 + weight / (shares[i] * 1e6 * area)), 6);
    }
  });

  test('a strand takes the rest curvatures it is given, a stiff part as a soft one', async () => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const n = 13;
    const [edge, turn] = [0.05, 0.2];
    // In the natural frame of a rod along x the corner's whole curvature 2 tan(φ/2) is about one director.
    const corner = 2 * Math.tan(turn / 2);
    const first = addStrands(world, {
      ...{ points: line([0, 0, 0], [edge * (n - 1), 0, 0], n), young: 1e8, damping: 0.05, clampStart: true },
      along: {
        curvatures: Array.from({ length: n }, () => [corner, 0, corner, 0]).flat(),
        bendFactors: Array.from({ length: n }, (_, i) => (i % 3 === 0 ? 4 : 0.5)),
      },
    });
    await steps(world, 150);
    // All in one plane, every corner the same angle whatever its stiffness.
    for (let i = 1; i < n - 1; i++) {
      const [a, b, c] = [-1, 0, 1].map((k) => nodeAt(world, first + i + k));
      const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - b[k])];
      const cosine = u.reduce((sum, x, k) => sum + x * v[k], 0) / edge ** 2;
      expect(cosine).toBeCloseTo(Math.cos(turn), 3);
    }
    const end = nodeAt(world, first + n - 1);
    // Eleven corners turn further and further: the chord of a regular polygon.
    const angles = Array.from({ length: n - 1 }, (_, i) => turn * i);
    const along = edge * angles.reduce((sum, angle) => sum + Math.cos(angle), 0);
    const across = edge * angles.reduce((sum, angle) => sum + Math.sin(angle), 0);
    expect(end[0]).toBeCloseTo(along, 3);
    expect(Math.hypot(end[1], end[2])).toBeCloseTo(across, 3);
  });

  test('sticky strands stay together with cohesion and part without', async () => {
    const apart = async (cohesion: number) => {
      const world = await createWorld({ gravity: [0, 0, 0] });
      const rod = { radius: 0.002, density: 1000, young: 1e5, cohesion, friction: 0.2, damping: 0.01 };
      addStrands(world, { ...rod, points: line([0, 0.0041, 0], [0.3, 0.0041, 0], 13), velocity: [0, 0.02, 0] });
      addStrands(world, { ...rod, points: line([0, 0, 0], [0.3, 0, 0], 13) });
      await steps(world, 40);
      return nodeAt(world, 6)[1] - nodeAt(world, 19)[1];
    };
    expect(await apart(0)).toBeCloseTo(0.0041 + 0.02 * (40 / 60), 3);
    expect(await apart(0.05)).toBeLessThan(0.0055);
  });

  test('a world without strands reports none and does not pay', async () => {
    const world = await createWorld();
    addBody(world, { type: 'dynamic', shape: { sphere: 0.1 }, mass: 1, position: [0, 1, 0] });
    await steps(world, 2);
    expect(world.physics.report.strands).toMatchObject({ strands: 0, nodes: 0, contacts: 0, iterations: 0, delta: 0 });
  });

  test('a strand whose numbers go bad is quarantined alone', async () => {
    const world = await createWorld();
    addStrands(world, { points: line([0, 0, 0], [1, 0, 0], 6) });
    addStrands(world, { points: line([0, 0.015, 0.1], [1, 0.015, -0.1], 6) });
    await steps(world, 2);
    world.tables.nodes.velocity[4 * 3 + 1] = Number.NaN;
    written(world);
    await steps(world, 5);
    expect(world.physics.report.strands.quarantined).toBe(1);
    for (let i = 0; i < 12; i++) expect(nodeAt(world, i).every(Number.isFinite)).toBe(true);
    const y = nodeAt(world, 8)[1];
    await steps(world, 5);
    expect(nodeAt(world, 8)[1]).toBeLessThan(y);
  });

  test('a step repeats bit for bit from a snapshot', async () => {
    const world = await createWorld();
    addBody(world, { type: 'static', shape: { plane: [0, 1, 0] }, position: [0, 0, 0], friction: 0.5 });
    addBody(world, { type: 'dynamic', shape: { sphere: 0.05 }, mass: 0.1, position: [0.5, 0.3, 0], friction: 0.5 });
    addStrands(world, { points: line([0, 0.1, 0], [1, 0.1, 0.1], 11), young: 1e6 });
    await steps(world, 20);
    const snapshot = world.physics.snapshot();
    const run = async () => {
      await steps(world, 20);
      return Array.from(world.tables.nodes.position.subarray(0, 44));
    };
    if (!hasWholeSnapshot) world.physics.restore(snapshot);
    const once = await run();
    world.physics.restore(snapshot);
    expect(await run()).toEqual(once);
  });
}
