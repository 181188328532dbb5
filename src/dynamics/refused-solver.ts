// Islands that the solver asked for did not take: told in report.limits, not swept in silence.

import * as L from '../state/layout';
import type { Engine } from './engine';

/** Whether an island of bodies went to the sweeps though the game, or its scene file, asked for another solver. */
export function isRefused({ settings, tables }: Engine, island: number, solver: number): boolean {
  if (solver !== L.ISLAND_SWEEPS || settings.solver === 'auto' || settings.solver === 'gauss-seidel') return false;
  return tables.bodies.islandJointCount[island] === 0;
}

/** Tells of a step in which some were. */
export function tellRefused({ settings, report }: Engine): void {
  report.limits.push(
    `solver '${settings.solver}' found no answer for an island, which was swept (report.solvers.sweeps): ` +
      "solver 'auto' takes what does best",
  );
}
