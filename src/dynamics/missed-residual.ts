// Islands that keep missing what their solver aims at: told in report.limits with the setting to raise.
//
// A heap that lands misses it for some steps, whatever is set, and report.solvers.approximate counts that. What is told
// is what lasts: a world that leaves an island with much residual in many steps in a row is given too little work.

import * as L from '../state/layout';
import type { Engine } from './engine';

/** Residual over the largest free velocity of an island from which on it is worth a word [-]. */
const MISSED = 0.1;
/** Steps in a row in which some island missed it, before it is told: half a second at 60 Hz. */
const STEPS = 30;

/** Steps in a row so far; of the report only, so no part of the state. */
const steps = new WeakMap<Engine, number>();

/**
 * Tells of the island that is farthest off, of `islands` with the free velocities `freeSpeeds` [m/s]. Those with joints
 * are told by how far these are from where they hold (systems/joint-entities.ts).
 */
export function tellMissed(engine: Engine, islands: number, freeSpeeds: Float64Array): void {
  const { islandJointCount, islandResidual, islandSolver } = engine.tables.bodies;
  let worst = -1;
  for (let island = 0; island < islands; island++) {
    if (islandSolver[island] === L.ISLAND_ELASTIC || islandJointCount[island] > 0) continue;
    if (!(islandResidual[island] > MISSED * freeSpeeds[island])) continue;
    if (worst < 0 || islandResidual[island] > islandResidual[worst]) worst = island;
  }
  const before = steps.get(engine) ?? 0;
  if (worst < 0 && before === 0) return;
  const count = worst < 0 ? 0 : before + 1;
  steps.set(engine, count);
  if (count >= STEPS) engine.report.limits.push(describe(engine, worst, freeSpeeds[worst], count));
}

function describe({ settings, tables }: Engine, island: number, freeSpeed: number, count: number): string {
  const { bodies } = tables;
  const residual = bodies.islandResidual[island];
  const share = (residual / freeSpeed).toPrecision(2);
  const entity = bodies.entity[bodies.islandBodies[bodies.islandBodyStart[island]]];
  const missed =
    `the island of entity ${entity}, ${bodies.islandBodyCount[island]} bodies, was left with a residual of ` +
    `${residual.toPrecision(2)} m/s, ${share} of its largest free velocity, for ${count} steps in a row now`;
  // What was solved exactly, and not well, has no sweeps.
  if (bodies.islandSolver[island] !== L.ISLAND_SWEEPS) {
    return `timeStep (${settings.timeStep.toPrecision(3)}): ${missed}; a smaller one leaves less`;
  }
  const { solver, sweeps, substeps } = settings;
  const auto = solver === 'auto' ? '' : `, or solver 'auto'`;
  return `sweeps (${sweeps}): ${missed}; more of them, or more substeps (${substeps})${auto}, leave less`;
}
