// What a character does to dynamic bodies: it pushes what is in its way, by a force that has a limit, stands on them
// with its weight, and lands on them with its momentum.
//
// These are forces on the bodies during the step, not a motion that they have to follow: whether a crate gives way is
// for the exact solve to say, with friction and what stands behind it. The character itself goes no faster than what it
// pushes.

import { unrotateVector } from '../../math/quaternion';
import * as L from '../../state/layout';
import { wakeBody } from '../bodies';
import type { Engine } from '../engine';
import { near, origin, touches } from './obstacles';

const MOST_PUSHES = 16;

let engineOf: Engine;
let own = -1;
let mass = 0;
let most = 0;
let dt = 0;
let count = 0;
const bodyOf = new Int32Array(MOST_PUSHES);
/** Numbers of each: point [m], direction, speed wanted [m/s]. */
const PUSH = 7;
const TOWARDS = 3;
const SPEED = 6;
const push = new Float64Array(PUSH * MOST_PUSHES);

/** Begins the pushes of a character. */
export function beginPushes(engine: Engine, body: number, kilograms: number, force: number, step: number): void {
  engineOf = engine;
  own = body;
  mass = kilograms;
  most = force;
  dt = step;
  count = 0;
}

/** The character wants to go on by `wanted` [m] where it touches something: what can move is pushed. */
export function notePush(touch: number, wanted: Float64Array): void {
  const body = near.body[touches.obstacle[touch]];
  if (!(engineOf.tables.bodies.flags[body] & L.BODY_DYNAMIC) || body === own) return;
  let into = 0;
  for (let k = 0; k < 3; k++) into -= touches.normal[3 * touch + k] * wanted[k];
  if (!(into > 1e-9)) return;
  const speed = into / dt;
  let at = 0;
  while (at < count && bodyOf[at] !== body) at++;
  if (at === MOST_PUSHES || (at < count && push[PUSH * at + SPEED] >= speed)) return;
  if (at === count) count++;
  bodyOf[at] = body;
  for (let k = 0; k < 3; k++) {
    push[PUSH * at + k] = origin[k] + touches.point[3 * touch + k];
    push[PUSH * at + TOWARDS + k] = -touches.normal[3 * touch + k];
  }
  push[PUSH * at + SPEED] = speed;
}

const arm = new Float64Array(3);
const moment = new Float64Array(3);

/** arm × direction about the centre of mass, into `moment`; returns the inverse of the mass that is felt there. */
function inverseMassAt(body: number, at: number, towards: number): number {
  const { bodies } = engineOf.tables;
  const p = 4 * body;
  for (let k = 0; k < 3; k++) arm[k] = push[at + k] - bodies.position[p + k];
  const [x, y, z] = [push[towards], push[towards + 1], push[towards + 2]];
  moment[0] = arm[1] * z - arm[2] * y;
  moment[1] = arm[2] * x - arm[0] * z;
  moment[2] = arm[0] * y - arm[1] * x;
  unrotateVector(arm, 0, bodies.rotation, p, moment, 0);
  const i = bodies.localInverseInertia;
  const o = 8 * body;
  const a = i[o] * arm[0] + i[o + 3] * arm[1] + i[o + 4] * arm[2];
  const b = i[o + 3] * arm[0] + i[o + 1] * arm[1] + i[o + 5] * arm[2];
  const c = i[o + 4] * arm[0] + i[o + 5] * arm[1] + i[o + 2] * arm[2];
  return bodies.inverseMass[body] + a * arm[0] + b * arm[1] + c * arm[2];
}

/** Gives the forces: as much as brings a body to the speed of the character, up to the limit. */
export function pushBodies(): void {
  const { bodies } = engineOf.tables;
  for (let i = 0; i < count; i++) {
    const body = bodyOf[i];
    const at = PUSH * i;
    const inverse = inverseMassAt(body, at, at + TOWARDS);
    const { linearVelocity: v, angularVelocity: w } = bodies;
    const p = 4 * body;
    for (let k = 0; k < 3; k++) arm[k] = push[at + k] - bodies.position[p + k];
    let speed = 0;
    speed += push[at + TOWARDS] * (v[p] + w[p + 1] * arm[2] - w[p + 2] * arm[1]);
    speed += push[at + TOWARDS + 1] * (v[p + 1] + w[p + 2] * arm[0] - w[p] * arm[2]);
    speed += push[at + TOWARDS + 2] * (v[p + 2] + w[p] * arm[1] - w[p + 1] * arm[0]);
    const missing = push[at + SPEED] - speed;
    if (!(missing > 0)) continue;
    // Two masses that meet: neither is thrown harder than by its share.
    const impulse = Math.min(missing / (inverse + 1 / mass), most * dt);
    force(body, at, at + TOWARDS, impulse / dt);
  }
}

/** Adds a force at a point to a body. */
function force(body: number, at: number, towards: number, newtons: number): void {
  const { bodies } = engineOf.tables;
  if (bodies.flags[body] & L.BODY_ASLEEP) wakeBody(engineOf, body);
  inverseMassAt(body, at, towards);
  for (let k = 0; k < 3; k++) {
    bodies.force[4 * body + k] += newtons * push[towards + k];
    bodies.torque[4 * body + k] += newtons * moment[k];
  }
}

const weight = new Float64Array(7);
/** The ground bears the character's weight at a point; what sleeps under it has felt it already. */
export function giveWeight(body: number, point: Float64Array, p: number, gravityScale: number, isOther: boolean): void {
  const { arena, tables } = engineOf;
  const { bodies } = tables;
  if (bodies.flags[body] & L.BODY_ASLEEP) {
    if (!isOther) return;
    wakeBody(engineOf, body);
  }
  const gravity = L.GRAVITY >> 3;
  for (let k = 0; k < 3; k++) {
    weight[k] = mass * gravityScale * arena.f64[gravity + k];
    arm[k] = point[p + k] - bodies.position[4 * body + k];
  }
  bodies.torque[4 * body] += arm[1] * weight[2] - arm[2] * weight[1];
  bodies.torque[4 * body + 1] += arm[2] * weight[0] - arm[0] * weight[2];
  bodies.torque[4 * body + 2] += arm[0] * weight[1] - arm[1] * weight[0];
  for (let k = 0; k < 3; k++) bodies.force[4 * body + k] += weight[k];
}
