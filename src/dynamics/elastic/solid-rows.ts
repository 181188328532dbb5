// Solids come: rows of a mesh (its boundary, which is what touches) and of the tetrahedra within.

import { writeRestShape } from '../../mechanics/shell/rest-shape';
import { EDGE_ENDS, ELEMENT_NODES, lumpMass, type SolidElements, writeRest } from '../../mechanics/solid/elements';
import { bindRider, rideAlong } from '../../mechanics/solid/riders';
import { readSolidElements } from '../../mechanics/solid/solid-system';
import * as L from '../../state/layout';
import { DENSITY } from '../../state/material-places';
import { RANGE_COUNT } from '../../state/node-places';
import { noteBirth } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';
import { createMesh, type MeshDefinition } from './mesh-rows';
import { clearNewRows } from './rows';

/** What a solid is made from; `triangles` is its boundary. */
export interface SolidDefinition extends MeshDefinition {
  /** Four nodes each, with a volume > 0 in `rest`. */
  tetrahedra: ArrayLike<number>;
  /** Six nodes each, in the middle of their edges (EDGE_ENDS); without them elements are linear. */
  middles?: ArrayLike<number>;
  /** The shape without stress, as `points`. */
  rest: ArrayLike<number>;
  /**
   * Last points that tetrahedra carry, and whose surface `triangles` is in the place of the boundary: four corners
   * each, and their shares.
   */
  riders?: { readonly corner: ArrayLike<number>; readonly weight: ArrayLike<number> };
  /** COROTATED, FIXED_COROTATED or NEO_HOOKEAN of mechanics/solid/stretch-energy. */
  model: number;
}

/** Makes a solid; returns its slot among the rods. */
export function createSolid(engine: Engine, definition: SolidDefinition): number {
  const { arena, tables } = engine;
  const { tetrahedra, rest, model } = definition;
  const firstRow = arena.i32[L.TETRAHEDRON_COUNT >> 2];
  const count = tetrahedra.length / 4;
  tables.control.tetrahedra.ensure(firstRow + count);
  const slot = createMesh(engine, L.KIND_SOLID, definition);
  const { rods, strands, tetrahedra: rows } = tables;
  const object = rods.strandStart[slot];
  const first = strands.first[object];
  rods.flags[slot] |= model << L.ROD_MODEL_SHIFT;
  bindRiders(tables, object, definition.riders);

  // The boundary: lengths of its edges and areas, and no stress of its own.
  writeRestShape(tables, object, rest, 'drawn', null);

  clearNewRows(rows, firstRow, firstRow + count);
  strands.tetrahedra.set([firstRow, count], 2 * object);
  for (let k = 0; k < 4 * count; k++) rows.node[4 * firstRow + k] = first + tetrahedra[k];
  const { middles } = definition;
  rows.middle.fill(-1, 8 * firstRow, 8 * (firstRow + count));
  for (let k = 0; middles && k < 6 * count; k++) {
    rows.middle[8 * (firstRow + Math.floor(k / 6)) + (k % 6)] = first + middles[k];
  }
  rows.object.fill(object, firstRow, firstRow + count);
  arena.i32[L.TETRAHEDRON_COUNT >> 2] = firstRow + count;
  const elements = readSolidElements(tables, object, first);
  writeRest(elements.rest, { nodes: elements.nodes, width: ELEMENT_NODES[elements.order], origin: first }, rest, 3);
  writeMasses(tables, object, elements, rest);
  noteBirth(tables, slot);
  return slot;
}

function bindRiders(tables: Tables, object: number, riders: SolidDefinition['riders']): void {
  if (!riders) return;
  const count = riders.corner.length / 4;
  tables.strands.riders[object] = count;
  for (let r = 0; r < count; r++) {
    const four = [0, 1, 2, 3].map((k) => 4 * r + k);
    const [corners, shares] = [riders.corner, riders.weight].map((list) => four.map((at) => list[at]));
    bindRider(tables, object, r, corners, shares);
  }
  for (const column of [tables.nodes.position, tables.nodes.previous]) rideAlong(column, tables, object);
}

/** Masses of the nodes [kg], and as their rest length the shortest edge at them in the shape `rest` [m]. */
function writeMasses(
  { strands, nodes, rods, meshEdges }: Tables,
  object: number,
  elements: SolidElements,
  shape: ArrayLike<number>,
): void {
  const first = strands.first[object];
  const end = first + strands.nodes[object];
  nodes.mass.fill(0, 2 * first, 2 * end);
  lumpMass(nodes.mass, 2, elements, rods.parameter[8 * strands.rod[object] + DENSITY]);
  for (let n = first; n < end; n++) nodes.rest[8 * n] = Number.POSITIVE_INFINITY;
  /** An edge between nodes counted from the object's first. */
  const noteEdge = (i: number, j: number) => {
    let square = 0;
    for (let k = 0; k < 3; k++) square += (shape[3 * i + k] - shape[3 * j + k]) ** 2;
    const length = Math.sqrt(square);
    for (const n of [first + i, first + j]) nodes.rest[8 * n] = Math.min(nodes.rest[8 * n], length);
  };
  const width = ELEMENT_NODES[elements.order];
  for (let at = 0; at < width * elements.count; at += width) {
    for (let a = 0; a < width; a++) {
      for (let b = 0; b < a; b++) {
        noteEdge(elements.nodes[at + a] - first, elements.nodes[at + b] - first);
      }
    }
  }
  if (strands.riders[object] === 0) return;
  const row = strands.meshEdges[2 * object];
  for (let e = 4 * row; e < 4 * (row + strands.meshEdges[2 * object + RANGE_COUNT]); e += 4) {
    noteEdge(meshEdges.node[e] - first, meshEdges.node[e + 1] - first);
  }
}

/** Puts the middles of an object's edges between the ends, where its elements have any. */
export function placeMiddles({ strands, tetrahedra, nodes }: Tables, object: number): void {
  const first = strands.tetrahedra[2 * object];
  const { position } = nodes;
  for (let t = first; t < first + strands.tetrahedra[2 * object + RANGE_COUNT]; t++) {
    EDGE_ENDS.forEach(([i, j], e) => {
      const middle = tetrahedra.middle[8 * t + e];
      if (middle < 0) return;
      const [a, b] = [tetrahedra.node[4 * t + i], tetrahedra.node[4 * t + j]];
      for (let k = 0; k < 3; k++) position[4 * middle + k] = 0.5 * (position[4 * a + k] + position[4 * b + k]);
    });
  }
}
