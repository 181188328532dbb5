// Rods in worlds that no game should have, and some will: numbers stay finite, speeds stay
// sane, the rest of the world goes on.

import { createWorld } from 'bitecs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addGroom,
  addRigidBody,
  addRod,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  type RodSpec,
  rodPositions,
  rodVelocities,
  setClamp,
  setKinematicTarget,
} from '../../src/index';
import * as L from '../../src/state/layout';
import { bySuite, longTest } from '../setup/suite';

const BACKENDS = ['reference', 'wasm'] as const;
type Backend = (typeof BACKENDS)[number];

function makeWorld(backend: Backend, settings: PhysicsSettings = {}): Physics {
  return createPhysics(createWorld(), { ...settings, elastic: { backend, ...settings.elastic } });
}

function line(from: readonly number[], to: readonly number[], count: number): number[][] {
  return Array.from({ length: count }, (_, i) => [0, 1, 2].map((k) => from[k] + ((to[k] - from[k]) * i) / (count - 1)));
}

interface Run {
  /** Fastest node over all steps [m/s], largest kinetic energy [J], farthest a node came from the origin [m]. */
  fastest: number;
  energy: number;
  farthest: number;
}

function run(physics: Physics, steps: number, before?: (step: number) => void): Run {
  const { nodes } = physics.internal.engine.tables;
  const out = { fastest: 0, energy: 0, farthest: 0 };
  for (let step = 0; step < steps; step++) {
    before?.(step);
    physics.step();
    let energy = 0;
    for (let i = 0; i < physics.strands.nodeCount; i++) {
      const square = [0, 1, 2].reduce((sum, k) => sum + nodes.velocity[4 * i + k] ** 2, 0);
      const far = Math.max(...[0, 1, 2].map((k) => Math.abs(nodes.position[4 * i + k])));
      if (!Number.isFinite(square + far)) throw new Error(`node ${i} is not finite in step ${step}`);
      energy += 0.5 * nodes.mass[2 * i] * square;
      out.fastest = Math.max(out.fastest, Math.sqrt(square));
      out.farthest = Math.max(out.farthest, far);
    }
    out.energy = Math.max(out.energy, energy);
  }
  return out;
}

function quarantined(physics: Physics): number[] {
  const { arena, tables } = physics.internal.engine;
  const count = arena.i32[L.STRAND_COUNT >> 2];
  return Array.from({ length: count }, (_, s) => s).filter((s) => tables.strands.flags[s] & L.STRAND_QUARANTINED);
}

const ROPE: Partial<RodSpec> = { radius: 0.005, density: 1000, youngModulus: 1e7 };
const STILL = { gravity: [0, 0, 0] };

