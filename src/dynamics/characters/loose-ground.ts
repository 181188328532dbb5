// What a character and ground that forces move do to each other: a plank, a ball, a crate, lighter than it or not.
//
// Such ground follows its weight, and the character the ground. As a force that is always there and a motion that is
// always followed both together had no inertia: a plank in the air took who stood on it down at the ratio of their
// masses, and balls that run off under the feet took it along. So the ground gets what is left of the weight on both
// together, by what bore it in the last step, and takes the character along as far as its friction lets it.

import * as L from '../../state/layout';
import type { Engine } from '../engine';

// Places in the row of the actors, after those of elastic-footing.ts.
/** Speed across its up at which ground carried it; its own in the air [m/s]. */
export const CARRIED = L.CHARACTER_POINT + 18;
/** Share of its weight that the ground has [-]. */
export const SHARE = CARRIED + 1;
/** How fast the ground went up under its feet [m/s]. */
export const RISE = SHARE + 1;

/** Friction of feet on ground that forces move [-]. */
const GRIP = 1;
/** Weight that ground may get at once, over its own [-]. */
const MOST_LOAD = 3;
/** Ground that sinks by less than this share of gravity is borne [-], and gets so many times its load in a step. */
const CALM = 0.1;
const GROWTH = 1.1;
/** A share that is as good as all of the weight. */
const SETTLED = 0.999;

/**
 * Limits how ground takes a character along across its `up`: `velocity` of the ground at its feet, changed [m/s],
 * `fall` what gravity adds to its own in a step, `before` how fast it was carried in the last one. Whether feet slip.
 */
export function limitAcross(
  velocity: Float64Array,
  up: Float64Array,
  { fall, before }: { fall: number; before: number },
): boolean {
  const rise = velocity[0] * up[0] + velocity[1] * up[1] + velocity[2] * up[2];
  let square = 0;
  for (let k = 0; k < 3; k++) square += (velocity[k] - rise * up[k]) ** 2;
  const most = before + GRIP * Math.abs(fall);
  if (!(square > most * most)) return false;
  const share = 1 - most / Math.sqrt(square);
  for (let k = 0; k < 3; k++) velocity[k] -= share * (velocity[k] - rise * up[k]);
  return true;
}

/** How fast a body goes along `up` at a place in the world, three numbers of `point` from `p` on [m/s]. */
export function riseOf({ tables }: Engine, body: number, point: Float64Array, p: number, up: Float64Array): number {
  const { position, linearVelocity: v, angularVelocity: w } = tables.bodies;
  const at = 4 * body;
  let rise = 0;
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const turning = w[at + i] * (point[p + j] - position[at + j]) - w[at + j] * (point[p + i] - position[at + i]);
    rise += up[k] * (v[at + k] + turning);
  }
  return rise;
}

/**
 * Share of the weight of `mass` [kg] that ground gets at first, after that of what the character stood on before:
 * whether anything bears this ground is seen a step later.
 */
export function firstShare({ tables }: Engine, body: number, before: number, mass: number): number {
  return Math.min(1, (before > 0 ? MOST_LOAD * before : 1) / (mass * tables.bodies.inverseMass[body]));
}

/**
 * The share from that of the last step, in which the ground sank by `sinking`, where gravity pulls by `pull` [m/s²].
 * What bears the ground is S = m (g − sinking) + its load; together with a mass M it sinks by g − S / (m + M), and
 * its load is M S / (m + M).
 */
export function nextShare(
  { tables }: Engine,
  body: number,
  mass: number,
  { share, sinking, pull }: { share: number; sinking: number; pull: number },
): number {
  if (!(pull > 0)) return 1;
  const own = 1 / tables.bodies.inverseMass[body];
  const borne = own * (pull - sinking) + share * mass * pull;
  const next = Math.max(0, borne / ((own + mass) * pull));
  return Math.min(1, Math.abs(sinking) < CALM * pull ? Math.max(next, GROWTH * share) : next);
}

/** Whether ground that rests may fall asleep under this share of the weight: it stays what it is then. */
export function isSettled(share: number): boolean {
  return share >= SETTLED;
}
