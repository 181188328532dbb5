// What of cloth, ropes and solids bears a character: a trampoline, a jelly, a net.
//
// Their solve carries its weight (yield-to-elastic.ts); this is for its legs, which walk over what pushes it up and
// jump off it as off ground. In: the contacts of the last step that meet its body, its row of the actors. Out:
// `footing`, and in the row what is kept for steps in which it hops. Strands on a device have no contacts here.

import { nearestOnTriangle } from '../../math/nearest-points';
import { FORCE_SCALE, SIDE_COLLIDER } from '../../state/contact-places';
import * as L from '../../state/layout';
import { RANGE_COUNT } from '../../state/node-places';
import type { Engine } from '../engine';
import { isWorn } from './worn';

// Places in the row of the actors, after those of yield-to-elastic.ts.
/** For how long it still counts as borne [s]; below 0: for how long nothing does, as it has jumped off. */
const LEFT = L.CHARACTER_POINT + 10;
/** Row of `rods` of what bears it. */
const ROW = LEFT + 1;
/** 3: direction of its push, unit. */
const NORMAL = ROW + 1;
/** 3: its motion under the feet [m/s]. */
const VELOCITY = NORMAL + 3;

/** For how long after a touch: feet leave what quivers for a step or two. */
const MEMORY = 0.1;
/** What jumps off is not borne until it falls, for so long at most: a sheet that swings back catches up with it [s]. */
const RISING = 0.5;
/** Feet that leave faster than this are not borne [m/s]. */
const LEAVING = 0.5;
/** Push along up, over the weight, that bears at least. */
const LEAST_SHARE = 0.1;
/** Feet that go no faster over it stand still [m/s]. */
const STILL = 1e-3;

/** What bears the character at hand; filled by `findFooting`. */
export const footing = {
  isBorne: false,
  /** Motion of what bears it, under the feet [m/s]. */
  velocity: new Float64Array(3),
};

const push = new Float64Array(3);

/** Adds what a contact's row gave the body to `push`, and the motion of its nodes, weighed; returns the weight. */
function addRow({ tables }: Engine, row: number): number {
  const { nodeContacts: t, nodes } = tables;
  const four = 4 * row;
  const scale = t.force[four + FORCE_SCALE];
  if (!(scale > 0)) return 0;
  let size = 0;
  for (let k = 0; k < 3; k++) {
    // The row has s·r of side A; the body takes the opposite.
    const part = -t.force[four + k] / scale;
    push[k] += part;
    size += part * part;
  }
  size = Math.sqrt(size);
  for (let j = four; j < four + 4; j++) {
    const node = t.node[j];
    if (node < 0) continue;
    for (let k = 0; k < 3; k++) footing.velocity[k] += size * t.weight[j] * nodes.velocity[4 * node + k];
  }
  return size;
}

/**
 * Takes what bears the character whose numbers begin at `at`: `up` its axis, `velocity` its own [m/s], `mass` [kg],
 * `leastUp` the cosine of the steepest ground that it stands on, `fall` what gravity adds to its speed in a step [m/s].
 */
export function findFooting(
  engine: Engine,
  at: number,
  body: number,
  up: Float64Array,
  velocity: Float64Array,
  { mass, leastUp, fall }: { mass: number; leastUp: number; fall: number },
): void {
  const { arena, tables } = engine;
  const { nodeContacts: t, colliders, strands, rods, actors } = tables;
  const { state } = actors;
  footing.isBorne = false;
  if (state[at + LEFT] < 0) {
    const isRising = velocity[0] * up[0] + velocity[1] * up[1] + velocity[2] * up[2] > 0;
    state[at + LEFT] = isRising ? Math.min(0, state[at + LEFT] + engine.settings.timeStep) : 0;
    return;
  }
  push.fill(0);
  footing.velocity.fill(0);
  let sum = 0;
  let most = 0;
  let bearer = -1;

  for (let row = 0; row < arena.i32[L.NODE_CONTACT_COUNT >> 2]; row++) {
    const collider = t.side[4 * row + SIDE_COLLIDER];
    if (collider < 0 || colliders.body[collider] !== body) continue;
    const size = addRow(engine, row);
    sum += size;
    if (size <= most) continue;
    most = size;
    bearer = strands.rod[t.side[4 * row]];
  }

  if (sum > 0 && !isWorn(engine, body)) {
    let square = 0;
    let rise = 0;
    let apart = 0;
    for (let k = 0; k < 3; k++) {
      footing.velocity[k] /= sum;
      square += push[k] * push[k];
      rise += push[k] * up[k];
      apart += (velocity[k] - footing.velocity[k]) * up[k];
    }
    const length = Math.sqrt(square);
    if (rise >= leastUp * length && rise > LEAST_SHARE * mass * fall && apart <= LEAVING) {
      state[at + LEFT] = MEMORY;
      state[at + ROW] = bearer;
      for (let k = 0; k < 3; k++) {
        state[at + NORMAL + k] = push[k] / length;
        state[at + VELOCITY + k] = footing.velocity[k];
      }
    }
  }

  footing.isBorne = state[at + LEFT] > 0 && rods.entity[state[at + ROW]] !== 0;
  if (!footing.isBorne) {
    state[at + LEFT] = 0;
    return;
  }
  state[at + LEFT] -= engine.settings.timeStep;
  for (let k = 0; k < 3; k++) footing.velocity[k] = state[at + VELOCITY + k];
}

