// Directors of a rod's edges: parallel transport without twist, and the twist between neighbours.
//
// Each edge carries a reference director d1 (unit, normal to the edge) that is moved along in time by the
// smallest rotation that takes the old tangent to the new (time-parallel transport; Bergou et al. 2010, 4.2),
// and an angle θ from d1 to the material director m1 = cos θ d1 + sin θ d2, d2 = t × d1.
// The reference twist of a node is the angle, about the outgoing tangent, from the incoming edge's d1 carried
// over the node to the outgoing edge's d1; whole turns are kept by staying nearest to the last value.
// All on (array, offset), outputs first.

import { COLLAPSED_EDGE, OPPOSITE_TANGENTS } from '../../core/elastic-constants';
import { arctangent, cosine, sine } from '../../math/trigonometry';

type Numbers = ArrayLike<number>;

/** Columns of nodes that an edge reads at its first node. */
interface EdgeColumns {
  readonly rest: Numbers;
  readonly frame: Numbers;
}

const TURN = 2 * Math.PI;

const carried = new Float64Array(3);

/** Difference moved by whole turns to the value nearest to `last` [rad]. */
export function nearestAngle(angle: number, last: number): number {
  return angle + TURN * Math.floor((last - angle) / TURN + 0.5);
}

/** out = some unit vector normal to unit vector v, a continuous function of v almost everywhere. */
export function normalTo(out: Float64Array, o: number, v: Numbers, vo: number): void {
  // Cross product with the axis that v is farthest from.
  const ax = Math.abs(v[vo]);
  const ay = Math.abs(v[vo + 1]);
  const az = Math.abs(v[vo + 2]);
  let x = 0;
  let y = 0;
  let z = 0;
  if (ax <= ay && ax <= az) {
    y = v[vo + 2];
    z = -v[vo + 1];
  } else if (ay <= az) {
    x = -v[vo + 2];
    z = v[vo];
  } else {
    x = v[vo + 1];
    y = -v[vo];
  }
  const norm = Math.sqrt(x * x + y * y + z * z);
  out[o] = x / norm;
  out[o + 1] = y / norm;
  out[o + 2] = z / norm;
}

/**
 * Unit tangent of `edge` (number of its first node), whose ends are at `from` and `to` of `points`; returns its
 * length [m]. An edge shorter than 1e-12 of its rest length has no direction of its own: it gets one normal to its
 * director, so that everything built on it stays finite.
 */
export function edgeTangent(
  out: Float64Array,
  o: number,
  points: Numbers,
  from: number,
  to: number,
  { rest, frame }: EdgeColumns,
  edge: number,
): number {
  const x = points[to] - points[from];
  const y = points[to + 1] - points[from + 1];
  const z = points[to + 2] - points[from + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length > COLLAPSED_EDGE * rest[8 * edge]) {
    out[o] = x / length;
    out[o + 1] = y / length;
    out[o + 2] = z / length;
  } else {
    normalTo(out, o, frame, 4 * edge);
  }
  return length;
}

/**
 * d carried by the smallest rotation that takes unit tangent t0 to unit tangent t1, made unit and normal to t1; valid
 * until the next call. For opposite tangents the half turn about d itself is taken.
 */
export function transportDirector(
  d: Numbers,
  at: number,
  t0: Numbers,
  a: number,
  t1: Numbers,
  b: number,
): Float64Array {
  const dx = d[at];
  const dy = d[at + 1];
  const dz = d[at + 2];
  const ux = t1[b];
  const uy = t1[b + 1];
  const uz = t1[b + 2];
  const bx = t0[a + 1] * uz - t0[a + 2] * uy;
  const by = t0[a + 2] * ux - t0[a] * uz;
  const bz = t0[a] * uy - t0[a + 1] * ux;
  const c = t0[a] * ux + t0[a + 1] * uy + t0[a + 2] * uz;
  let x = dx;
  let y = dy;
  let z = dz;
  if (1 + c > OPPOSITE_TANGENTS) {
    // Rotation with axis · sine = b and cosine = c: c·d + b × d + b (b·d)/(1 + c).
    const s = (bx * dx + by * dy + bz * dz) / (1 + c);
    x = c * dx + by * dz - bz * dy + s * bx;
    y = c * dy + bz * dx - bx * dz + s * by;
    z = c * dz + bx * dy - by * dx + s * bz;
  }
  const along = x * ux + y * uy + z * uz;
  x -= along * ux;
  y -= along * uy;
  z -= along * uz;
  const norm = Math.sqrt(x * x + y * y + z * z);
  if (norm > 0) {
    carried[0] = x / norm;
    carried[1] = y / norm;
    carried[2] = z / norm;
  } else normalTo(carried, 0, t1, b);
  return carried;
}

/** out := v, three numbers. */
export function putVector(out: Float64Array, o: number, v: Float64Array): void {
  out[o] = v[0];
  out[o + 1] = v[1];
  out[o + 2] = v[2];
}

/**
 * Angle about unit tangent t from unit director `from` to unit director `to`, both normal to t, in (−π, π] [rad].
 */
export function directorAngle(from: Numbers, a: number, to: Numbers, b: number, t: Numbers, at: number): number {
  const fx = from[a];
  const fy = from[a + 1];
  const fz = from[a + 2];
  const gx = to[b];
  const gy = to[b + 1];
  const gz = to[b + 2];
  const sin = t[at] * (fy * gz - fz * gy) + t[at + 1] * (fz * gx - fx * gz) + t[at + 2] * (fx * gy - fy * gx);
  return arctangent(sin, fx * gx + fy * gy + fz * gz);
}

/**
 * Reference twist between two edges, whose tangents are at `t0` and `t1`, their directors at `d0` and `d1`: of all
 * turns the one nearest to `last` [rad].
 */
export function referenceTwist(
  tangents: Numbers,
  t0: number,
  t1: number,
  directors: Numbers,
  d0: number,
  d1: number,
  last: number,
): number {
  const from = transportDirector(directors, d0, tangents, t0, tangents, t1);
  return nearestAngle(directorAngle(from, 0, directors, d1, tangents, t1), last);
}

/** m1, m2 = material directors of an edge: (d1, t × d1) turned by θ [rad] about the tangent, which is at `o` too. */
export function materialDirectors(
  m1: Float64Array,
  m2: Float64Array,
  o: number,
  d1: Numbers,
  d: number,
  t: Numbers,
  theta: number,
): void {
  const c = cosine(theta);
  const s = sine(theta);
  for (let k = 0; k < 3; k++) {
    const next = k === 2 ? 0 : k + 1;
    const after = 3 - k - next;
    const d2 = t[o + next] * d1[d + after] - t[o + after] * d1[d + next];
    m1[o + k] = c * d1[d + k] + s * d2;
    m2[o + k] = c * d2 - s * d1[d + k];
  }
}
