// Which island went to which solver in the last step, and how well it was solved.

import * as L from '../src/state/layout';
import { type Physics, requirePhysics } from './physics';

export interface IslandReport {
  /** Entities of the island's dynamic bodies, but those removed since. */
  entities: number[];
  /** Touching pairs of colliders. */
  contacts: number;
  /** Contact points. */
  points: number;
  /**
   * Dantzig pivoting (exact), contact-space ADMM on a kept factor (exact, settled islands), Gauss–Seidel sweeps with
   * the exact cone, or the ADMM of strands and the bodies they touch.
   */
  solver: 'dantzig' | 'contact-admm' | 'gauss-seidel' | 'admm';
  /** Residual reached [m/s]. */
  residual: number;
}

const SOLVER_NAMES: Readonly<Record<number, IslandReport['solver']>> = {
  [L.ISLAND_DANTZIG]: 'dantzig',
  [L.ISLAND_RESTING]: 'dantzig',
  [L.ISLAND_FEW]: 'dantzig',
  [L.ISLAND_SETTLED]: 'contact-admm',
  [L.ISLAND_ELASTIC]: 'admm',
};

/** The islands of the last step, largest first. Makes an array: for panels and tests, not for every frame. */
export function listIslands(physics: Physics): IslandReport[] {
  requirePhysics(physics, 'listIslands');
  const { arena, tables } = physics.internal.engine;
  const { bodies } = tables;
  const islands: IslandReport[] = [];
  for (let island = 0; island < arena.i32[L.ISLAND_COUNT >> 2]; island++) {
    const start = bodies.islandBodyStart[island];
    const slots = bodies.islandBodies.subarray(start, start + bodies.islandBodyCount[island]);
    islands.push({
      entities: Array.from(slots, (slot) => bodies.entity[slot]).filter((eid) => eid !== 0),
      contacts: bodies.islandPairCount[island],
      points: bodies.islandPointCount[island],
      solver: SOLVER_NAMES[bodies.islandSolver[island]] ?? 'gauss-seidel',
      residual: bodies.islandResidual[island],
    });
  }
  return islands.sort((a, b) => b.points - a.points);
}
