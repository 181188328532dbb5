// Objects with a mesh come: rows of the tables of rods (their material), strands (the
// object), nodes, triangles and edges.
//
// In: a checked definition, vertices by their numbers in it. Out: the material's slot, which is what a rod's slot is to
// a rod. Rows are dense ranges in the order of creation; removal is that of rods (rows.ts).

import { findMeshEdges, type MeshEdges } from '../../geometry/mesh-edges';
import { layFlat } from '../../mechanics/shell/lay-flat';
import { type RestAngles, writeRestShape, writeShellMasses } from '../../mechanics/shell/rest-shape';
import * as L from '../../state/layout';
import { DENSITY, IS_WARPED, RADIUS } from '../../state/material-places';
import { EDGE_OBJECT, TRIANGLE_OBJECT } from '../../state/mesh-places';
import { RANGE_COUNT, REST_HEIGHT, REST_PLACE } from '../../state/node-places';
import { noteBirth } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';
import { clearNewRows, type MaterialDefinition, takeMaterial } from './rows';

/** What every object with a surface of triangles is made from; arrays are read, none kept. */
export interface MeshDefinition extends MaterialDefinition {
  /** Where the nodes are, three numbers each [m]. */
  points: ArrayLike<number>;
  /** Of every node [m/s]. */
  velocity: ArrayLike<number>;
  /** Three nodes each, counter-clockwise seen from outside. */
  triangles: ArrayLike<number>;
}

/** What a shell is made from. */
export interface ShellDefinition extends MeshDefinition {
  /** The shape without stress, as `points`. */
  rest: ArrayLike<number>;
  /** Angles between its triangles without stress: none, or those of `rest`. */
  restAngles: RestAngles;
  /** Direction of its warp in `rest`; without one that does not matter. */
  warp?: ArrayLike<number> | null;
}

/** Makes a shell; returns its slot among the rods. */
export function createShell(engine: Engine, definition: ShellDefinition): number {
  const { tables } = engine;
  const slot = createMesh(engine, L.KIND_SHELL, definition);
  const object = tables.rods.strandStart[slot];
  const { parameter } = tables.rods;
  writeRestShape(tables, object, definition.rest, definition.restAngles, definition.warp ?? null);
  if (definition.warp) tables.rods.weave[4 * slot + IS_WARPED] = 1;
  writeShellMasses(tables, object, 2 * parameter[8 * slot + RADIUS] * parameter[8 * slot + DENSITY]);
  writePlaces(tables, object, definition);
  noteBirth(tables, slot);
  return slot;
}

/** Places of its nodes in the plane, of a sheet that can be laid out there. */
function writePlaces({ strands, nodes }: Tables, object: number, { rest, triangles }: ShellDefinition): void {
  const flat = layFlat(rest, triangles, findMeshEdges(triangles));
  if (!flat) return;
  const first = strands.first[object];
  nodes.rest[8 * first + REST_HEIGHT] = flat.height;
  for (let node = 0; node < strands.nodes[object]; node++) {
    for (let k = 0; k < 2; k++) nodes.rest[8 * (first + node) + REST_PLACE + k] = flat.places[2 * node + k];
  }
}

/** Rows of an object of `kind` with nodes, triangles and edges: all that is not its rest shape and its masses. */
export function createMesh(engine: Engine, kind: number, definition: MeshDefinition): number {
  const { arena, tables } = engine;
  const { points, velocity, triangles } = definition;
  const edges = findMeshEdges(triangles);
  const count = points.length / 3;
  const faces = triangles.length / 3;
  const object = arena.i32[L.STRAND_COUNT >> 2];
  const first = arena.i32[L.NODE_COUNT >> 2];
  const firstTriangle = arena.i32[L.TRIANGLE_COUNT >> 2];
  const firstEdge = arena.i32[L.MESH_EDGE_COUNT >> 2];
  const { control } = tables;
  control.strands.ensure(object + 1);
  control.nodes.ensure(first + count);
  control.triangles.ensure(firstTriangle + faces);
  control.meshEdges.ensure(firstEdge + edges.count);
  const slot = takeMaterial(engine, definition, 1, count);
  // The device has no kinds but rods.
  tables.rods.flags[slot] |= L.ROD_ON_WASM;

  const { strands, nodes } = tables;
  clearNewRows(strands, object, object + 1);
  clearNewRows(nodes, first, first + count);
  strands.rod[object] = slot;
  strands.kind[object] = kind;
  if (kind === L.KIND_SHELL) strands.flags[object] |= L.STRAND_TANGLED;
  strands.first[object] = first;
  strands.nodes[object] = count;
  strands.attach.fill(-1, 2 * object, 2 * object + 2);
  strands.triangles.set([firstTriangle, faces], 2 * object);
  strands.meshEdges.set([firstEdge, edges.count], 2 * object);
  nodes.strand.fill(object, first, first + count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      nodes.position[4 * (first + i) + k] = points[3 * i + k];
      nodes.velocity[4 * (first + i) + k] = velocity[k];
    }
  }
  for (let at = 4 * first; at < 4 * (first + count); at++) nodes.previous[at] = nodes.position[at];
  arena.i32[L.STRAND_COUNT >> 2] = object + 1;
  arena.i32[L.NODE_COUNT >> 2] = first + count;
  writeTopology(tables, object, triangles, edges);
  arena.i32[L.TRIANGLE_COUNT >> 2] = firstTriangle + faces;
  arena.i32[L.MESH_EDGE_COUNT >> 2] = firstEdge + edges.count;
  return slot;
}

/** Who is next to whom, in rows of the tables. */
function writeTopology(tables: Tables, object: number, faces: ArrayLike<number>, edges: MeshEdges): void {
  const { strands, triangles, meshEdges } = tables;
  const first = strands.first[object];
  const firstTriangle = strands.triangles[2 * object];
  const firstEdge = strands.meshEdges[2 * object];
  const rowOf = (start: number, number: number) => (number < 0 ? -1 : start + number);
  clearNewRows(triangles, firstTriangle, firstTriangle + strands.triangles[2 * object + RANGE_COUNT]);
  clearNewRows(meshEdges, firstEdge, firstEdge + edges.count);
  for (let t = 0; t < faces.length / 3; t++) {
    const row = 4 * (firstTriangle + t);
    for (let k = 0; k < 3; k++) {
      triangles.node[row + k] = first + faces[3 * t + k];
      triangles.edge[row + k] = firstEdge + edges.ofTriangle[3 * t + k];
    }
    triangles.node[row + TRIANGLE_OBJECT] = object;
    triangles.edge[row + 3] = -1;
  }
  for (let e = 0; e < edges.count; e++) {
    const row = 4 * (firstEdge + e);
    for (let k = 0; k < 4; k++) meshEdges.node[row + k] = rowOf(first, edges.vertices[4 * e + k]);
    for (let k = 0; k < 2; k++) meshEdges.triangle[row + k] = rowOf(firstTriangle, edges.triangles[2 * e + k]);
    meshEdges.triangle[row + EDGE_OBJECT] = object;
    meshEdges.triangle[row + 3] = -1;
  }
}
