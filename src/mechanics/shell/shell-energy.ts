// Energies of a shell.

import type { Tables } from '../../state/tables';
import { createTriangleDerivatives, differentiateTriangle, type PlaneStiffness } from './membrane';
import { bendHinges, bentEnergy, readShell } from './shell-system';

/** Energies of a shell [J]. */
export interface ShellEnergy {
  stretch: number;
  bend: number;
  kinetic: number;
}

const plane: PlaneStiffness = { along: 0, weft: 0, across: 0, shear: 0, viscous: 0 };
const triangle = createTriangleDerivatives();

/** Energies of a shell at NODE_POSITION and NODE_VELOCITY [J]; pinned vertices count with the velocity they have. */
export function shellEnergy(tables: Tables, object: number): ShellEnergy {
  const { strands, nodes, triangles } = tables;
  const energy: ShellEnergy = { stretch: 0, bend: 0, kinetic: 0 };
  const bending = readShell(plane, tables, object);
  const x = nodes.position;
  for (let n = strands.first[object]; n < strands.first[object] + strands.nodes[object]; n++) {
    for (let k = 4 * n; k < 4 * n + 3; k++) energy.kinetic += 0.5 * nodes.mass[2 * n] * nodes.velocity[k] ** 2;
  }
  const [first, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  for (let t = first; t < first + count; t++) {
    const corners = [0, 1, 2].map((k) => 4 * triangles.node[4 * t + k]);
    differentiateTriangle(triangle, plane, x, null, corners, triangles.rest, 8 * t);
    energy.stretch += triangle.energy;
  }
  bendHinges(tables, object, x, 0);
  energy.bend = bending * bentEnergy(tables, object);
  return energy;
}
