// Distance between the cores of the two slots of support.ts: Gilbert, Johnson, Keerthi 1988, "A fast procedure
// for computing the distance between complex objects in three-dimensional space".
//
// In: SLOT_A, SLOT_B. Out: distance between the cores [m]; direction A → B, closest points (working frame).
// The simplex lives in the Minkowski difference A − B; its closest point to the origin is found by the regions
// of Ericson, Real-Time Collision Detection, 5.1. Exact in finitely many steps for polytopes; for round shapes
// it stops when the relative gain drops under TOLERANCE, which leaves an angle of about its root in the direction.

import { dot3, sqr } from '../math/vector';
import { copyWords } from '../memory';
import { SLOT_A, SLOT_B, separationAlong, supportCore, sx, sy, sz } from './support';

const ITERATIONS = 80;
/** Relative gain in squared distance at which the search stops; the direction is right to about 1e-6. */
const TOLERANCE: f64 = 1e-12;
/** Cores nearer than this share of the largest coordinate count as overlapping. */
const OVERLAP: f64 = 1e-11;

// Four vertices of w (on A − B), a (on A) and a weight: 7 × f64.
const SIMPLEX: usize = memory.data(4 * 56, 16);
let size: i32 = 0;

/** Unit direction from A to B. */
export let gjkX: f64 = 0;
export let gjkY: f64 = 0;
export let gjkZ: f64 = 0;
/** Closest point of A's core, then of B's core. */
export let onAX: f64 = 0;
export let onAY: f64 = 0;
export let onAZ: f64 = 0;
export let onBX: f64 = 0;
export let onBY: f64 = 0;
export let onBZ: f64 = 0;

let vx: f64 = 0;
let vy: f64 = 0;
let vz: f64 = 0;

/**
 * Direction A → B of the largest separation of the cores that the last search met, not of length 1; zero: none. Where
 * rounding closes a flat simplex about the origin, or ends the search early, it may show that they are apart.
 */
export let apartX: f64 = 0;
export let apartY: f64 = 0;
export let apartZ: f64 = 0;

function vertex(i: i32): usize {
  return SIMPLEX + <usize>i * 56;
}

function setWeight(i: i32, weight: f64): void {
  store<f64>(vertex(i), weight, 48);
}

function keep(to: i32, from: i32): void {
  if (to != from) copyWords(vertex(to), vertex(from), 56);
}

function keepOne(i: i32): void {
  keep(0, i);
  setWeight(0, 1);
  size = 1;
}

/** Keeps the segment of vertices i < j; `t` is the weight of j. */
function keepTwo(i: i32, j: i32, t: f64): void {
  keep(0, i);
  keep(1, j);
  setWeight(0, 1 - t);
  setWeight(1, t);
  size = 2;
}

/** v = weighted sum of the simplex. */
function placeClosest(): void {
  vx = 0;
  vy = 0;
  vz = 0;
  for (let i = 0; i < size; i++) {
    const p = vertex(i);
    const weight = load<f64>(p, 48);
    vx += weight * load<f64>(p);
    vy += weight * load<f64>(p, 8);
    vz += weight * load<f64>(p, 16);
  }
}

function closestOnSegment(): void {
  const p = vertex(0);
  const q = vertex(1);
  const ux = load<f64>(q) - load<f64>(p);
  const uy = load<f64>(q, 8) - load<f64>(p, 8);
  const uz = load<f64>(q, 16) - load<f64>(p, 16);
  const length = dot3(ux, uy, uz, ux, uy, uz);
  const along = -dot3(load<f64>(p), load<f64>(p, 8), load<f64>(p, 16), ux, uy, uz);
  if (along <= 0 || length == 0) keepOne(0);
  else if (along >= length) keepOne(1);
  else keepTwo(0, 1, along / length);
}

