// Islands whose masses are too far apart for any answer: told in report.limits, for what is heavy then sinks in.
//
// An impulse that bears a body of mass M is rounded to about 6e-8 of itself where sweeps work in f32, and that is a
// velocity M/m times as large on a body of mass m: from 1e7 or so on it is more than gravity gives in a step. Exact
// solves go farther, but pivots then are within their rounding, too.

import type { Engine } from './engine';

/** Masses of an island that are farther apart than this are named [-]. */
const UNEVEN = 1e7;
/** Residual, relative to the largest free velocity, above which an island counts as unsolved [-]. */
const UNSOLVED = 1;

/**
 * Masses farther apart than this [-] are too much for sweeps: what they take off a boulder in one step is a small share
 * of its fall, and it comes down as if there were no crates below it.
 */
const SWEPT_UNEVEN = 1e3;

/** Least and most of an island's inverse masses [1/kg], and its heaviest body. */
const spread = { least: Infinity, most: 0, heaviest: -1 };

function measureMasses({ bodies }: Engine['tables'], island: number): void {
  const first = bodies.islandBodyStart[island];
  spread.least = Infinity;
  spread.most = 0;
  spread.heaviest = -1;
  for (let i = first; i < first + bodies.islandBodyCount[island]; i++) {
    const body = bodies.islandBodies[i];
    const inverse = bodies.inverseMass[body];
    if (!(inverse > 0)) continue;
    spread.most = Math.max(spread.most, inverse);
    if (inverse >= spread.least) continue;
    spread.least = inverse;
    spread.heaviest = body;
  }
}

/** Whether sweeps would leave more of an island than an exact solve that was cut short. */
export function isTooUnevenToSweep({ tables }: Engine, island: number): boolean {
  measureMasses(tables, island);
  return spread.most > SWEPT_UNEVEN * spread.least;
}

/** Names the heaviest body of an island that was left unsolved, if masses are the cause. */
export function tellUnevenMasses({ tables, report }: Engine, island: number, freeSpeed: number): void {
  const { bodies } = tables;
  if (!(bodies.islandResidual[island] > UNSOLVED * freeSpeed)) return;
  measureMasses(tables, island);
  const { least, most, heaviest } = spread;
  if (heaviest < 0 || !(most > UNEVEN * least)) return;
  const masses = `${Number((1 / least).toPrecision(3))} kg on ${Number((1 / most).toPrecision(3))} kg`;
  report.limits.push(
    `RigidBody.mass of entity ${bodies.entity[heaviest]}: what touches must be at most ${UNEVEN} times as heavy as ` +
      `each other, or it may sink in; what shall not move is Static, got ${masses}`,
  );
}
