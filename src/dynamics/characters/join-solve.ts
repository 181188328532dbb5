// Characters in the elastic solve: kinematic bodies that take part with a mass and do not turn.
//
// The table of contacts has what is kinematic as a drift of the surface. Rows that meet a character who yields get him
// as a body instead, as those of dynamic bodies have it, once it is known who takes part; what wakes and sleeps by him
// has gone by the drift until then.

import { SIDE_BODY, SIDE_COLLIDER, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Engine, Walkers } from '../engine';

/** What a character weighs and does in a solve (yield-to-elastic.ts). */
interface Yielding {
  /** Mass of a kinematic body that yields [kg], 0 of any other. */
  massOf(body: number): number;
  /** What the solve changed the velocity of such a body by [m/s], three numbers. */
  push(body: number, change: Float64Array): void;
}

/** The part of a world's characters in the solves of its steps. */
export function joinSolves(engine: Engine, { massOf, push }: Yielding): Walkers {
  /** Of the bodies that were met, by slot: it takes a while to find out. */
  const masses = new Map<number, number>();
  let isSettled = false;
  const walkers: Walkers = {
    begin() {
      isSettled = false;
    },
    open() {
      masses.clear();
      walkers.take(0, null);
    },
    massOf(body) {
      if (isSettled || !(engine.tables.bodies.flags[body] & L.BODY_KINEMATIC)) return 0;
      let mass = masses.get(body);
      if (mass === undefined) {
        mass = massOf(body);
        masses.set(body, mass);
      }
      return mass;
    },
    take(first, index) {
      if (!isSettled) takeRows(engine, walkers, first, index);
    },
    settle(solved) {
      isSettled = true;
      return settleAll(engine, push, solved);
    },
  };
  return walkers;
}

/** Gives rows of the table from `first` on the characters that they meet: those who take part, with `index`. */
function takeRows(engine: Engine, walkers: Walkers, first: number, index: Int32Array | null): void {
  const { arena, tables } = engine;
  const { nodeContacts: t, colliders } = tables;
  const start = Math.max(first, arena.i32[L.NODE_CONTACT_ASLEEP >> 2]);
  for (let row = start; row < arena.i32[L.NODE_CONTACT_COUNT >> 2]; row++) {
    const four = 4 * row;
    if (t.side[four + SIDE_OBJECT_B] >= 0 || t.side[four + SIDE_COLLIDER] < 0 || t.side[four + SIDE_BODY] >= 0)
      continue;
    const body = colliders.body[t.side[four + SIDE_COLLIDER]];
    if (index !== null && index[body] < 0) continue;
    if (walkers.massOf(body) === 0) continue;
    t.side[four + SIDE_BODY] = body;
    addDrift(engine, four, body, 1);
  }
}

/** drift += sign times the velocity of a body at the arm of a row, `four` its place. */
function addDrift({ tables }: Engine, four: number, body: number, sign: number): void {
  const { drift, arm } = tables.nodeContacts;
  const { linearVelocity: v, angularVelocity: w } = tables.bodies;
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const turning = w[4 * body + i] * arm[four + j] - w[4 * body + j] * arm[four + i];
    drift[four + k] += sign * (v[4 * body + k] + turning);
  }
}

const change = new Float64Array(3);

/**
 * Gives the characters who took part what the solve changed their velocities by (eight numbers a body). They may not
 * all go where it moved them, as feet stay on the ground and walls stand: now they are kinematic again, with the
 * velocity that they have. Returns whether there were any: what touches is to be solved again, with that.
 */
function settleAll(
  engine: Engine,
  push: Yielding['push'],
  { bodies, bodyCount, bodyVelocity }: Parameters<Walkers['settle']>[0],
): boolean {
  const { arena, tables } = engine;
  const { flags, linearVelocity } = tables.bodies;
  let isAny = false;
  for (let i = 0; i < bodyCount; i++) {
    const body = bodies[i];
    if (flags[body] & L.BODY_DYNAMIC) continue;
    isAny = true;
    for (let k = 0; k < 3; k++) change[k] = bodyVelocity[8 * i + k] - linearVelocity[4 * body + k];
    push(body, change);
  }
  const { side } = tables.nodeContacts;
  for (let row = arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; row < arena.i32[L.NODE_CONTACT_COUNT >> 2]; row++) {
    const body = side[4 * row + SIDE_BODY];
    if (body < 0 || flags[body] & L.BODY_DYNAMIC) continue;
    side[4 * row + SIDE_BODY] = -1;
    addDrift(engine, 4 * row, body, -1);
  }
  return isAny;
}
