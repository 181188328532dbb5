// Closest points of a point and a triangle, and of two edges, at rest and on their ways; in f64.
//
// In: up to four nodes by `takePoint`, `takeEdges`, with places and displacements over the step. Out: coefficients of
// the nodes (side A's add up to 1, B's to −1), the vector from B to A, where on the primitives the closest
// points lie. Ways are straight. First hits by conservative advancement: with n the direction of the closest
// points, the heights of A's nodes over B's along n bound the distance from below and change at constant rates, so
// no hit is passed over, whatever the root of the coplanarity polynomial does (the bounds of proximity/segments,
// for any two convex hulls of nodes).

import { HIT_SHARE, MOST_BOUNDS, NO_AREA } from '../../../core/elastic-constants';
import { placeInTriangle, placeV, placeW } from '../math/triangle';
import { clamp, dot3 } from '../math/vector';
import { dt, position, velocity } from '../proximity/work';

/** Places, displacements and the places at a time, 3 × f64 a node; relative to the first node's place. */
const PLACES: usize = memory.data(96, 16);
const MOVES: usize = memory.data(96, 16);
const NOW: usize = memory.data(96, 16);

/** Nodes of side A: 1 against a triangle, 2 against an edge. */
let sideA: usize = 1;

/** Coefficients of the nodes. */
export let w0: f64 = 0;
export let w1: f64 = 0;
export let w2: f64 = 0;
export let w3: f64 = 0;
/** Vector from the closest point of B to that of A, and its length [m]. */
export let apartX: f64 = 0;
export let apartY: f64 = 0;
export let apartZ: f64 = 0;
export let apart: f64 = 0;
/** INSIDE and so on; of edges: 0 where both points lie between the nodes. */
export let region: i32 = 0;
/** Square of the sine between two edges. */
export let sineSquared: f64 = 0;
/** Bounds how much nearer the two can come within the step [m]. */
export let motion: f64 = 0;
/** Time of the hit that `advance` found, 0..1 of the step. */
export let hitTime: f64 = 0;

function takeNode(k: usize, node: i32, origin: usize): void {
  const p = position + ((<usize>node) << 5);
  const v = velocity + ((<usize>node) << 5);
  const at = k * 24;
  store<f64>(PLACES + at, load<f64>(p) - load<f64>(origin));
  store<f64>(PLACES + at, load<f64>(p, 8) - load<f64>(origin, 8), 8);
  store<f64>(PLACES + at, load<f64>(p, 16) - load<f64>(origin, 16), 16);
  store<f64>(MOVES + at, dt * load<f64>(v));
  store<f64>(MOVES + at, dt * load<f64>(v, 8), 8);
  store<f64>(MOVES + at, dt * load<f64>(v, 16), 16);
}

function take(a: i32, b: i32, c: i32, d: i32): void {
  const origin = position + ((<usize>a) << 5);
  takeNode(0, a, origin);
  takeNode(1, b, origin);
  takeNode(2, c, origin);
  takeNode(3, d, origin);
  let most: f64 = 0;
  for (let i: usize = 0; i < sideA; i++) for (let j = sideA; j < 4; j++) most = max(most, relative(i, j));
  motion = sqrt(most);
}

/** Square of what node i moves beyond node j. */
function relative(i: usize, j: usize): f64 {
  const x = load<f64>(MOVES + i * 24) - load<f64>(MOVES + j * 24);
  const y = load<f64>(MOVES + i * 24, 8) - load<f64>(MOVES + j * 24, 8);
  const z = load<f64>(MOVES + i * 24, 16) - load<f64>(MOVES + j * 24, 16);
  return dot3(x, y, z, x, y, z);
}

/** Takes a point and a triangle. */
export function takePoint(p: i32, a: i32, b: i32, c: i32): void {
  sideA = 1;
  take(p, a, b, c);
}

/** Takes edges a0–a1 and b0–b1. */
export function takeEdges(a0: i32, a1: i32, b0: i32, b1: i32): void {
  sideA = 2;
  take(a0, a1, b0, b1);
}

