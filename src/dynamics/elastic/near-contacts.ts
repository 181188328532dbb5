// When a further look for contacts within a step can find nothing: the first look had a margin.

import { NEAR } from '../../core/elastic-constants';
import * as L from '../../state/layout';
import { RADIUS } from '../../state/material-places';
import type { Engine } from '../engine';

/**
 * Change of a node's displacement since it was last looked at that a further look passes over, as a share of its radius
 * [-]: two strands come nearer by twice that, and what is nearer than half the contact distance is always looked at.
 */
export const STILL = 0.2;

/** Least radius of a strand [m]. */
export function leastRadius({ arena, tables: { rods } }: Engine): number {
  let radius = Number.POSITIVE_INFINITY;
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if (rods.flags[rod] & L.ROD_ALIVE) radius = Math.min(radius, rods.parameter[8 * rod + RADIUS]);
  }
  return radius;
}

/**
 * Change of velocity below which no strand leaves the margin of the last look for contacts [m/s]: two strands that
 * move by a each close a gap by 2a, and the margin is NEAR times both radii.
 */
export function harmlessChange(engine: Engine): number {
  return (NEAR * leastRadius(engine)) / engine.settings.timeStep;
}
