// What lies on a turning kinematic body is carried along its arc, not along the tangent of it.
//
// In: pairs of a kinematic body that spins. Out: PAIR_MATERIAL's surface speeds, for the time of the solve: what
// solvers take for sticking is equal speed, and that of the start of the step leads outwards by ½ |ω|² r Δt² each
// step. A point at r from the centre of a body that turns by ω moves by
//   (R(ω Δt) − 1) r = Δt (ω × r + d), d = (sin θ / θ − 1) ω × r + (1 − cos θ) / (|ω|
//   θ) ω × (ω × r), θ = |ω| Δt,
// so that speeds apart by d_A − d_B along the surface are those at which two points stay together until its end. The
// point is the middle of the manifold: d_A − d_B is the same at all its points where both bodies turn alike.
// Rejected: the same for bodies of finite mass, whose turn is not known before the solve.

import { cosine, sine } from '../math/trigonometry';
import { PAIR_SURFACE_ACROSS, PAIR_SURFACE_ALONG, pairPointAt } from '../state/contact-places';
import * as L from '../state/layout';
import { limitLength } from './bodies';
import type { Engine } from './engine';

/** Surface speeds as they were: pair slot, then both. */
const changed: number[] = [];
const arm = new Float64Array(3);
const apart = new Float64Array(3);

/** Runs `solve` with the surface speeds at which contacts follow kinematic bodies that turn. */
export function withTurnsFollowed(engine: Engine, solve: (engine: Engine) => void): void {
  if (!isAnyTurning(engine)) {
    solve(engine);
    return;
  }
  const { activeList, points, flags, bodyA, bodyB, material } = engine.tables.pairs;
  changed.length = 0;
  for (let i = 0; i < engine.arena.i32[L.ACTIVE_COUNT >> 2]; i++) {
    const pair = activeList[i];
    if (points[pair] === 0 || flags[pair] & (L.PAIR_SENSOR | L.PAIR_DISABLED)) continue;
    if (!isTurning(engine, bodyA[pair]) && !isTurning(engine, bodyB[pair])) continue;
    changed.push(pair, material[4 * pair + PAIR_SURFACE_ALONG], material[4 * pair + PAIR_SURFACE_ACROSS]);
    followPair(engine, pair);
  }
  solve(engine);
  // Nothing of it is kept: a body may cease to be kinematic, or to turn. Solving may have made tables anew.
  const after = engine.tables.pairs.material;
  for (let i = 0; i < changed.length; i += 3) {
    after[4 * changed[i] + 2] = changed[i + 1];
    after[4 * changed[i] + 3] = changed[i + 2];
  }
}

function isAnyTurning(engine: Engine): boolean {
  const { awakeList } = engine.tables.bodies;
  for (let i = engine.arena.i32[L.AWAKE_COUNT >> 2] - 1; i >= 0; i--) if (isTurning(engine, awakeList[i])) return true;
  return false;
}

function isTurning(engine: Engine, body: number): boolean {
  const { flags, angularVelocity } = engine.tables.bodies;
  if (!(flags[body] & L.BODY_KINEMATIC)) return false;
  const w = 4 * body;
  return angularVelocity[w] !== 0 || angularVelocity[w + 1] !== 0 || angularVelocity[w + 2] !== 0;
}

function followPair(engine: Engine, pair: number): void {
  const { bodyA, bodyB, normal, tangent, material } = engine.tables.pairs;
  apart.fill(0);
  addTurn(engine, pair, bodyA[pair], 1);
  addTurn(engine, pair, bodyB[pair], -1);
  limitLength(apart, 0, engine.arena.f64[L.MAXIMUM_SPEED >> 3]);
  const p = 4 * pair;
  const [x, y, z] = apart;
  const tx = tangent[p];
  const ty = tangent[p + 1];
  const tz = tangent[p + 2];
  material[p + PAIR_SURFACE_ALONG] += tx * x + ty * y + tz * z;
  material[p + PAIR_SURFACE_ACROSS] +=
    (normal[p + 1] * tz - normal[p + 2] * ty) * x +
    (normal[p + 2] * tx - normal[p] * tz) * y +
    (normal[p] * ty - normal[p + 1] * tx) * z;
}

const place = new Float64Array(3);

/** Adds sign · d of a body at the middle of the pair's points to `apart`. */
function addTurn(engine: Engine, pair: number, body: number, sign: number): void {
  const { pairs } = engine.tables;
  const count = pairs.points[pair];
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += pairs.point[pairPointAt(pair, i) + k];
    place[k] = sum / count;
  }
  addArc(apart, engine, body, place, sign);
}

/** Adds sign · d of a body's world point [m] to `out` [m/s]. */
export function addArc(out: Float64Array, engine: Engine, body: number, at: Float64Array, sign = 1): void {
  const { bodies } = engine.tables;
  const w = 4 * body;
  const wx = bodies.angularVelocity[w];
  const wy = bodies.angularVelocity[w + 1];
  const wz = bodies.angularVelocity[w + 2];
  const spin = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if (spin === 0) return;
  for (let k = 0; k < 3; k++) arm[k] = at[k] - bodies.position[w + k];
  const theta = spin * engine.settings.timeStep;
  const along = sign * (sine(theta) / theta - 1);
  const inward = (sign * (1 - cosine(theta))) / (spin * theta);
  const x = wy * arm[2] - wz * arm[1];
  const y = wz * arm[0] - wx * arm[2];
  const z = wx * arm[1] - wy * arm[0];
  out[0] += along * x + inward * (wy * z - wz * y);
  out[1] += along * y + inward * (wz * x - wx * z);
  out[2] += along * z + inward * (wx * y - wy * x);
}
