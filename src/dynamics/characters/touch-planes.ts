// What the touches of a character leave of a move: planes, and the move nearest to the wanted one that they allow.
//
// In: `touches`, a move. Out: the move that is left. On the ground height counts little, so that it keeps its speed
// uphill and downhill, and what is too steep is a wall.

import * as L from '../../state/layout';
import { limitLength } from '../bodies';
import type { Engine } from '../engine';
import { addPlane, createPlanes, nearestMove } from './nearest-move';
import { near, SKIN, touches } from './obstacles';

/** In units of a move along the ground, what one of height counts when it stands. */
const HEIGHT = 0.05;
/** Fastest that it is moved out of what it is in [m/s]. */
const RECOVERY = 12;
/** What touches ask for in a step is no more than so many times the way that one may. */
const MOST_WAYS = 2;

/** Half-spaces that a move is to stay in. */
export const planes = createPlanes();

const aim = new Float64Array(3);
const apart = new Float64Array(3);
let engineOf: Engine;
let up = new Float64Array(3);
let leastUp = 0;
let dt = 0;

/** Takes a character: `axis` its up, `cosine` of the steepest ground that it stands on, `step` [s]. */
export function beginPlanes(engine: Engine, axis: Float64Array, cosine: number, step: number): void {
  engineOf = engine;
  up = axis as typeof up;
  leastUp = cosine;
  dt = step;
}

const dot = (a: Float64Array, i = 0): number => a[i] * up[0] + a[i + 1] * up[1] + a[i + 2] * up[2];
const lengthOf = ([x, y, z]: Float64Array): number => Math.sqrt(x * x + y * y + z * z);

/** Planes of the touches; `isStanding`: walls for what is too steep, and height counts little. */
export function takePlanes(isStanding: boolean, least: number): void {
  planes.count = 0;
  const scale = isStanding ? 1 / HEIGHT - 1 : 0;
  const add = (x: number, y: number, z: number, bound: number) => {
    const height = scale * (x * up[0] + y * up[1] + z * up[2]);
    addPlane(planes, x + height * up[0], y + height * up[1], z + height * up[2], bound);
  };
  const { normal, gap } = touches;
  for (let i = 0; i < touches.count; i++) {
    if (priorityOf(i) < least) continue;
    const height = dot(normal, 3 * i);
    // To what may be pushed the gap is kept by not going there: what comes near by itself drives nobody away.
    const isGiving = priorityOf(i) === 1 && height < 0.5;
    const missing = isGiving && gap[i] < SKIN ? Math.max(0, -gap[i]) : SKIN - gap[i];
    const bound = Math.min(missing, RECOVERY * dt);
    const x = normal[3 * i];
    const y = normal[3 * i + 1];
    const z = normal[3 * i + 2];
    add(x, y, z, bound);
    if (!isStanding || height <= 0 || height >= leastUp) continue;
    const flat = Math.sqrt(Math.max(0, 1 - height * height));
    if (flat < 0.05) continue;
    const [hx, hy, hz] = [x - height * up[0], y - height * up[1], z - height * up[2]];
    add(hx, hy, hz, Math.min(0, bound));
  }
}

/** What moves by itself gives way to what does not: 3 static, 2 kinematic, 1 dynamic. */
function priorityOf(touch: number): number {
  const flags = engineOf.tables.bodies.flags[near.body[touches.obstacle[touch]]];
  return flags & L.BODY_STATIC ? 3 : flags & L.BODY_KINEMATIC ? 2 : 1;
}

/**
 * out = what the touches leave of a move; where they contradict each other, or all but do so that their solution is far
 * away, of those with more weight, and then it goes out of the others' way by the mean of what they ask for.
 */
export function allow(out: Float64Array, wanted: Float64Array, isStanding: boolean): void {
  const scale = isStanding ? HEIGHT - 1 : 0;
  const most = lengthOf(wanted) + MOST_WAYS * RECOVERY * dt;
  for (let least = 1; least <= 3; least++) {
    takePlanes(isStanding, least);
    aim.set(wanted);
    if (least === 3) giveWay(isStanding);
    const height = scale * dot(aim);
    for (let k = 0; k < 3; k++) out[k] = aim[k] + height * up[k];
    if (!nearestMove(out, planes, out)) continue;
    const back = (isStanding ? 1 / HEIGHT - 1 : 0) * dot(out);
    for (let k = 0; k < 3; k++) out[k] += back * up[k];
    if (least < 3 && lengthOf(out) > most) continue;
    limitLength(out, 0, most);
    return;
  }
  // Squeezed between things that do not move: it stays.
  out.fill(0);
}

/** Adds to `aim` the mean of what those touches ask for that are not static. */
function giveWay(isStanding: boolean): void {
  apart.fill(0);
  let count = 0;
  for (let i = 0; i < touches.count; i++) {
    const missing = Math.min(SKIN - touches.gap[i], RECOVERY * dt);
    if (missing <= 0 || priorityOf(i) === 3) continue;
    count++;
    for (let k = 0; k < 3; k++) apart[k] += missing * touches.normal[3 * i + k];
  }
  const height = isStanding ? dot(apart) : 0;
  for (let k = 0; k < 3 && count > 0; k++) aim[k] += (apart[k] - height * up[k]) / count;
}
