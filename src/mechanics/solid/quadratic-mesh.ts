// From linear tetrahedra to quadratic ones: a node in the middle of every edge.

import { EDGE_ENDS } from './elements';

/** A mesh of quadratic tetrahedra. */
export interface QuadraticMesh {
  /** Three numbers a node [m]: those given, then the middles. */
  readonly vertices: Float64Array;
  /** Ten nodes an element: the corners, then the middles in the order of EDGE_ENDS. */
  readonly nodes: Int32Array;
  /** The two corners of each middle: node vertexCount + m. */
  readonly ends: Int32Array;
}

/** `vertices`: three numbers each [m]; `tetrahedra`: four corners each. */
export function quadraticMesh(vertices: ArrayLike<number>, tetrahedra: ArrayLike<number>): QuadraticMesh {
  const corners = vertices.length / 3;
  const count = tetrahedra.length / 4;
  const nodes = new Int32Array(10 * count);
  const middles = new Map<number, number>();
  const ends: number[] = [];
  for (let e = 0; e < count; e++) {
    for (let i = 0; i < 4; i++) nodes[10 * e + i] = tetrahedra[4 * e + i];
    for (let k = 0; k < 6; k++) {
      const a = tetrahedra[4 * e + EDGE_ENDS[k][0]];
      const b = tetrahedra[4 * e + EDGE_ENDS[k][1]];
      const key = Math.min(a, b) * corners + Math.max(a, b);
      let middle = middles.get(key);
      if (middle === undefined) {
        middle = corners + middles.size;
        middles.set(key, middle);
        ends.push(a, b);
      }
      nodes[10 * e + 4 + k] = middle;
    }
  }
  const all = new Float64Array(3 * (corners + middles.size));
  for (let k = 0; k < 3 * corners; k++) all[k] = vertices[k];
  for (let m = 0; m < middles.size; m++) {
    for (let k = 0; k < 3; k++) {
      all[3 * (corners + m) + k] = 0.5 * (vertices[3 * ends[2 * m] + k] + vertices[3 * ends[2 * m + 1] + k]);
    }
  }
  return { vertices: all, nodes, ends: Int32Array.from(ends) };
}
