// Two edges of strands: closest points now, and first approach while their ends move on straight lines.
//
// In: end points by `loadA`, `loadB`, displacements by `loadMotions` (rows of nodes). Out: `closestEdges` sets places
// s, t and the vector B → A; `advanceEdges` moves the clock from one certain bound to the next until the edges are
// within a distance, or are known to stay apart for the whole step.
//
// Closest points: the minimum of a convex quadratic over the unit square (C. Ericson, "Real-Time Collision Detection",
// 2005, 5.1.9). Near-parallel edges get a small pull towards the middle of their common part, which makes the
// point continuous as the angle passes zero; above PULL_SINE, and for advancement, the result is exact.
//
// Advancement: with n the direction between closest points, n·(a − b) ≥ distance for all points of the two edges,
// and each end moves on a straight line, so the least of four linear functions of time bounds the distance from below
// (conservative advancement, B. Mirtich 1996, with a directional bound). No root finding, hence no missed roots of the
// coplanarity cubic, and what turns up is a positive distance with a normal on the side where the edges started.

import { HIT_SHARE, MOST_BOUNDS, PULL_SINE, STRONGEST_PULL } from '../../../core/elastic-constants';
import { clamp, dot3 } from '../math/vector';

/** Places of the closest points on A and B, 0..1. */
export let placeS: f64 = 0;
export let placeT: f64 = 0;
/** Vector from the point on B to the point on A, and its length [m]. */
export let apartX: f64 = 0;
export let apartY: f64 = 0;
export let apartZ: f64 = 0;
export let apart: f64 = 0;
/** Square of the sine of the angle between the edges; 0 when one has no length. */
export let sineSquared: f64 = 0;
/** Time of the hit that `advanceEdges` found, 0..1 of the step. */
export let hitTime: f64 = 0;

/**
 * Strength of the pull where edges are parallel, over the square of their distance: the point moves over its range
 * while their ends differ in height by about a hundredth of the distance, and is never off by more than a thousandth.
 */
const PULL: f64 = 0.01;
/** Most of it, over the square of an edge's length. */
const LEAST_PULL: f64 = 1e-14;

// First node, edge vector, displacements of both nodes over the step; A then B.
let ax: f64 = 0;
let ay: f64 = 0;
let az: f64 = 0;
let ux: f64 = 0;
let uy: f64 = 0;
let uz: f64 = 0;
let bx: f64 = 0;
let by: f64 = 0;
let bz: f64 = 0;
let vx: f64 = 0;
let vy: f64 = 0;
let vz: f64 = 0;
let a0x: f64 = 0;
let a0y: f64 = 0;
let a0z: f64 = 0;
let a1x: f64 = 0;
let a1y: f64 = 0;
let a1z: f64 = 0;
let b0x: f64 = 0;
let b0y: f64 = 0;
let b0z: f64 = 0;
let b1x: f64 = 0;
let b1y: f64 = 0;
let b1z: f64 = 0;

/** Edge A: address of its first node's position (rows of four f64). */
export function loadA(position: usize): void {
  ax = load<f64>(position);
  ay = load<f64>(position, 8);
  az = load<f64>(position, 16);
  ux = load<f64>(position, 32) - ax;
  uy = load<f64>(position, 40) - ay;
  uz = load<f64>(position, 48) - az;
}

/** Edge B likewise. */
export function loadB(position: usize): void {
  bx = load<f64>(position);
  by = load<f64>(position, 8);
  bz = load<f64>(position, 16);
  vx = load<f64>(position, 32) - bx;
  vy = load<f64>(position, 40) - by;
  vz = load<f64>(position, 48) - bz;
}

/** Motion of both within the step: addresses of their first nodes' velocities, time step [s]. */
export function loadMotions(velocityA: usize, velocityB: usize, dt: f64): void {
  a0x = dt * load<f64>(velocityA);
  a0y = dt * load<f64>(velocityA, 8);
  a0z = dt * load<f64>(velocityA, 16);
  a1x = dt * load<f64>(velocityA, 32);
  a1y = dt * load<f64>(velocityA, 40);
  a1z = dt * load<f64>(velocityA, 48);
  b0x = dt * load<f64>(velocityB);
  b0y = dt * load<f64>(velocityB, 8);
  b0z = dt * load<f64>(velocityB, 16);
  b1x = dt * load<f64>(velocityB, 32);
  b1y = dt * load<f64>(velocityB, 40);
  b1z = dt * load<f64>(velocityB, 48);
}

/** Closest points at the start of the step; returns their distance [m]. */
export function closestEdges(): f64 {
  return closest(ax - bx, ay - by, az - bz, ux, uy, uz, vx, vy, vz, true);
}

/**
 * Takes the points at places `s` and `t` for the closest ones, `sine` for the square of the edges'
 * sine; returns their distance [m].
 */
