// Contacts with what lies flush beside, or below, what a body already rests on: they would stop it at an edge that it
// slides over.
//
// In: a pair whose contacts are about to count, pairs decided before or in touch. A contact that counts keeps its body
// in front of a plane. What lies wholly behind this plane, and at rest beside what made it, cannot be touched by the
// points that stay in front of it. Meshes do the same for their own inner edges (narrow/collide-mesh.ts).

import {
  BODY_COLLIDER,
  BOUNDED_KINDS,
  COLLIDER_NEXT,
  COLLIDER_PAIR,
  COLLIDER_POSITION,
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_NEXT,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  TIME_STEP,
} from '../../../state/layout';
import { nextKey } from '../broad/pairs-table';
import { dot3 } from '../math/vector';
import { column, getI32, parameter } from '../memory';
import { isOneOf, kindOf } from '../shapes/kinds';
import { extent, ox, oy, oz, placeB, SLOT_B, turnToWorking } from '../shapes/support';
import { isHolding, slackOf } from './pairs';
import { atX, atY, atZ, isYielding, separationSpeed, velocityAt } from './push';

/** Squared sine under which two normals are one: nothing is pushed sideways. */
const SAME_SINE_SQUARED: f64 = 1e-9;

/** Share of the slack that a body must slide in the step towards the contact in question, or away from it [-]. */
const SLIDING: f64 = 0.05;

/** Does another contact keep a body of the pair from all that the pair's contacts would keep it from? */
export function isBehindNeighbour(pair: i32): bool {
  const a = getI32(column(PAIR_BODY_A), pair);
  const b = getI32(column(PAIR_BODY_B), pair);
  return (
    (isYielding(a) && isBehindAny(pair, a, getI32(column(PAIR_COLLIDER_B), pair))) ||
    (isYielding(b) && isBehindAny(pair, b, getI32(column(PAIR_COLLIDER_A), pair)))
  );
}

/** The same for one body of the pair and the other one's collider. */
function isBehindAny(pair: i32, body: i32, other: i32): bool {
  // A half-space or a mesh has no end behind a plane.
  if (!isOneOf(kindOf(other), BOUNDED_KINDS)) return false;
  for (let c = getI32(column(BODY_COLLIDER), body); c >= 0; c = getI32(column(COLLIDER_NEXT), c)) {
    for (let link = getI32(column(COLLIDER_PAIR), c); link >= 0; link = nextKey(link)) {
      const holding = link >> 1;
      if (holding == pair || !isHolding(holding)) continue;
      for (let slot = holding; slot >= 0; slot = getI32(column(PAIR_NEXT), slot)) {
        if (getI32(column(PAIR_POINTS), slot) > 0 && isBehind(slot, pair, body, other)) return true;
      }
    }
  }
  return false;
}

// Unit normal of a manifold towards `body`, by `faceNormal`.
let nx: f64 = 0;
let ny: f64 = 0;
let nz: f64 = 0;

function faceNormal(slot: i32, body: i32): void {
  const n = column(PAIR_NORMAL) + ((<usize>slot) << 5);
  const sign: f64 = getI32(column(PAIR_BODY_B), slot) == body ? 1 : -1;
  nx = sign * load<f64>(n);
  ny = sign * load<f64>(n, 8);
  nz = sign * load<f64>(n, 16);
}

/** Is `other`, of `pair`, behind the plane of the other manifold, and do the pair's points stay in front of it? */
function isBehind(slot: i32, pair: i32, body: i32, other: i32): bool {
  faceNormal(pair, body);
  const px = nx;
  const py = ny;
  const pz = nz;
  faceNormal(slot, body);
  const cx = py * nz - pz * ny;
  const cy = pz * nx - px * nz;
  const cz = px * ny - py * nx;
  const sineSquared = dot3(cx, cy, cz, cx, cy, cz);
  if (sineSquared <= SAME_SINE_SQUARED) return false;
  const sine = sqrt(sineSquared);

  // Height of the surface behind the manifold, and how deep the body is in it.
  const slack = slackOf(pair);
  const count = getI32(column(PAIR_POINTS), slot);
  let height = -Infinity;
  let depth: f64 = 0;

  for (let k = 0; k < count; k++) {
    const point = column(PAIR_POINT) + ((<usize>slot) << 7) + ((<usize>k) << 5);
    const gap = load<f64>(point, 24);
    height = max(height, dot3(nx, ny, nz, load<f64>(point), load<f64>(point, 8), load<f64>(point, 16)) - 0.5 * gap);
    depth = max(depth, -gap);
  }
  placeB(other);
  turnToWorking(nx, ny, nz);
  const place = column(COLLIDER_POSITION) + ((<usize>other) << 5);
  const center = dot3(nx, ny, nz, load<f64>(place), load<f64>(place, 8), load<f64>(place, 16));
  if (center + extent(SLOT_B, ox, oy, oz) > height + slack) return false;

  // What made the plane and the other body are at rest beside each other, and the points do not go below it.
  const dt = parameter(TIME_STEP);
  const bodyA = getI32(column(PAIR_BODY_A), slot);
  const support = bodyA == body ? getI32(column(PAIR_BODY_B), slot) : bodyA;
  const first = getI32(column(PAIR_BODY_A), pair);
  const neighbour = first == body ? getI32(column(PAIR_BODY_B), pair) : first;
  const points = getI32(column(PAIR_POINTS), pair);
  let slides = false;

  for (let k = 0; k < points; k++) {
    const point = column(PAIR_POINT) + ((<usize>pair) << 7) + ((<usize>k) << 5);
    velocityAt(support, point);
    const sx = atX;
    const sy = atY;
    const sz = atZ;
    if (support != neighbour) {
      velocityAt(neighbour, point);
      const x = atX - sx;
      const y = atY - sy;
      const z = atZ - sz;
      if (sqrt(dot3(x, y, z, x, y, z)) * dt > slack) return false;
    }
    const gap = load<f64>(point, 24);
    if (gap + dt * separationSpeed(pair, k) >= 2 * slack) continue;
    velocityAt(body, point);
    // What only stands on both must lose neither: it is by sliding that an edge is met or left.
    const along = dot3(px, py, pz, nx, ny, nz);
    const sideways = dot3(px - along * nx, py - along * ny, pz - along * nz, atX - sx, atY - sy, atZ - sz);
    slides = slides || abs(sideways) * dt > SLIDING * slack * sine;
    const rise = dt * dot3(nx, ny, nz, atX - sx, atY - sy, atZ - sz);
    const at =
      dot3(nx, ny, nz, load<f64>(point), load<f64>(point, 8), load<f64>(point, 16)) +
      0.5 * gap * dot3(nx, ny, nz, px, py, pz) -
      height;
    if (at + rise < -depth - slack) return false;
  }
  return slides;
}