/** Reduces the triangle of vertices 0, 1, 2 to the part closest to the origin. */
function closestOnTriangle(): void {
  const a = vertex(0);
  const b = vertex(1);
  const c = vertex(2);
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const bx = load<f64>(b);
  const by = load<f64>(b, 8);
  const bz = load<f64>(b, 16);
  const cx = load<f64>(c);
  const cy = load<f64>(c, 8);
  const cz = load<f64>(c, 16);
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const wx = cx - ax;
  const wy = cy - ay;
  const wz = cz - az;
  const d1 = -dot3(ux, uy, uz, ax, ay, az);
  const d2 = -dot3(wx, wy, wz, ax, ay, az);

  if (d1 <= 0 && d2 <= 0) {
    keepOne(0);
    return;
  }
  const d3 = -dot3(ux, uy, uz, bx, by, bz);
  const d4 = -dot3(wx, wy, wz, bx, by, bz);

  if (d3 >= 0 && d4 <= d3) {
    keepOne(1);
    return;
  }
  const d5 = -dot3(ux, uy, uz, cx, cy, cz);
  const d6 = -dot3(wx, wy, wz, cx, cy, cz);

  if (d6 >= 0 && d5 <= d6) {
    keepOne(2);
    return;
  }
  // Areas by the normal, not by products of the d's: those cancel when the origin is near.
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  const vc = dot3(nx, ny, nz, ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);

  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    keepTwo(0, 1, d1 / (d1 - d3));
    return;
  }
  const vb = dot3(nx, ny, nz, cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax);

  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    keepTwo(0, 2, d2 / (d2 - d6));
    return;
  }
  const va = dot3(nx, ny, nz, by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx);

  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    keepTwo(1, 2, (d4 - d3) / (d4 - d3 + (d5 - d6)));
    return;
  }
  const sum = va + vb + vc;

  if (!(sum > 0)) {
    keepTwo(0, 1, 0.5);
    return;
  }
  setWeight(0, va / sum);
  setWeight(1, vb / sum);
  setWeight(2, vc / sum);
  size = 3;
}

const SAVED: usize = memory.data(4 * 56, 16);
const BEST: usize = memory.data(3 * 56, 16);

/** Reduces the tetrahedron; leaves all four vertices when the origin is inside. */
function closestOnTetrahedron(): void {
  copyWords(SAVED, SIMPLEX, 4 * 56);
  let bestSize = 0;
  let best = Infinity;
  for (let f = 0; f < 4; f++) {
    // Face f leaves out vertex f.
    const i = f == 0 ? 1 : 0;
    const j = f <= 1 ? 2 : 1;
    const k = f == 3 ? 2 : 3;
    const a = SAVED + <usize>i * 56;
    const b = SAVED + <usize>j * 56;
    const c = SAVED + <usize>k * 56;
    const d = SAVED + <usize>f * 56;
    const ax = load<f64>(a);
    const ay = load<f64>(a, 8);
    const az = load<f64>(a, 16);
    const ux = load<f64>(b) - ax;
    const uy = load<f64>(b, 8) - ay;
    const uz = load<f64>(b, 16) - az;
    const wx = load<f64>(c) - ax;
    const wy = load<f64>(c, 8) - ay;
    const wz = load<f64>(c, 16) - az;
    const nx = uy * wz - uz * wy;
    const ny = uz * wx - ux * wz;
    const nz = ux * wy - uy * wx;
    const origin = -dot3(nx, ny, nz, ax, ay, az);
    const inside = dot3(nx, ny, nz, load<f64>(d) - ax, load<f64>(d, 8) - ay, load<f64>(d, 16) - az);
    // A flat tetrahedron (inside = 0) contains nothing: every face is looked at.
    if (origin * inside > 0) continue;
    copyWords(SIMPLEX, a, 56);
    copyWords(SIMPLEX + 56, b, 56);
    copyWords(SIMPLEX + 112, c, 56);
    closestOnTriangle();
    placeClosest();
    const distance = dot3(vx, vy, vz, vx, vy, vz);
    if (distance < best) {
      best = distance;
      bestSize = size;
      copyWords(BEST, SIMPLEX, 3 * 56);
    }
  }
  if (bestSize == 0) {
    copyWords(SIMPLEX, SAVED, 4 * 56);
    size = 4;
  } else {
    copyWords(SIMPLEX, BEST, 3 * 56);
    size = bestSize;
  }
}