/** Whether something elastic bears the character whose numbers begin at `at`, and its feet stand still on that. */
export function standsOnElastic(state: Float64Array, at: number, up: Float64Array): boolean {
  if (!(state[at + LEFT] > 0)) return false;
  let square = 0;
  let height = 0;
  for (let k = 0; k < 3; k++) {
    const apart = state[at + L.CHARACTER_VELOCITY + k] - state[at + VELOCITY + k];
    square += apart * apart;
    height += apart * up[k];
  }
  return square - height * height < STILL * STILL;
}

/** It jumps off what bears it, which may catch up with its feet. */
export function leaveFooting(state: Float64Array, at: number): void {
  state[at + LEFT] = -RISING;
}

/** Entity that bears the character whose numbers begin at `at`, 0 none; writes its normal to `normal` if one does. */
export function footingOf({ rods, actors }: Engine['tables'], at: number, normal: Float64Array): number {
  const { state } = actors;
  if (!(state[at + LEFT] > 0)) return 0;
  for (let k = 0; k < 3; k++) normal[k] = state[at + NORMAL + k];
  return rods.entity[state[at + ROW]];
}

/** Three corners, then the middle of the way down. */
const corners = new Float64Array(12);
const weights = new Float64Array(3);
/** What lies no higher than this over the lower place is no ground of its own [m]. */
const RUG = 0.05;
/** What bears nobody: what went bad, and what is on a device. */
const BEARS_NOT = L.STRAND_QUARANTINED | L.STRAND_AWAY;

/**
 * Whether something elastic lies in the way of a capsule of this radius [m] that comes down by `drop` [m] and has its
 * lowest point at `foot` then: what would bear it, were it not taken down to what is rigid. Nothing elastic bears one
 * that wears some.
 */
export function isElasticBelow(
  engine: Engine,
  body: number,
  foot: Float64Array,
  up: Float64Array,
  { drop, radius }: { drop: number; radius: number },
): boolean {
  const { arena, tables } = engine;
  const { strands, rods, triangles, colliders, bodies } = tables;
  const objects = arena.i32[L.STRAND_COUNT >> 2];
  if (objects === 0 || isWorn(engine, body)) return false;
  const own = colliders.layers[bodies.collider[body]];
  for (let k = 0; k < 3; k++) corners[9 + k] = foot[k] + 0.5 * drop * up[k];
  const reach = radius + 0.5 * drop;
  for (let object = 0; object < objects; object++) {
    const rod = strands.rod[object];
    const other = rod < 0 ? 0 : rods.layers[rod];
    const mayMeet = (own & (other >>> 16) & 0xffff) !== 0 && (other & (own >>> 16) & 0xffff) !== 0;
    if (!mayMeet || rods.entity[rod] === 0 || strands.flags[object] & BEARS_NOT) continue;
    if (!isNear(tables, object, reach)) continue;
    const first = strands.triangles[2 * object];
    const count = strands.triangles[2 * object + RANGE_COUNT];
    for (let t = 4 * first; t < 4 * (first + count); t += 4) {
      takeCorners(tables, triangles.node[t], triangles.node[t + 1], triangles.node[t + 2]);
      if (isInWay(up, drop, radius)) return true;
    }
    const end = count > 0 ? 0 : strands.first[object] + strands.nodes[object] - 1;
    for (let n = strands.first[object]; n < end; n++) {
      takeCorners(tables, n, n + 1, n + 1);
      if (isInWay(up, drop, radius)) return true;
    }
  }
  return false;
}

/** Whether the box of an object comes within `reach` of the middle of the way. */
function isNear({ strands, nodes }: Engine['tables'], object: number, reach: number): boolean {
  const first = strands.first[object];
  const end = first + strands.nodes[object];
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let n = first; n < end; n++) {
      const x = nodes.position[4 * n + k];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (low > corners[9 + k] + reach || high < corners[9 + k] - reach) return false;
  }
  return true;
}

function takeCorners({ nodes }: Engine['tables'], a: number, b: number, c: number): void {
  for (let k = 0; k < 3; k++) {
    corners[k] = nodes.position[4 * a + k];
    corners[3 + k] = nodes.position[4 * b + k];
    corners[6 + k] = nodes.position[4 * c + k];
  }
}

/** Whether the triangle of those corners, or an edge as one without width, is in the way. */
function isInWay(up: Float64Array, drop: number, radius: number): boolean {
  nearestOnTriangle(weights, 0, corners, 9, 0);
  let square = 0;
  let height = 0;
  for (let k = 0; k < 3; k++) {
    const x = weights[0] * corners[k] + weights[1] * corners[3 + k] + weights[2] * corners[6 + k] - corners[9 + k];
    square += x * x;
    height += x * up[k];
  }
  return square - height * height < radius * radius && height > RUG - 0.5 * drop && height < 0.5 * drop + radius;
}
