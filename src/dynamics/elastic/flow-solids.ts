// Plasticity at the end of a step: solids with a yield stress keep what they were strained too far.
//
// In: positions after the step. Out: TETRAHEDRON_REST of what flowed, which is noted as a change of material: all that
// follows from the rest shape is found anew.

import { exponentialOf } from '../../math/exponential';
import { flowElements } from '../../mechanics/solid/plastic-flow';
import { readSolidElements, readSolidLaw } from '../../mechanics/solid/solid-system';
import { KIND_SOLID, STRAND_ASLEEP, STRAND_COUNT, STRAND_QUARANTINED } from '../../state/layout';
import { SOLID_CREEP_TIME, SOLID_PLASTIC_LIMIT, SOLID_YIELD_STRESS } from '../../state/solid-material';
import { strandChanges } from '../../state/strand-changes';
import type { Engine } from '../engine';

/** Plastic strain in a second that keeps a solid awake: creep under a held load moves nothing [1/s]. */
const RESTLESS = 1e-4;

/** Lets all solids flow that are awake. */
export function flowSolids({ arena, tables, settings }: Engine): void {
  const { strands, rods, nodes } = tables;
  for (let object = 0; object < arena.i32[STRAND_COUNT >> 2]; object++) {
    if (strands.kind[object] !== KIND_SOLID || strands.flags[object] & (STRAND_QUARANTINED | STRAND_ASLEEP)) continue;
    const at = 4 * strands.rod[object];
    const yieldStress = rods.weave[at + SOLID_YIELD_STRESS];
    if (!(yieldStress > 0)) continue;
    const time = rods.weave[at + SOLID_CREEP_TIME];
    const share = time > 0 ? 1 - exponentialOf(Math.max(-700, -settings.timeStep / time)) : 1;
    const plastic = { yieldStress, share, limit: rods.weave[at + SOLID_PLASTIC_LIMIT] };
    const elements = readSolidElements(tables, object, 0);
    const flowed = flowElements(elements, nodes.position, readSolidLaw(tables, object), plastic);
    if (flowed > 0) strandChanges(tables).materials++;
    if (flowed > RESTLESS * settings.timeStep) strands.calm[object] = 0;
  }
}