/** Sets place and displacement of a node by hand: 0 the point, 1 to 3 the triangle. */
export function setNode(k: usize, x: f64, y: f64, z: f64, dx: f64, dy: f64, dz: f64): void {
  const at = k * 24;
  store<f64>(PLACES + at, x);
  store<f64>(PLACES + at, y, 8);
  store<f64>(PLACES + at, z, 16);
  store<f64>(MOVES + at, dx);
  store<f64>(MOVES + at, dy, 8);
  store<f64>(MOVES + at, dz, 16);
  sideA = 1;
}

/** Closest points at the start of the step; returns their distance [m]. */
export function closest(): f64 {
  return closestAt(PLACES);
}

function closestAt(rows: usize): f64 {
  if (sideA == 1) closestToTriangle(rows);
  else closestOfEdges(rows);
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  for (let k: usize = 0; k < 4; k++) {
    const w = k == 0 ? w0 : k == 1 ? w1 : k == 2 ? w2 : w3;
    x += w * load<f64>(rows + k * 24);
    y += w * load<f64>(rows + k * 24, 8);
    z += w * load<f64>(rows + k * 24, 16);
  }
  apartX = x;
  apartY = y;
  apartZ = z;
  apart = sqrt(dot3(x, y, z, x, y, z));
  return apart;
}

function closestToTriangle(rows: usize): void {
  const a = rows + 24;
  region = placeInTriangle(a, a + 24, a + 48, load<f64>(rows), load<f64>(rows, 8), load<f64>(rows, 16));
  w0 = 1;
  w1 = placeV + placeW - 1;
  w2 = -placeV;
  w3 = -placeW;
}

/** As `closest` of proximity/segments, without a pull: near-parallel edges have their points at a node. */
function closestOfEdges(rows: usize): void {
  const px = load<f64>(rows, 24) - load<f64>(rows);
  const py = load<f64>(rows, 32) - load<f64>(rows, 8);
  const pz = load<f64>(rows, 40) - load<f64>(rows, 16);
  const qx = load<f64>(rows, 72) - load<f64>(rows, 48);
  const qy = load<f64>(rows, 80) - load<f64>(rows, 56);
  const qz = load<f64>(rows, 88) - load<f64>(rows, 64);
  const rx = load<f64>(rows) - load<f64>(rows, 48);
  const ry = load<f64>(rows, 8) - load<f64>(rows, 56);
  const rz = load<f64>(rows, 16) - load<f64>(rows, 64);
  const a = dot3(px, py, pz, px, py, pz);
  const b = dot3(px, py, pz, qx, qy, qz);
  const c = dot3(qx, qy, qz, qx, qy, qz);
  const d = dot3(px, py, pz, rx, ry, rz);
  const e = dot3(qx, qy, qz, rx, ry, rz);
  let s: f64 = 0;
  let t: f64 = 0;
  sineSquared = 0;
  if (a > NO_AREA && c > NO_AREA) {
    const nx = py * qz - pz * qy;
    const ny = pz * qx - px * qz;
    const nz = px * qy - py * qx;
    const area = dot3(nx, ny, nz, nx, ny, nz);
    sineSquared = area / (a * c);
    s = sineSquared > 1e-12 ? clamp((b * e - c * d) / area, 0, 1) : 0;
    t = (b * s + e) / c;
    if (t < 0) {
      t = 0;
      s = clamp(-d / a, 0, 1);
    } else if (t > 1) {
      t = 1;
      s = clamp((b - d) / a, 0, 1);
    }
  } else if (c > NO_AREA) {
    t = clamp(e / c, 0, 1);
  } else if (a > NO_AREA) {
    s = clamp(-d / a, 0, 1);
  }
  w0 = 1 - s;
  w1 = s;
  w2 = t - 1;
  w3 = -t;
  region = (s > 0 && s < 1 ? 0 : 1) | (t > 0 && t < 1 ? 0 : 2);
}

