// Rows of the contact table that no rod makes: a point against a triangle, an edge against a
// point. Every backend solves them.

import { describe, expect, test } from 'vitest';
import { addShell } from '../../src/index';
import * as L from '../../src/state/layout';
import { addStrands, createRodWorld, line, type RodWorld, steps } from '../validation/strand-worlds';

type Row = { nodes: number[]; weights: number[]; kinds: [number, number]; normal: number[]; friction: number };

/** Writes the row into each step, after what detection has found. */
function keepRow(world: RodWorld, { nodes, weights, kinds, normal, friction }: Row): void {
  const { tables, physics } = world;
  const { arena } = physics.internal.engine;
  physics.schedule.after('find-contacts', () => {
    const c = arena.i32[L.NODE_CONTACT_COUNT >> 2]++;
    tables.control.nodeContacts.ensure(c + 1);
    const t = tables.nodeContacts;
    const objects = [nodes[0], nodes[kinds[0]]].map((node) => tables.nodes.strand[node]);
    t.node.set([...nodes, -1, -1, -1].slice(0, 4), 4 * c);
    t.weight.set([...weights, 0, 0, 0].slice(0, 4), 4 * c);
    t.normal.set([...normal, 0], 4 * c);
    t.force.fill(0, 4 * c, 4 * c + 4);
    t.side.set([...objects, -1, -1], 4 * c);
    t.key.set([nodes[0], 0, ...kinds], 4 * c);
    t.arm.fill(0, 4 * c, 4 * c + 4);
    t.material.set([friction, 0, 0, 0], 4 * c);
    t.drift.fill(0, 4 * c, 4 * c + 4);
  });
}

const elastic = { tolerance: 1e-9, iterations: 2000, sweeps: 20, sleeping: false };
/**
 * Rods far from each other, so that detection finds nothing: one that moves, one held at both ends. Far away a sheet:
 * in worlds without surfaces all contacts are of rods.
 */
const velocity = [1, -2, 0.5];
const start = (backend: 'reference' | 'wasm') => {
  const world = createRodWorld({ elastic: { backend, ...elastic }, gravity: [0, 0, 0] });
  const falling = addStrands(world, { points: line([0, 2, 0], [0.4, 2, 0], 5), velocity });
  const held = addStrands(world, { points: line([0, 0, 0], [0.3, 0, 0.3], 7), clampStart: true, clampEnd: true });
  const vertices = [0, 9, 0, 1, 9, 0, 0, 9, 1];
  addShell(world.physics, { vertices, triangles: [0, 1, 2], thickness: 0.002, stretchModulus: 1e5 });
  return { world, falling, held };
};

/** Velocity that the row sees. */
function relative({ tables }: RodWorld, { nodes, weights }: Row): number[] {
  return [0, 1, 2].map((k) => nodes.reduce((sum, n, j) => sum + weights[j] * tables.nodes.velocity[4 * n + k], 0));
}

const rows = {
  'a point meets a triangle': (a: number, b: number): Row => ({
    ...{ nodes: [a + 2, b + 2, b + 3, b + 4], weights: [1, -0.2, -0.5, -0.3] },
    ...{ kinds: [L.PRIMITIVE_POINT, L.PRIMITIVE_TRIANGLE], normal: [0, 1, 0], friction: 0.2 },
  }),
  'an edge meets a point': (a: number, b: number): Row => ({
    ...{ nodes: [a + 1, a + 2, b + 3], weights: [0.4, 0.6, -1] },
    ...{ kinds: [L.PRIMITIVE_EDGE, L.PRIMITIVE_POINT], normal: [0, 1, 0], friction: 0.2 },
  }),
};

describe.each(Object.entries(rows))('%s', (_name, rowOf) => {
  test.each(['reference', 'wasm'] as const)(
    'on %s it is stopped, slides by Coulomb, and momentum goes across',
    (backend) => {
      const { world, falling, held } = start(backend);
      const row = rowOf(falling, held);
      keepRow(world, row);
      steps(world, 1);
      const u = relative(world, row);
      expect(Math.abs(u[1])).toBeLessThan(1e-4);
      // What friction takes is µ times what the normal took.
      const { mass, velocity: after } = world.tables.nodes;
      const given = [0, 0, 0];
      for (let n = falling; n < falling + 5; n++)
        for (let k = 0; k < 3; k++) given[k] += mass[2 * n] * (after[4 * n + k] - velocity[k]);
      expect(given[1]).toBeGreaterThan(0);
      const along = Math.hypot(given[0], given[2]);
      expect(along / given[1]).toBeCloseTo(0.2, 3);
      expect(world.physics.report.strands.residual).toBeLessThan(1e-4);
    },
  );

  test('wasm agrees with reference', () => {
    const [a, b] = (['reference', 'wasm'] as const).map((backend) => {
      const { world, falling, held } = start(backend);
      keepRow(world, rowOf(falling, held));
      steps(world, 3);
      return world.tables.nodes.velocity.slice(0, 4 * 12);
    });
    for (let i = 0; i < a.length; i++) if (i % 4 < 3) expect(Math.abs(a[i] - b[i])).toBeLessThan(2e-3);
  });
});
