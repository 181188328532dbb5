// Quadratic elements in the world: what they are asked for (bending), and that everything else takes them.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addRigidBody,
  addSolid,
  createPhysics,
  type PhysicsSettings,
  pinVertex,
  placeSolid,
  removeSolid,
  type SolidSpec,
  solidPositions,
} from '../../src/index';
import { box } from '../mechanics/solid/solid-world';
import { longTest } from '../setup/suite';

const world = (settings: PhysicsSettings = {}) => createPhysics(createWorld(), { userTiming: false, ...settings });

/** A bar of 1 m and 10 × 1 × 1 cells, held at x = 0. */
function bar(over: Partial<SolidSpec> = {}): SolidSpec {
  const { vertices, tetrahedra } = box([10, 1, 1], [0, 0, 0], [1, 0.1, 0.1]);
  const pins = [...vertices.keys()].filter((k) => k % 3 === 0 && vertices[k] === 0).map((k) => k / 3);
  return { vertices, tetrahedra, pins, youngModulus: 2e7, damping: 0.05, canSleep: false, ...over };
}

/** Sag of the bar's end over that of a beam. */
function sag(elements: 'linear' | 'quadratic', backend: 'wasm' | 'reference', steps: number): number {
  const physics = world({ gravity: [0, -1, 0], elastic: { backend } });
  const spec = bar({ elements });
  const eid = addSolid(physics, spec);
  for (let k = 0; k < steps; k++) physics.step();
  const now = solidPositions(physics, eid);
  expect(now.length).toBe(spec.vertices.length);
  const end = [...now.keys()].filter((k) => k % 3 === 1 && now[k - 1] > 0.95);
  const mean = end.reduce((sum, k) => sum + now[k] - (spec.vertices as Float64Array)[k], 0) / end.length;
  // ρ A g L⁴/(8 E I), I = h⁴/12.
  return -mean / ((1000 * 0.01) / (8 * 2e7 * (0.1 ** 4 / 12)));
}

longTest('one cell across bends as a beam does; linear elements of the same mesh lock', () => {
  expect(sag('quadratic', 'wasm', 250)).toBeGreaterThan(0.97);
  expect(sag('quadratic', 'wasm', 250)).toBeLessThan(1);
  expect(sag('linear', 'wasm', 250)).toBeLessThan(0.4);
  expect(sag('quadratic', 'wasm', 20)).toBeCloseTo(sag('quadratic', 'reference', 20), 4);
});

test('lies on the ground under a crate, repeats from a snapshot, outlives its neighbour', () => {
  const physics = world();
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const other = addSolid(physics, bar({ pins: [] }));
  placeSolid(
    physics,
    other,
    (bar().vertices as Float64Array).map((x, k) => (k % 3 === 2 ? x + 2 : x + 0.2)),
  );
  const { vertices, tetrahedra } = box([1, 1, 1], [0, 0.006, 0], [0.3, 0.306, 0.3]);
  const eid = addSolid(physics, { vertices, tetrahedra, elements: 'quadratic', youngModulus: 8e4, radius: 0.005 });
  const crate = { shape: { box: [0.1, 0.1, 0.1] as const }, mass: 5, position: [0.15, 0.42, 0.15] as const };
  addRigidBody(physics, crate);
  for (let k = 0; k < 10; k++) physics.step();
  removeSolid(physics, other);
  for (let k = 0; k < 10; k++) physics.step();
  const kept = physics.snapshot();
  for (let k = 0; k < 20; k++) physics.step();
  const hash = physics.hash();
  physics.restore(kept);
  for (let k = 0; k < 20; k++) physics.step();
  expect(physics.hash()).toBe(hash);
  const heights = solidPositions(physics, eid).filter((_, k) => k % 3 === 1);
  expect(Math.min(...heights)).toBeGreaterThan(0.003);
  expect(Math.max(...heights)).toBeLessThan(0.306);
  expect(physics.report.strands.contacts).toBeGreaterThan(8);
  const { arena, tables } = physics.internal.engine;
  expect(findBrokenInvariants(arena, tables)).toEqual([]);
});

test('pins hold the middles between them, on both backends', () => {
  for (const backend of ['wasm', 'reference'] as const) {
    const physics = world({ elastic: { backend } });
    const eid = addSolid(physics, bar({ elements: 'quadratic', youngModulus: 2e5, pins: [] }));
    for (const vertex of bar().pins as number[]) pinVertex(physics, eid, vertex);
    for (let k = 0; k < 5; k++) physics.step();
    const { position, mass } = physics.internal.engine.tables.nodes;
    const held = Array.from({ length: mass.length / 2 }, (_, i) => 4 * i).filter(
      (at) => mass[at / 2] > 0 && Math.abs(position[at]) < 1e-3,
    );
    // Four corners, four edges and a diagonal.
    expect(held.length).toBe(9);
    for (const at of held) {
      const [x, y] = position.subarray(at, at + 2);
      expect([x, 20 * y]).toEqual([expect.closeTo(0, 12), expect.closeTo(Math.round(20 * y), 10)]);
    }
  }
});

test('is placed with the middles of its edges', () => {
  const physics = world({ gravity: [0, 0, 0] });
  const spec = bar({ elements: 'quadratic', pins: [] });
  const eid = addSolid(physics, spec);
  physics.step();
  const moved = (spec.vertices as Float64Array).map((x, k) => (k % 3 === 1 ? x + 3 : x));
  placeSolid(physics, eid, moved);
  physics.step();
  const now = solidPositions(physics, eid);
  expect(Math.max(...now.map((x, k) => Math.abs(x - moved[k])))).toBeLessThan(1e-6);
});

test('an order that there is not is refused', () => {
  const spec = bar({ elements: 'cubic' as 'linear' });
  expect(() => addSolid(world(), spec)).toThrow('addSolid: elements must be linear or quadratic, got "cubic"');
});
