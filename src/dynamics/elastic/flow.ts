// Plasticity at the end of a step: objects whose kind flows keep what they were strained too far.
//
// In: positions after the step. Out: the rest shape of what flowed, which is noted as a change of material: all that
// follows from it is found anew.

import { elasticKind } from '../../mechanics/kinds';
import { STRAND_ASLEEP, STRAND_COUNT, STRAND_QUARANTINED } from '../../state/layout';
import { strandChanges } from '../../state/strand-changes';
import type { Engine } from '../engine';

/** Plastic strain in a second that keeps an object awake: creep under a held load moves nothing [1/s]. */
const RESTLESS = 1e-4;

/** Lets all objects flow that are awake. */
export function flowObjects({ arena, tables, settings }: Engine): void {
  const { strands } = tables;
  for (let object = 0; object < arena.i32[STRAND_COUNT >> 2]; object++) {
    if (strands.flags[object] & (STRAND_QUARANTINED | STRAND_ASLEEP)) continue;
    const flowed = elasticKind(strands.kind[object]).flow?.(tables, object, settings.timeStep) ?? 0;
    if (flowed > 0) strandChanges(tables).materials++;
    if (flowed > RESTLESS * settings.timeStep) strands.calm[object] = 0;
  }
}