export function takeEdges(s: f64, t: f64, sine: f64): f64 {
  placeS = s;
  placeT = t;
  sineSquared = sine;
  apartX = ax - bx + s * ux - t * vx;
  apartY = ay - by + s * uy - t * vy;
  apartZ = az - bz + s * uz - t * vz;
  apart = sqrt(dot3(apartX, apartY, apartZ, apartX, apartY, apartZ));
  return apart;
}

/** Length of edge A, of edge B [m]. */
export function lengthOfA(): f64 {
  return sqrt(dot3(ux, uy, uz, ux, uy, uz));
}

export function lengthOfB(): f64 {
  return sqrt(dot3(vx, vy, vz, vx, vy, vz));
}

/** u × v · n: which side of each other the edges lie on when n points from B to A. */
export function sideAlong(nx: f64, ny: f64, nz: f64): f64 {
  return dot3(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx, nx, ny, nz);
}

/** Component along n of the displacement of A's point over B's at the present places [m]. */
export function approachAlong(nx: f64, ny: f64, nz: f64): f64 {
  return (
    (1 - placeS) * dot3(a0x, a0y, a0z, nx, ny, nz) +
    placeS * dot3(a1x, a1y, a1z, nx, ny, nz) -
    (1 - placeT) * dot3(b0x, b0y, b0z, nx, ny, nz) -
    placeT * dot3(b1x, b1y, b1z, nx, ny, nz)
  );
}

/** Component along n of A's point over B's at the present places, at the start of the step [m]. */
export function heightAlong(nx: f64, ny: f64, nz: f64): f64 {
  const x = ax - bx + placeS * ux - placeT * vx;
  const y = ay - by + placeS * uy - placeT * vy;
  const z = az - bz + placeS * uz - placeT * vz;
  return dot3(x, y, z, nx, ny, nz);
}

/** Component along n of A's point at `s` over B's at `t` when the step is over [m]. */
export function heightAfter(s: f64, t: f64, nx: f64, ny: f64, nz: f64): f64 {
  const x = ax - bx + s * ux - t * vx + (1 - s) * a0x + s * a1x - (1 - t) * b0x - t * b1x;
  const y = ay - by + s * uy - t * vy + (1 - s) * a0y + s * a1y - (1 - t) * b0y - t * b1y;
  const z = az - bz + s * uz - t * vz + (1 - s) * a0z + s * a1z - (1 - t) * b0z - t * b1z;
  return dot3(x, y, z, nx, ny, nz);
}

/** A unit vector across both edges, or across the longer one where they are parallel; into apartX..Z. */
export function acrossEdges(): void {
  let x = uy * vz - uz * vy;
  let y = uz * vx - ux * vz;
  let z = ux * vy - uy * vx;
  const uu = dot3(ux, uy, uz, ux, uy, uz);
  const vv = dot3(vx, vy, vz, vx, vy, vz);
  if (!(dot3(x, y, z, x, y, z) > 1e-12 * uu * vv)) {
    const lx = uu >= vv ? ux : vx;
    const ly = uu >= vv ? uy : vy;
    const lz = uu >= vv ? uz : vz;
    // The axis that the edge runs along least, made normal to the edge.
    const ll = max(uu, vv);
    const axis = lx * lx <= ly * ly && lx * lx <= lz * lz ? 0 : ly * ly <= lz * lz ? 1 : 2;
    const share = ll > 0 ? (axis == 0 ? lx : axis == 1 ? ly : lz) / ll : 0.0;
    x = (axis == 0 ? 1.0 : 0.0) - share * lx;
    y = (axis == 1 ? 1.0 : 0.0) - share * ly;
    z = (axis == 2 ? 1.0 : 0.0) - share * lz;
  }
  const scale = 1 / sqrt(dot3(x, y, z, x, y, z));
  apartX = x * scale;
  apartY = y * scale;
  apartZ = z * scale;
}