describe.each(BACKENDS)('on %s', (backend) => {
  test('hair grown from inside the head it follows is not pushed by it, beyond the head it is', () => {
    const physics = makeWorld(backend);
    const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.1 } });
    const hair = addGroom(physics, {
      // Roots 2 cm inside; out at the side, so that gravity lays the hair on the head's flank.
      strands: { counts: [12], positions: line([0.08, 0, 0], [0.19, 0.02, 0], 12).flat() },
      attach: head,
    });
    const { fastest } = run(physics, 60);
    expect(fastest).toBeLessThan(2);
    const p = rodPositions(physics, hair);
    // Two nodes were inside; all others stay outside.
    for (let i = 3; i < 12; i++) {
      expect(Math.hypot(p[3 * i], p[3 * i + 1], p[3 * i + 2])).toBeGreaterThan(0.0999);
    }
    expect(p[34]).toBeLessThan(-0.02);
  });

  test('a strand wholly inside the head hangs there, on a head that shakes', () => {
    const physics = makeWorld(backend);
    const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.1 } });
    addGroom(physics, {
      strands: { counts: [9], positions: line([0, 0.05, 0], [0.04, 0.05, 0], 9).flat() },
      attach: head,
    });
    const { fastest } = run(physics, 60, (step) => setKinematicTarget(physics, head, [0.02 * (step % 2), 0, 0]));
    // The head does 1.2 m/s.
    expect(fastest).toBeLessThan(5);
    expect(physics.report.strands.contacts).toBe(0);
  });

  test('strands right through a body, and on top of each other, part calmly', () => {
    const physics = makeWorld(backend, STILL);
    addRigidBody(physics, { type: 'static', shape: { sphere: 0.05 } });
    for (const z of [0, 0, 0.001]) addRod(physics, { points: line([-0.1, 0.01, z], [0.1, 0.01, z], 21) });
    const mass = 3 * 1300 * Math.PI * 3.7e-5 ** 2 * 0.2;
    const { energy, fastest } = run(physics, 60);
    // No more than what recovery at 0.25 m/s gives.
    expect(energy).toBeLessThan(0.5 * mass * 0.25 ** 2);
    expect(fastest).toBeLessThan(2);
  });

  test('identical ropes on one place part by their radii', () => {
    const physics = makeWorld(backend, STILL);
    const ropes = [0, 0, 0].map(() => addRod(physics, { ...ROPE, points: line([0, 0, 0], [0.4, 0, 0], 9) }));
    const { fastest } = run(physics, 90);
    expect(fastest).toBeLessThan(1);
    const [a, b, c] = ropes.map((rope) => rodPositions(physics, rope));
    for (const [p, q] of [
      [a, b],
      [b, c],
    ]) {
      expect(Math.hypot(p[12] - q[12], p[13] - q[13], p[14] - q[14])).toBeGreaterThan(0.005);
    }
  });

  test('clamps farther apart than the rod is long stretch it, no more', () => {
    const physics = makeWorld(backend);
    const rod = addRod(physics, { ...ROPE, points: line([0, 0, 0], [0.4, 0, 0], 9), clampStart: true, clampEnd: true });
    setClamp(physics, rod, 'end', { position: [1.2, 0, 0] });
    run(physics, 60);
    const p = rodPositions(physics, rod);
    expect(p[24]).toBeCloseTo(1.2, 6);
    for (let i = 0; i < 8; i++) expect(p[3 * i + 3]).toBeGreaterThan(p[3 * i]);
    // All at rest, the free edges alike.
    expect(Math.max(...rodVelocities(physics, rod).map(Math.abs))).toBeLessThan(0.1);
  });

  test('a head that is somewhere else in the next frame takes its hair along', () => {
    const physics = makeWorld(backend);
    const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.1 } });
    const hair = addRod(physics, { points: line([0, 0.1, 0], [0, 0.2, 0], 11), attachStart: head });
    run(physics, 5);
    run(physics, 60, (step) => step === 0 && setKinematicTarget(physics, head, [30, 5, -2]));
    expect(quarantined(physics)).toEqual([]);
    const p = rodPositions(physics, hair);
    expect(Math.hypot(p[30] - 30, p[31] - 5, p[32] + 2)).toBeLessThan(0.3);
  });

  test('a strand whose numbers the game spoils is taken out alone', () => {
    const physics = makeWorld(backend);
    const [bad, good] = [0, 0.02].map((z) => addRod(physics, { ...ROPE, points: line([0, 1, z], [0.4, 1, z], 9) }));
    run(physics, 2);
    const { nodes } = physics.internal.engine.tables;
    nodes.velocity[4 * 3] = Number.NaN;
    run(physics, 28);
    expect(quarantined(physics)).toEqual([0]);
    expect(rodPositions(physics, bad).every(Number.isFinite)).toBe(true);
    // ½ g t² of half a second, in steps.
    expect(rodPositions(physics, good)[1]).toBeLessThan(0.0);
    nodes.position[4 * 9 + 4] = Number.POSITIVE_INFINITY;
    run(physics, 2);
    expect(quarantined(physics)).toEqual([0, 1]);
  });

  test('any time step, any gravity', () => {
    for (const [timeStep, g] of [
      [0.1, 9.81],
      [0.001, 9.81],
      [1 / 60, 1e6],
      [1, 100],
    ]) {
      const physics = makeWorld(backend, { timeStep, gravity: [0, -g, 0] });
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
      const points = line([0, 0.3, 0], [0.4, 0.3, 0.1], 9);
      const held = addRod(physics, { ...ROPE, points, clampStart: true });
      addRod(physics, { points: points.map(([x, y, z]) => [x, y + 0.02, z]) });
      run(physics, 20);
      expect(rodPositions(physics, held).slice(0, 3)).toEqual(Float64Array.from(points[0]));
      physics.dispose();
    }
  });

  test('two points, a thousand points, ship rope beside hair', () => {
    const physics = makeWorld(backend);
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    addRod(physics, { points: line([0, 0.1, 0], [0.01, 0.1, 0], 2) });
    addRod(physics, { points: line([0, 0.05, 0], [0.005, 0.06, 0], 2), clampStart: true });
    addRod(physics, { points: line([-1, 0.2, 0], [1, 0.2, 0.1], 1000), radius: 2e-5 });
    addRod(physics, {
      points: line([-50, 0.4, 0.05], [50, 0.4, 0], 101),
      radius: 0.05,
      density: 1000,
      youngModulus: 1e8,
    });
    const { fastest } = run(physics, 15);
    expect(fastest).toBeLessThan(5);
    expect(quarantined(physics)).toEqual([]);
  });

  test('radii far larger than edges: the rod does not push itself apart', () => {
    const physics = makeWorld(backend, STILL);
    const rod = addRod(physics, { ...ROPE, radius: 0.05, points: line([0, 0, 0], [0.1, 0, 0], 51) });
    const { fastest } = run(physics, 20);
    expect(fastest).toBeLessThan(1e-3);
    expect(rodPositions(physics, rod)[150]).toBeCloseTo(0.1, 5);
  });

  test('a rod inside a closed mesh stays in', () => {
    const physics = makeWorld(backend);
    const s = 0.3;
    const vertices = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? s : -s, i & 2 ? s : -s, i & 4 ? s : -s]);
    // Faces to the inside.
    const quads = [
      [0, 1, 3, 2],
      [4, 6, 7, 5],
      [0, 4, 5, 1],
      [2, 3, 7, 6],
      [0, 2, 6, 4],
      [1, 5, 7, 3],
    ];
    const triangles = quads.flatMap(([a, b, c, d]) => [
      [a, b, c],
      [a, c, d],
    ]);
    addRigidBody(physics, { type: 'static', shape: { mesh: { vertices, triangles } } });
    addRod(physics, { ...ROPE, points: line([-0.2, 0, 0], [0.2, 0.1, 0], 9) });
    const { farthest, fastest } = run(physics, 60);
    expect(farthest).toBeLessThan(0.31);
    expect(fastest).toBeLessThan(6);
  });
});

