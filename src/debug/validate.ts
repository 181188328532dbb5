// Invariants that must hold after a step; for tests and bug hunts, not for the hot path.

import type { Arena } from '../core/arena';
import { pairPointAt } from '../state/contact-places';
import * as L from '../state/layout';
import type { Tables } from '../state/tables';
import { largestImpulse } from './draw-list';
import { checkStrands } from './validate-strands';

/** Every broken invariant as one line; empty if all is well. */
export function findBrokenInvariants(arena: Arena, tables: Tables): string[] {
  const broken: string[] = [];
  const count = (cell: number) => arena.i32[cell >> 2];
  checkBodies(tables, count, broken);
  checkPairs(arena, tables, count, broken);
  checkStrands(tables, count, broken);
  return broken;
}

function checkBodies({ bodies, colliders }: Tables, count: (cell: number) => number, broken: string[]): void {
  const awake = count(L.AWAKE_COUNT);
  for (let i = 0; i < awake; i++) {
    const body = bodies.awakeList[i];
    if (bodies.awakeIndex[body] !== i)
      broken.push(`awake list: body ${body} at ${i} thinks it is at ${bodies.awakeIndex[body]}`);
    if (!(bodies.flags[body] & L.BODY_ALIVE)) broken.push(`awake list: body ${body} is not alive`);
    if (bodies.flags[body] & L.BODY_ASLEEP) broken.push(`awake list: body ${body} is asleep`);
  }
  for (let body = 0; body < count(L.BODY_COUNT); body++) {
    if (!(bodies.flags[body] & L.BODY_ALIVE)) continue;
    let norm = 0;
    let sum = 0;
    for (let k = 4 * body; k < 4 * body + 4; k++) {
      norm += bodies.rotation[k] * bodies.rotation[k];
      sum += bodies.position[k] + bodies.linearVelocity[k] + bodies.angularVelocity[k];
    }
    if (!Number.isFinite(sum)) broken.push(`body ${body}: pose or velocity is not finite`);
    if (Math.abs(norm - 1) > 1e-9) broken.push(`body ${body}: rotation has norm² ${norm}`);
    for (let c = bodies.collider[body]; c >= 0; c = colliders.next[c]) {
      if (colliders.body[c] !== body)
        broken.push(`collider ${c}: belongs to body ${colliders.body[c]}, chained to ${body}`);
    }
  }
}

function checkPairs(arena: Arena, tables: Tables, count: (cell: number) => number, broken: string[]): void {
  const { bodies, pairs } = tables;
  const active = count(L.ACTIVE_COUNT);
  // A solve is done at a residual relative to the largest velocity: 1e-7 of the largest impulse or momentum is none.
  const slack = 1e-9 + 1e-7 * (largestImpulse(arena, tables) + largestMomentum(tables, count(L.AWAKE_COUNT)));
  for (let i = 0; i < active; i++) {
    const pair = pairs.activeList[i];
    if (pairs.activeIndex[pair] !== i)
      broken.push(`active list: pair ${pair} at ${i} thinks it is at ${pairs.activeIndex[pair]}`);
    if (!(pairs.flags[pair] & L.PAIR_ALIVE)) broken.push(`active list: pair ${pair} is not alive`);
    const isAwake = bodies.awakeIndex[pairs.bodyA[pair]] >= 0 || bodies.awakeIndex[pairs.bodyB[pair]] >= 0;
    if (!isAwake) broken.push(`active list: pair ${pair} has no awake body`);
    const points = pairs.points[pair];
    if (points < 0 || points > 4) broken.push(`pair ${pair}: ${points} points`);
    if (points === 0) continue;
    let normal = 0;
    let across = 0;
    for (let k = 4 * pair; k < 4 * pair + 3; k++) {
      normal += pairs.normal[k] * pairs.normal[k];
      across += pairs.normal[k] * pairs.tangent[k];
    }
    if (Math.abs(normal - 1) > 1e-9 || Math.abs(across) > 1e-9)
      broken.push(`pair ${pair}: contact frame is not orthonormal`);
    for (let k = 0; k < points; k++) {
      const at = pairPointAt(pair, k);
      const [n, x, y] = [pairs.impulse[at], pairs.impulse[at + 1], pairs.impulse[at + 2]];
      const limit = pairs.material[4 * pair] * n;
      // 1e-5: the sweeps work in f32.
      if (!(n >= -slack) || !(Math.sqrt(x * x + y * y) <= limit * (1 + 1e-5) + slack)) {
        broken.push(`pair ${pair}, point ${k}: impulse (${n}, ${x}, ${y}) is outside the friction cone`);
      }
    }
  }
}

/** Largest momentum of an awake body [N·s]. */
function largestMomentum({ bodies }: Tables, awake: number): number {
  let largest = 0;
  for (let i = 0; i < awake; i++) {
    const body = bodies.awakeList[i];
    if (bodies.inverseMass[body] === 0) continue;
    const [x, y, z] = bodies.linearVelocity.subarray(4 * body, 4 * body + 3);
    largest = Math.max(largest, Math.sqrt(x * x + y * y + z * z) / bodies.inverseMass[body]);
  }
  return largest;
}
