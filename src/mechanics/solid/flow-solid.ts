// A solid with a yield stress keeps what it was strained too far: TETRAHEDRON_REST of what flows (plastic-flow.ts).

import { exponentialOf } from '../../math/exponential';
import { SOLID_CREEP_TIME, SOLID_PLASTIC_LIMIT, SOLID_YIELD_STRESS } from '../../state/solid-material';
import type { Tables } from '../../state/tables';
import { flowElements } from './plastic-flow';
import { readSolidElements, readSolidLaw } from './solid-system';

/** Lets a solid flow for a time step; returns the most plastic strain that this gave an element [-]. */
export function flowSolid(tables: Tables, object: number, timeStep: number): number {
  const { strands, rods, nodes } = tables;
  const at = 4 * strands.rod[object];
  const yieldStress = rods.weave[at + SOLID_YIELD_STRESS];
  if (!(yieldStress > 0)) return 0;
  const time = rods.weave[at + SOLID_CREEP_TIME];
  const share = time > 0 ? 1 - exponentialOf(Math.max(-700, -timeStep / time)) : 1;
  const plastic = { yieldStress, share, limit: rods.weave[at + SOLID_PLASTIC_LIMIT] };
  const elements = readSolidElements(tables, object, 0);
  return flowElements(elements, nodes.position, readSolidLaw(tables, object), plastic);
}
