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

/** Names the heaviest body of an island that was left unsolved, if masses are the cause. */
export function tellUnevenMasses({ tables, report }: Engine, island: number, freeSpeed: number): void {
  const { bodies } = tables;
  const residual = bodies.islandResidual[island];
  if (!(residual > UNSOLVED * freeSpeed)) return;
  const first = bodies.islandBodyStart[island];
  let heaviest = -1;
  let least = Infinity;
  let most = 0;
  for (let i = first; i < first + bodies.islandBodyCount[island]; i++) {
    const body = bodies.islandBodies[i];
    const inverse = bodies.inverseMass[body];
    if (!(inverse > 0)) continue;
    most = Math.max(most, inverse);
    if (inverse >= least) continue;
    least = inverse;
    heaviest = body;
  }
  if (heaviest < 0 || !(most > UNEVEN * least)) return;
  const masses = `${Number((1 / least).toPrecision(3))} kg on ${Number((1 / most).toPrecision(3))} kg`;
  report.limits.push(
    `RigidBody.mass of entity ${bodies.entity[heaviest]}: what touches must be at most ${UNEVEN} times as heavy as ` +
      `each other, or it may sink in; what shall not move is Static, got ${masses}`,
  );
}