/**
 * Distance between the cores [m], 0 when they overlap. (dx, dy, dz) is a first guess of the direction A → B,
 * for instance between the centres; zero is allowed. The search ends as soon as a direction shows that the full
 * shapes are farther apart than `limit` [m]; then only that direction is set, and some distance above 0 returned.
 */
export function coreDistance(dx: f64, dy: f64, dz: f64, limit: f64): f64 {
  size = 0;
  vx = -dx;
  vy = -dy;
  vz = -dz;
  if (dot3(dx, dy, dz, dx, dy, dz) == 0) vx = 1;
  let squared = Infinity;
  let scale: f64 = 0;
  let apart: f64 = 0;
  apartX = 0;
  apartY = 0;
  apartZ = 0;

  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    supportCore(SLOT_A, -vx, -vy, -vz);
    const ax = sx;
    const ay = sy;
    const az = sz;
    supportCore(SLOT_B, vx, vy, vz);
    const wx = ax - sx;
    const wy = ay - sy;
    const wz = az - sz;
    const length = dot3(wx, wy, wz, wx, wy, wz);
    if (length > scale) scale = length;
    if (size > 0) {
      const advance = dot3(vx, vy, vz, wx, wy, wz);
      if (advance > 0 && advance * advance > apart * squared) {
        apart = (advance * advance) / squared;
        apartX = -vx;
        apartY = -vy;
        apartZ = -vz;
      }
      if (advance > 0 && advance * advance > limit * limit * squared) {
        const length = Math.sqrt(squared);
        if (separationAlong(-vx / length, -vy / length, -vz / length) > limit) {
          gjkX = -vx / length;
          gjkY = -vy / length;
          gjkZ = -vz / length;
          return length;
        }
      }
      // No point lies farther than the closest one by more than the tolerance: done.
      if (squared - advance <= TOLERANCE * squared) break;
      let known = false;
      for (let i = 0; i < size; i++) {
        const p = vertex(i);
        if (sqr(load<f64>(p) - wx) + sqr(load<f64>(p, 8) - wy) + sqr(load<f64>(p, 16) - wz) <= 1e-30 * scale) {
          known = true;
        }
      }
      if (known) break;
    }
    const p = vertex(size);
    store<f64>(p, wx);
    store<f64>(p, wy, 8);
    store<f64>(p, wz, 16);
    store<f64>(p, ax, 24);
    store<f64>(p, ay, 32);
    store<f64>(p, az, 40);
    const oldX = vx;
    const oldY = vy;
    const oldZ = vz;
    const oldSize = size;
    copyWords(KEPT, SIMPLEX, 3 * 56);
    size++;
    if (size == 1) keepOne(0);
    else if (size == 2) closestOnSegment();
    else if (size == 3) closestOnTriangle();
    else closestOnTetrahedron();
    if (size == 4) return 0;
    placeClosest();
    const next = dot3(vx, vy, vz, vx, vy, vz);
    if (next <= OVERLAP * OVERLAP * scale) return 0;
    if (next >= squared) {
      // Rounding has the last word: keep the better simplex.
      vx = oldX;
      vy = oldY;
      vz = oldZ;
      size = oldSize;
      copyWords(SIMPLEX, KEPT, 3 * 56);
      break;
    }
    squared = next;
  }
  onAX = 0;
  onAY = 0;
  onAZ = 0;

  for (let i = 0; i < size; i++) {
    const p = vertex(i);
    const weight = load<f64>(p, 48);
    onAX += weight * load<f64>(p, 24);
    onAY += weight * load<f64>(p, 32);
    onAZ += weight * load<f64>(p, 40);
  }
  onBX = onAX - vx;
  onBY = onAY - vy;
  onBZ = onAZ - vz;
  const distance = Math.sqrt(squared);
  gjkX = -vx / distance;
  gjkY = -vy / distance;
  gjkZ = -vz / distance;
  return distance;
}

const KEPT: usize = memory.data(3 * 56, 16);
