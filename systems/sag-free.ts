// Sag-free grooms: rest shape and stiffness found when a groom is added, such that it stays as drawn.
//
// Kept apart from addGroom, so that a game without it carries none of it: `enableSagFree` makes it known to a world.

import { refuse } from '../src/core/errors';
import { unpackRest } from '../src/state/baked-strands';
import {
  type BakeJob,
  bakeStrands,
  reportStrands,
  requireBakeable,
  type SagFreeReport,
} from '../src/static-equilibrium/bake-strands';
import { resolveSagFree } from '../src/static-equilibrium/sag-free-options';
import { type Physics, requirePhysics } from './physics';

export interface SagFreeHandle {
  /**
   * How a groom that was added with `sagFree` came out: strands with a force left, unstable ones, stiffened ones.
   * Throws UsageError for another entity.
   */
  report(groom: number): SagFreeReport;
}

/**
 * Lets this world take `sagFree` in `addGroom` and in scenes: once, before the first such groom. Grooms are baked when they are
 * added, some 3 ms a strand of 100 points; for large ones use `stiction bake` and `readGroom`.
 */
export function enableSagFree(physics: Physics): SagFreeHandle {
  requirePhysics(physics, 'enableSagFree');
  const { internal } = physics;
  internal.sagFree ??= {
    outcomes: new Map(),
    bake(where, strands, madeFor, options, clampEnd) {
      requireBakeable(where, strands.counts);
      const settings = resolveSagFree(where, options, strands.positions.length / 3);
      const job: BakeJob = { for: madeFor, settings, clampEnd };
      const { nodes, strands: outcome } = bakeStrands(strands, job);
      return { rest: unpackRest(nodes), outcome };
    },
  };
  const { outcomes } = internal.sagFree;
  return {
    report(groom) {
      const outcome = outcomes.get(groom);
      if (!outcome) refuse('report', 'groom must be the entity of a groom that was added with sagFree', groom);
      return reportStrands(outcome);
    },
  };
}
