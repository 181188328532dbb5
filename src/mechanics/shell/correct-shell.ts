// The end of a shell's solve: velocities that obey the contacts, where those of the elastic equations would do harm.

import { CORRECTION_OF_EDGE, HARMLESS_OF_RADIUS } from '../../core/elastic-constants';
import { RADIUS } from '../../state/material-places';
import type { Tables } from '../../state/tables';
import type { Correction } from '../elastic-kind';

let normals = new Float64Array(0);

/** Normals of the vertices, four numbers each, from the object's first on; of no particular length. */
function sumNormals({ strands, nodes, triangles }: Tables, object: number): void {
  const start = 4 * strands.first[object];
  const size = 4 * strands.nodes[object];
  if (normals.length < size) normals = new Float64Array(2 * size);
  normals.fill(0, 0, size);
  const x = nodes.position;
  const [first, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  for (let t = first; t < first + count; t++) {
    const a = 4 * triangles.node[4 * t];
    const b = 4 * triangles.node[4 * t + 1];
    const c = 4 * triangles.node[4 * t + 2];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const n = (x[b + i] - x[a + i]) * (x[c + j] - x[a + j]) - (x[b + j] - x[a + j]) * (x[c + i] - x[a + i]);
      normals[a - start + k] += n;
      normals[b - start + k] += n;
      normals[c - start + k] += n;
    }
  }
}

/**
 * v := p where contacts act, the velocities that obey them (Daviet 2020, 6.2.7), but only across the surface: p knows
 * no elasticity, and what it stretched, where the solve was cut short, would come back as speed. For the same reason no
 * vertex goes farther towards p than a share of its shortest edge.
 */
export function correctShell({ v, p, weight, timeStep }: Correction, tables: Tables, object: number): void {
  const { nodes, rods, strands } = tables;
  const start = 4 * strands.first[object];
  const end = start + 4 * strands.nodes[object];
  const harmless = (HARMLESS_OF_RADIUS * rods.parameter[8 * strands.rod[object] + RADIUS]) / timeStep;
  let isOpen = false;
  for (let i = start; i < end; i += 4) {
    if (!(weight[i] > 0)) continue;
    if (!isOpen) sumNormals(tables, object);
    isOpen = true;
    let along = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const n = normals[i - start + k];
      along += n * (p[i + k] - v[i + k]);
      square += n * n;
    }
    if (!(square > 0)) continue;
    const far = Math.abs(along) / Math.sqrt(square);
    const over = far - harmless;
    if (!(over > 0)) continue;
    // As much of it as is harmful, and not too far.
    const share = Math.min(over, (CORRECTION_OF_EDGE / timeStep) * nodes.rest[2 * i]) / far;
    for (let k = 0; k < 3; k++) v[i + k] += (share * along * normals[i - start + k]) / square;
  }
}