/** Of edges p and q whose first nodes are w apart; `pulled`: with a stable point where they are parallel. */
function closest(wx: f64, wy: f64, wz: f64, px: f64, py: f64, pz: f64, qx: f64, qy: f64, qz: f64, pulled: bool): f64 {
  const a = dot3(px, py, pz, px, py, pz);
  const b = dot3(px, py, pz, qx, qy, qz);
  const c = dot3(qx, qy, qz, qx, qy, qz);
  const d = dot3(px, py, pz, wx, wy, wz);
  const e = dot3(qx, qy, qz, wx, wy, wz);
  let s: f64 = 0;
  let t: f64 = 0;
  sineSquared = 0;
  // Squares of lengths under this are rounding of nothing (1e-140 m).
  if (a > 1e-280 && c > 1e-280) {
    let along = a;
    let across = c;
    let first = -d;
    let second = e;
    let determinant = a * c - b * b;
    sineSquared = max(0.0, determinant / (a * c));
    if (sineSquared < PULL_SINE) {
      const from = max(0.0, min(-d, b - d) / a);
      const to = min(1.0, max(-d, b - d) / a);
      const middle = clamp(0.5 * (from + to), 0, 1);
      const beside = clamp((e + middle * b) / c, 0, 1);
      const x = wx + middle * px - beside * qx;
      const y = wy + middle * py - beside * qy;
      const z = wz + middle * pz - beside * qz;
      const fade = 1 - sineSquared / PULL_SINE;
      // Exact edges get a trace of it all the same: the system must not be singular.
      const pull = pulled ? fade * fade * min(PULL * dot3(x, y, z, x, y, z), STRONGEST_PULL * min(a, c)) : 0;
      const pullA = pull + LEAST_PULL * a;
      const pullC = pull + LEAST_PULL * c;
      along += pullA;
      across += pullC;
      first += pullA * middle;
      second += pullC * beside;
      determinant = along * across - b * b;
    }
    s = clamp((first * across + b * second) / determinant, 0, 1);
    t = (second + b * s) / across;
    if (t < 0 || t > 1) {
      t = t < 0 ? 0.0 : 1.0;
      s = clamp((first + b * t) / along, 0, 1);
    }
  } else if (c > 1e-280) {
    t = clamp(e / c, 0, 1);
  } else if (a > 1e-280) {
    s = clamp(-d / a, 0, 1);
  }
  placeS = s;
  placeT = t;
  apartX = wx + s * px - t * qx;
  apartY = wy + s * py - t * qy;
  apartZ = wz + s * pz - t * qz;
  apart = sqrt(dot3(apartX, apartY, apartZ, apartX, apartY, apartZ));
  return apart;
}

/**
 * First time within the step at which the edges are within `target` > 0 [m], from a start where they are farther.
 * True: `hitTime`, places and apart (at that time) are set.
 */
export function advanceEdges(target: f64, most: i32 = MOST_BOUNDS): bool {
  const near = target * (1 + HIT_SHARE);
  let time: f64 = 0;
  for (let iteration = 0; iteration < most; iteration++) {
    const x = ax - bx + time * (a0x - b0x);
    const y = ay - by + time * (a0y - b0y);
    const z = az - bz + time * (a0z - b0z);
    const px = ux + time * (a1x - a0x);
    const py = uy + time * (a1y - a0y);
    const pz = uz + time * (a1z - a0z);
    const qx = vx + time * (b1x - b0x);
    const qy = vy + time * (b1y - b0y);
    const qz = vz + time * (b1z - b0z);
    const distance = closest(x, y, z, px, py, pz, qx, qy, qz, false);
    if (distance <= near) {
      hitTime = time;
      return true;
    }
    const nx = apartX / distance;
    const ny = apartY / distance;
    const nz = apartZ / distance;
    const step = mayNeed(x, y, z, px, py, pz, qx, qy, qz, nx, ny, nz, target);
    time += step;
    if (time >= 1) return false;
  }
  hitTime = time;
  return true;
}

/**
 * Part of the step that must pass before edges p and q, whose first nodes are w apart, are within `target` along n; any
 * unit vector n gives a bound.
 */
function mayNeed(
  wx: f64,
  wy: f64,
  wz: f64,
  px: f64,
  py: f64,
  pz: f64,
  qx: f64,
  qy: f64,
  qz: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  target: f64,
): f64 {
  // Heights of the four ends along n, and how they change.
  const h0 = dot3(wx, wy, wz, nx, ny, nz) - target;
  const h1 = h0 + dot3(px, py, pz, nx, ny, nz);
  const k1 = dot3(qx, qy, qz, nx, ny, nz);
  const rateA0 = dot3(a0x, a0y, a0z, nx, ny, nz);
  const rateA1 = dot3(a1x, a1y, a1z, nx, ny, nz);
  const rateB0 = dot3(b0x, b0y, b0z, nx, ny, nz);
  const rateB1 = dot3(b1x, b1y, b1z, nx, ny, nz);
  return min(
    min(waitFor(h0, rateA0 - rateB0), waitFor(h0 - k1, rateA0 - rateB1)),
    min(waitFor(h1, rateA1 - rateB0), waitFor(h1 - k1, rateA1 - rateB1)),
  );
}

/**
 * Whether the direction of the points that `closestEdges` found shows that the edges stay
 * farther apart than `target` [m].
 */
export function staysApart(target: f64): bool {
  const nx = apartX / apart;
  const ny = apartY / apart;
  const nz = apartZ / apart;
  return mayNeed(ax - bx, ay - by, az - bz, ux, uy, uz, vx, vy, vz, nx, ny, nz, target) >= 1;
}

/** Time until a height shrinks to zero at a constant rate; 2 (more than a step) when it does not. */
function waitFor(height: f64, rate: f64): f64 {
  return rate < 0 ? min(2.0, max(height, 0.0) / -rate) : 2.0;
}
