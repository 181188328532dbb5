// Energies of a solid.

import type { Tables } from '../../state/tables';
import { differentiateElement } from './differentiate-element';
import { readSolidElements, readSolidLaw } from './solid-system';

/** Energies of a solid [J]. */
export interface SolidEnergy {
  strain: number;
  kinetic: number;
}

/** Energies of a solid at NODE_POSITION and NODE_VELOCITY [J]; pinned vertices count with the velocity they have. */
export function solidEnergy(tables: Tables, object: number): SolidEnergy {
  const { strands, nodes } = tables;
  const energy: SolidEnergy = { strain: 0, kinetic: 0 };
  for (let n = strands.first[object]; n < strands.first[object] + strands.nodes[object]; n++) {
    for (let k = 4 * n; k < 4 * n + 3; k++) energy.kinetic += 0.5 * nodes.mass[2 * n] * nodes.velocity[k] ** 2;
  }
  const law = readSolidLaw(tables, object);
  const elements = readSolidElements(tables, object, 0);
  for (let e = 0; e < elements.count; e++) {
    energy.strain += differentiateElement(null, elements, e, nodes.position, law, 'none');
  }
  return energy;
}