/** Time until nothing along n can be within `target`: heights of A's nodes over B's, and their rates. */
function mayNeed(rows: usize, nx: f64, ny: f64, nz: f64, target: f64): f64 {
  let wait: f64 = 2;
  for (let i: usize = 0; i < sideA; i++) {
    const a = rows + i * 24;
    const u = MOVES + i * 24;
    const hA = dot3(load<f64>(a), load<f64>(a, 8), load<f64>(a, 16), nx, ny, nz) - target;
    const rA = dot3(load<f64>(u), load<f64>(u, 8), load<f64>(u, 16), nx, ny, nz);
    for (let j = sideA; j < 4; j++) {
      const b = rows + j * 24;
      const v = MOVES + j * 24;
      const height = hA - dot3(load<f64>(b), load<f64>(b, 8), load<f64>(b, 16), nx, ny, nz);
      const rate = rA - dot3(load<f64>(v), load<f64>(v, 8), load<f64>(v, 16), nx, ny, nz);
      if (rate < 0) wait = min(wait, max(height, 0.0) / -rate);
    }
  }
  return wait;
}

/** Whether the direction that `closest` found shows that the two stay farther apart than `target` > 0 [m]. */
export function staysApart(target: f64): bool {
  return mayNeed(PLACES, apartX / apart, apartY / apart, apartZ / apart, target) >= 1;
}

/**
 * First time within the step at which the two are within `target` > 0 [m], from a start where they are farther. True:
 * `hitTime`, coefficients, region and apart (at that time) are set.
 */
export function advance(target: f64, most: i32 = MOST_BOUNDS): bool {
  const near = target * (1 + HIT_SHARE);
  let time: f64 = 0;
  for (let i = 0; i < most; i++) {
    for (let k: usize = 0; k < 96; k += 8) {
      store<f64>(NOW + k, load<f64>(PLACES + k) + time * load<f64>(MOVES + k));
    }
    const distance = closestAt(NOW);
    if (distance <= near) break;
    time += mayNeed(NOW, apartX / distance, apartY / distance, apartZ / distance, target);
    if (time >= 1) return false;
  }
  hitTime = time;
  return true;
}

/** Height of A over B along n at the present coefficients, at the start of the step [m]. */
export function heightAlong(nx: f64, ny: f64, nz: f64): f64 {
  return w0 * along(0, nx, ny, nz) + w1 * along(1, nx, ny, nz) + w2 * along(2, nx, ny, nz) + w3 * along(3, nx, ny, nz);
}

function along(k: usize, nx: f64, ny: f64, nz: f64): f64 {
  const at = PLACES + k * 24;
  return dot3(load<f64>(at), load<f64>(at, 8), load<f64>(at, 16), nx, ny, nz);
}

/**
 * Unit normal of the triangle of a point, or across two edges, at the start; into apartX..Z; length 0 when there is
 * none.
 */
export function acrossBoth(): void {
  const u: usize = sideA == 1 ? 1 : 0;
  const ux = load<f64>(PLACES + (u + 1) * 24) - load<f64>(PLACES + u * 24);
  const uy = load<f64>(PLACES + (u + 1) * 24, 8) - load<f64>(PLACES + u * 24, 8);
  const uz = load<f64>(PLACES + (u + 1) * 24, 16) - load<f64>(PLACES + u * 24, 16);
  const vx = load<f64>(PLACES, 72) - load<f64>(PLACES + (sideA == 1 ? 1 : 2) * 24);
  const vy = load<f64>(PLACES, 80) - load<f64>(PLACES + (sideA == 1 ? 1 : 2) * 24, 8);
  const vz = load<f64>(PLACES, 88) - load<f64>(PLACES + (sideA == 1 ? 1 : 2) * 24, 16);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const area = sqrt(dot3(nx, ny, nz, nx, ny, nz));
  const scale = area > 0 ? 1 / area : 0;
  apartX = nx * scale;
  apartY = ny * scale;
  apartZ = nz * scale;
}

/**
 * How far the closest point of the last question lies from a point given by coefficients of the same nodes, on side B
 * [m].
 */
export function shiftOfB(v1: f64, v2: f64, v3: f64): f64 {
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  for (let k: usize = 1; k < 4; k++) {
    if (k < sideA) continue;
    const d = k == 1 ? w1 - v1 : k == 2 ? w2 - v2 : w3 - v3;
    x += d * load<f64>(PLACES + k * 24);
    y += d * load<f64>(PLACES + k * 24, 8);
    z += d * load<f64>(PLACES + k * 24, 16);
  }
  return sqrt(dot3(x, y, z, x, y, z));
}