longTest('random rods of any material, anywhere, stay finite, and whole as long as they are sound', () => {
  const place = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -0.05, max: 0.05, noNaN: true })));
  const magnitude = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true }).map((x) => 10 ** x);
  const rod = fc.record({
    start: place,
    jitters: fc.array(place, { minLength: 2, maxLength: 12 }),
    edge: magnitude(-4, -1),
    radius: magnitude(-5, -1.5),
    density: magnitude(0, 4),
    youngModulus: magnitude(0, 12),
    stretchModulus: magnitude(0, 12),
    damping: fc.constantFrom(0, 0.001, 1),
    friction: fc.constantFrom(0, 0.5, 10),
    clampStart: fc.boolean(),
    clampEnd: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(rod, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...BACKENDS),
      fc.constantFrom(1 / 10, 1 / 60, 1 / 1000),
      (rods, backend, timeStep) => {
        const physics = makeWorld(backend, { timeStep });
        addRigidBody(physics, { type: 'static', shape: { sphere: 0.03 }, position: [0, -0.02, 0] });
        addRigidBody(physics, { type: 'dynamic', shape: { box: [0.02, 0.02, 0.02] }, position: [0, 0.06, 0] });
        for (const { start, jitters, edge, ...material } of rods) {
          const points = jitters.map((j, i) => [
            start[0] + edge * i + 0.1 * edge * Math.sign(j[0]),
            start[1] + 10 * edge * j[1],
            start[2] + 10 * edge * j[2],
          ]);
          addRod(physics, { ...material, points });
        }
        run(physics, 6);
        physics.dispose();
      },
    ),
    { numRuns: bySuite(30, 60) },
  );
});
