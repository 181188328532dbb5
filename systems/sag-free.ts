// Sag-free strands: rest shape and stiffness found when a rod or groom is added, such that it stays as drawn.
//
// Kept apart from addRod and addGroom, so that a game without it carries none of it:
// `enableSagFree` makes it known to a world.

import { hasComponent } from 'bitecs';
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
   * How a rod or groom that was added with `sagFree` came out: strands with a force left, unstable ones, stiffened
   * ones. Not part of snapshots. Throws UsageError for another entity.
   */
  report(rod: number): SagFreeReport;
}

/**
 * Lets this world take `sagFree` in `addRod`, `addGroom` and in scenes: once, before the first such strands.
 * They are baked when they are added, some 4 ms a strand of 100 points; for large grooms use `bakeGroom`, or
 * `stiction bake` and `readGroom`.
 */
export function enableSagFree(physics: Physics): SagFreeHandle {
  requirePhysics(physics, 'enableSagFree');
  const { internal } = physics;
  internal.sagFree ??= {
    outcomes: new Map(),
    bake(where, strands, madeFor, options) {
      requireBakeable(where, strands.counts);
      const settings = resolveSagFree(where, options, strands.positions.length / 3);
      const job: BakeJob = { for: madeFor, settings };
      const { nodes, strands: outcome } = bakeStrands(strands, job);
      return { rest: unpackRest(nodes), outcome };
    },
  };
  const { outcomes } = internal.sagFree;
  return {
    report(rod) {
      const { Rod, Groom } = physics.components;
      const isThere = [Rod, Groom].some((kind) => hasComponent(physics.world, rod, kind));
      const outcome = isThere ? outcomes.get(rod) : undefined;
      if (!outcome) refuse('report', 'entity must be a rod or groom that was added with sagFree', rod);
      return reportStrands(outcome);
    },
  };
}
