// What cloth, ropes and solids do to a character: in their solve its capsule is a body of its mass that does not turn,
// so that what it runs into gets no more than its momentum, and takes as much of it away.
//
// It drives on with its push force, no more: by the plan of the next step (`brace`), which leans against what pushed it
// in the last one. In: the row of the actors. Out: the kinematic target that its body has in this step, its velocity.
// A character that wears what is elastic (pins or clamps on its body) yields to nothing: what holds a cape would have
// to pull at it as much as the cape presses on its back.

import type { QueryContext } from '../../collision/queries';
import { rotateVector } from '../../math/quaternion';
import * as L from '../../state/layout';
import { limitLength, wakeBody } from '../bodies';
import type { Engine, Walkers } from '../engine';
import { standsOnElastic } from './elastic-footing';
import { joinSolves } from './join-solve';
import { capsule, origin, sweep, takeObstacles } from './obstacles';
import { isWorn } from './worn';

// Places in the row of the actors.
/** [kg] */
const MASS = L.CHARACTER_POINT + 3;
/** 3: what changed its velocity, fading [m/s]. */
const PUSHED = MASS + 1;
/** Along that, in the last step [m/s]. */
const PUSHED_LAST = PUSHED + 3;
/** For how long it still drives towards what pushed it by its push force alone [s]. */
const PUSHED_LEFT = PUSHED_LAST + 1;
/** Change of velocity by the push force in a step [m/s]. */
const MOST_PUSH = PUSHED_LEFT + 1;

/** For how long after a touch it drives by no more than its push force towards what it touched [s]. */
const MEMORY = 0.25;
/** What is left of the last pushes in the next step. */
const FADING = 0.9;
/** More change of velocity is cut [m/s]. */
const MOST = 1000;
/** Less change of velocity is none [m/s]. */
const LEAST = 1e-9;

/** The part of a character's plan that what is elastic limits; filled by `brace`. */
export const braced = {
  /** Unit, across the character's up: from what pushed it; 0 0 0 where nothing did. */
  away: new Float64Array(3),
  /** Speed against it that is lost in this step if it pushes as it did [m/s]. */
  lean: 0,
  /** Most change of speed against it in a step [m/s]. */
  most: Number.POSITIVE_INFINITY,
};

/** Takes what pushed the character whose numbers begin at `at` before this step. */
export function brace(
  state: Float64Array,
  at: number,
  up: Float64Array,
  dt: number,
  { mass, pushForce }: { mass: number; pushForce: number },
): void {
  const { away } = braced;
  braced.lean = 0;
  away.fill(0);
  state[at + MASS] = mass;
  braced.most = state[at + MOST_PUSH] = (pushForce * dt) / mass;
  const left = state[at + PUSHED_LEFT];
  const last = state[at + PUSHED_LAST];
  state[at + PUSHED_LAST] = 0;
  if (!(left > 0)) return;
  state[at + PUSHED_LEFT] = left - dt;
  let height = 0;
  for (let k = 0; k < 3; k++) height += up[k] * state[at + PUSHED + k];
  let square = 0;
  for (let k = 0; k < 3; k++) {
    away[k] = state[at + PUSHED + k] - height * up[k];
    square += away[k] * away[k];
  }
  const length = Math.sqrt(square);
  if (!(length > LEAST)) {
    away.fill(0);
    return;
  }
  for (let k = 0; k < 3; k++) away[k] /= length;
  braced.lean = Math.min(last, braced.most);
}

/** Notes what pushed the character: mostly the direction of the hardest of the last pushes, and the share along it. */
function notePushed(state: Float64Array, at: number, change: Float64Array): void {
  const isNew = !(state[at + PUSHED_LEFT] > 0);
  let square = 0;
  let along = 0;
  for (let k = 0; k < 3; k++) {
    const kept = isNew ? 0 : FADING * state[at + PUSHED + k];
    const sum = kept + change[k];
    state[at + PUSHED + k] = sum;
    square += sum * sum;
    along += sum * change[k];
  }
  state[at + PUSHED_LAST] = square > 0 ? Math.max(0, along / Math.sqrt(square)) : 0;
  state[at + PUSHED_LEFT] = MEMORY;
}

