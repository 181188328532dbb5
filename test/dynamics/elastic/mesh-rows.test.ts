// Shells among rods in the tables: topology, rest shape, masses, and removal that renumbers what stays.

import { expect, test } from 'vitest';
import { findBrokenInvariants } from '../../../src/debug/validate';
import { createShell } from '../../../src/dynamics/elastic/mesh-rows';
import { destroyRods } from '../../../src/dynamics/elastic/rows';
import { findMeshEdges } from '../../../src/geometry/mesh-edges';
import * as L from '../../../src/state/layout';
import { gridMesh, shellDefinition } from '../../mechanics/shell/shell-world';
import { addStrands, createRodWorld, line } from '../../validation/strand-worlds';

test('edges name both triangles, the one that runs upwards first', () => {
  const { triangles } = gridMesh(3, 2, 3, 2);
  const edges = findMeshEdges(triangles);
  // Euler: V − E + F = 1.
  expect(edges.count).toBe(12 + 12 - 1);
  expect(edges.crowded.length + edges.unwound.length).toBe(0);
  let inner = 0;
  for (let e = 0; e < edges.count; e++) {
    const [a, b, c, d] = edges.vertices.subarray(4 * e, 4 * e + 4);
    const [s, t] = edges.triangles.subarray(2 * e, 2 * e + 2);
    expect(a).toBeLessThan(b);
    const faceOf = (face: number) => triangles.slice(3 * face, 3 * face + 3);
    expect(faceOf(s).sort((x, y) => x - y)).toEqual([a, b, c].sort((x, y) => x - y));
    if (d < 0) continue;
    inner++;
    expect(faceOf(t)).toContain(d);
    const face = faceOf(s);
    expect(face[(face.indexOf(a) + 1) % 3]).toBe(b);
  }
  expect(inner).toBe(13);
  // A third triangle at an edge; one that is turned over.
  expect(findMeshEdges([0, 1, 2, 1, 0, 3, 0, 1, 4]).crowded).toEqual([2]);
  expect(findMeshEdges([0, 1, 2, 0, 1, 3]).unwound).toEqual([1]);
});

test('a shell has its mass, its flat angles and its factors', () => {
  const world = createRodWorld({ gravity: [0, 0, 0] });
  const { engine } = world.physics.internal;
  const { tables } = engine;
  const slot = createShell(engine, shellDefinition(gridMesh(4, 3, 0.4, 0.3)));
  const object = tables.rods.strandStart[slot];
  expect(tables.strands.kind[object]).toBe(L.KIND_SHELL);
  let mass = 0;
  for (let n = 0; n < 20; n++) mass += tables.nodes.mass[2 * n];
  expect(mass).toBeCloseTo(400 * 1e-3 * 0.12, 15);
  const [first, count] = tables.strands.meshEdges.subarray(0, 2);
  for (let e = first; e < first + count; e++) {
    const isHinge = tables.meshEdges.node[4 * e + 3] >= 0;
    expect(tables.meshEdges.rest[4 * e + 1]).toBe(0);
    expect(tables.meshEdges.rest[4 * e + 2] > 0).toBe(isHinge);
    expect(tables.meshEdges.rest[4 * e + 3] > 0).toBe(isHinge);
  }
  expect(findBrokenInvariants(engine.arena, tables)).toEqual([]);
});

test('drawn angles are positive where the fold opens towards the normals', () => {
  const world = createRodWorld({});
  const { engine } = world.physics.internal;
  // A valley of 90° along z, normals inwards.
  const points = [0, 0, 0, 0, 0, 1, -1, 1, 0, 1, 1, 0];
  createShell(engine, shellDefinition({ points, triangles: [0, 1, 3, 1, 0, 2] }, { restAngles: 'drawn' }));
  const { meshEdges } = engine.tables;
  const hinge = [0, 1, 2, 3, 4].find((e) => meshEdges.node[4 * e + 3] >= 0)!;
  expect(meshEdges.rest[4 * hinge + 1]).toBeCloseTo(Math.PI / 2, 12);
});

test('removal moves the rows of what stays, and rods beside shells go on as without them', () => {
  const make = (withShells: boolean) => {
    const world = createRodWorld({ gravity: [0, -9.81, 0], elastic: { backend: 'wasm' } });
    const { engine } = world.physics.internal;
    const { tables } = engine;
    const shell = (z: number, size: number) => {
      const mesh = gridMesh(size, size, 0.3, 0.3);
      const points = mesh.points.map((x, k) => x + (k % 3 === 2 ? z : 0));
      return createShell(engine, shellDefinition({ ...mesh, points }, { restAngles: 'drawn' }));
    };
    const a = withShells ? shell(5, 3) : -1;
    const rod = addStrands(world, { points: line([0, 1, 0], [0.5, 1, 0], 9), clampStart: true });
    const b = withShells ? shell(7, 4) : -1;
    return { world, engine, tables, a, b, rod };
  };
  const mixed = make(true);
  const { engine, tables } = mixed;
  expect(findBrokenInvariants(engine.arena, tables)).toEqual([]);
  const describe = () => {
    const object = tables.rods.strandStart[mixed.b];
    const first = tables.strands.first[object];
    const [e0, edges] = tables.strands.meshEdges.subarray(2 * object, 2 * object + 2);
    const [t0, faces] = tables.strands.triangles.subarray(2 * object, 2 * object + 2);
    const rows = (column: Int32Array, from: number, n: number, zero: number) =>
      Array.from(column.subarray(4 * from, 4 * (from + n)), (x, k) => (k % 4 === 3 && x < 0 ? x : x - zero));
    return {
      nodes: rows(tables.triangles.node, t0, faces, first).filter((_, k) => k % 4 < 3),
      edges: rows(tables.triangles.edge, t0, faces, e0).filter((_, k) => k % 4 < 3),
      rest: Array.from(tables.meshEdges.rest.subarray(4 * e0, 4 * (e0 + edges))),
      position: Array.from(tables.nodes.position.subarray(4 * first, 4 * (first + 25))),
    };
  };
  const before = describe();
  destroyRods(engine, [mixed.a]);
  expect(findBrokenInvariants(engine.arena, tables)).toEqual([]);
  expect(describe()).toEqual(before);
  destroyRods(engine, [mixed.b]);
  expect(engine.arena.i32[L.TRIANGLE_COUNT >> 2]).toBe(0);
  expect(engine.arena.i32[L.MESH_EDGE_COUNT >> 2]).toBe(0);
  const plain = make(false);
  const rows = (world: typeof mixed) => Array.from(world.tables.nodes.position.subarray(0, 36));
  for (const world of [mixed, plain]) for (let k = 0; k < 30; k++) world.world.physics.step();
  expect(rows(mixed)).toEqual(rows(plain));
});
