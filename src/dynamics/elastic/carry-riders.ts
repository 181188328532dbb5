// Riders go along with their cage: the end of a step may have moved nodes one by one.

import { rideAlong } from '../../mechanics/solid/riders';
import * as L from '../../state/layout';
import type { Engine } from '../engine';

/** Velocities of the riders of what is awake, from those of their cages. */
export function carryRiders({ arena, tables }: Engine): void {
  const { strands, nodes } = tables;
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (strands.riders[object] === 0 || strands.flags[object] & L.STRAND_ASLEEP) continue;
    rideAlong(nodes.predicted, tables, object);
  }
}