/** Where the numbers of the character begin whose body this is, −1: it is none. */
function stateOf({ arena, tables }: Engine, body: number): number {
  const { actors } = tables;
  for (let row = 0; row < arena.i32[L.ACTOR_COUNT >> 2]; row++) {
    const isOne = actors.flags[row] === (L.ACTOR_ALIVE | L.ACTOR_CHARACTER) && actors.entity[row] !== 0;
    if (isOne && actors.body[row] === body) return L.ACTOR_NUMBERS * row;
  }
  return -1;
}

const up = new Float64Array(3);
const way = new Float64Array(3);

/** What the solves of a world with characters ask of them. */
export function createWalkers(engine: Engine, queries: QueryContext): Walkers {
  /** Whether feet that go nowhere bear a push. */
  const holds = (body: number, state: Float64Array, at: number, speed: number) =>
    !(engine.tables.bodies.flags[body] & L.BODY_HAS_TARGET) && speed <= state[at + MOST_PUSH];
  return joinSolves(engine, {
    massOf(body) {
      const { flags } = engine.tables.bodies;
      if ((flags[body] & (L.BODY_KINEMATIC | L.BODY_QUARANTINED)) !== L.BODY_KINEMATIC) return 0;
      const at = stateOf(engine, body);
      return at < 0 || isWorn(engine, body) ? 0 : engine.tables.actors.state[at + MASS];
    },
    push(body, change) {
      const { bodies, actors } = engine.tables;
      const at = stateOf(engine, body);
      if (at < 0) return;
      const { state } = actors;
      way[0] = way[2] = 0;
      way[1] = 1;
      rotateVector(up, 0, bodies.rotation, 4 * body, way, 0);
      // Feet on the ground stay there.
      const isStanding = state[at + L.CHARACTER_STATUS] === L.CHARACTER_STANDING;
      const rise = change[0] * up[0] + change[1] * up[1] + change[2] * up[2];
      const height = isStanding ? rise : 0;
      if (standsOnElastic(state, at, up)) holdFeet(change, rise, state[at + MOST_PUSH]);
      let square = 0;
      for (let k = 0; k < 3; k++) {
        way[k] = change[k] - height * up[k];
        square += way[k] * way[k];
      }
      if (!(square > LEAST * LEAST) || (isStanding && holds(body, state, at, Math.sqrt(square)))) return;
      limitLength(way, 0, MOST);
      for (let k = 0; k < 3; k++) state[at + L.CHARACTER_VELOCITY + k] += way[k];
      notePushed(state, at, way);
      moveBy(engine, queries, body, way);
    },
  });
}

/** Takes away what is flat of a change, where feet bear it: `most` [m/s]. */
function holdFeet(change: Float64Array, rise: number, most: number): void {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (change[k] - rise * up[k]) ** 2;
  if (square <= most * most) for (let k = 0; k < 3; k++) change[k] = rise * up[k];
}

/** Changes the motion of a body in this step by a velocity [m/s], as far as nothing rigid is in the way. */
function moveBy(engine: Engine, queries: QueryContext, body: number, change: Float64Array): void {
  const { bodies } = engine.tables;
  const dt = engine.settings.timeStep;
  const p = 4 * body;
  const hasTarget = (bodies.flags[body] & L.BODY_HAS_TARGET) !== 0;
  let reach = 0;
  for (let k = 0; k < 3; k++) {
    change[k] *= dt;
    reach += Math.abs(change[k]) + (hasTarget ? Math.abs(bodies.targetPosition[p + k] - bodies.position[p + k]) : 0);
  }
  takeObstacles(engine, queries, body, reach, () => 1);
  for (let k = 0; k < 3; k++) {
    capsule.position[k] = hasTarget ? bodies.targetPosition[p + k] - origin[k] : 0;
  }
  sweep(change);
  for (let k = 0; k < 3; k++) bodies.targetPosition[p + k] = origin[k] + capsule.position[k];
  if (!hasTarget) for (let k = 0; k < 4; k++) bodies.targetRotation[p + k] = bodies.rotation[p + k];
  bodies.flags[body] |= L.BODY_HAS_TARGET;
  wakeBody(engine, body);
  for (let k = 0; k < 3; k++) {
    bodies.linearVelocity[p + k] = capsule.position[k] / dt;
    bodies.velocityChange[8 * body + k] = bodies.linearVelocity[p + k];
  }
}
