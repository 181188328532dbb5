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
import { dot3 } from '../math/vector';

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
// The same displacements, those of the two nodes of an edge as lanes.
let waysAX: v128 = f64x2.splat(0);
let waysAY: v128 = f64x2.splat(0);
let waysAZ: v128 = f64x2.splat(0);
let waysBX: v128 = f64x2.splat(0);
let waysBY: v128 = f64x2.splat(0);
let waysBZ: v128 = f64x2.splat(0);

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
  const step = f64x2.splat(dt);
  waysAX = f64x2.mul(step, ofBoth(velocityA));
  waysAY = f64x2.mul(step, ofBoth(velocityA + 8));
  waysAZ = f64x2.mul(step, ofBoth(velocityA + 16));
  waysBX = f64x2.mul(step, ofBoth(velocityB));
  waysBY = f64x2.mul(step, ofBoth(velocityB + 8));
  waysBZ = f64x2.mul(step, ofBoth(velocityB + 16));
  a0x = f64x2.extract_lane(waysAX, 0);
  a0y = f64x2.extract_lane(waysAY, 0);
  a0z = f64x2.extract_lane(waysAZ, 0);
  a1x = f64x2.extract_lane(waysAX, 1);
  a1y = f64x2.extract_lane(waysAY, 1);
  a1z = f64x2.extract_lane(waysAZ, 1);
  b0x = f64x2.extract_lane(waysBX, 0);
  b0y = f64x2.extract_lane(waysBY, 0);
  b0z = f64x2.extract_lane(waysBZ, 0);
  b1x = f64x2.extract_lane(waysBX, 1);
  b1y = f64x2.extract_lane(waysBY, 1);
  b1z = f64x2.extract_lane(waysBZ, 1);
}

/** A coordinate of two nodes in a row (rows of four f64), as lanes. */
function ofBoth(at: usize): v128 {
  return v128.load64_lane(at, v128.load64_zero(at), 1, 32);
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

/** x between 0 and 1, without a branch to guess; not-a-number stays. */
function toUnit(x: f64): f64 {
  return f64x2.extract_lane(f64x2.pmin(f64x2.pmax(f64x2.splat(x), f64x2.splat(0)), f64x2.splat(1)), 0);
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
      const middle = toUnit(0.5 * (from + to));
      const beside = toUnit((e + middle * b) / c);
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
    s = toUnit((first * across + b * second) / determinant);
    t = (second + b * s) / across;
    if (t < 0 || t > 1) {
      t = t < 0 ? 0.0 : 1.0;
      s = toUnit((first + b * t) / along);
    }
  } else if (c > 1e-280) {
    t = toUnit(e / c);
  } else if (a > 1e-280) {
    s = toUnit(-d / a);
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
  // Heights of the ends of A over either end of B along n, and how they change: the ends of A are lanes.
  const h0 = dot3(wx, wy, wz, nx, ny, nz) - target;
  const h1 = h0 + dot3(px, py, pz, nx, ny, nz);
  const k1 = dot3(qx, qy, qz, nx, ny, nz);
  const x = f64x2.splat(nx);
  const y = f64x2.splat(ny);
  const z = f64x2.splat(nz);
  const ratesA = along2(waysAX, waysAY, waysAZ, x, y, z);
  const ratesB = along2(waysBX, waysBY, waysBZ, x, y, z);
  const heights = f64x2.replace_lane(f64x2.splat(h0), 1, h1);
  const waits = f64x2.min(
    waitFor(heights, f64x2.sub(ratesA, v128.shuffle<f64>(ratesB, ratesB, 0, 0))),
    waitFor(f64x2.sub(heights, f64x2.splat(k1)), f64x2.sub(ratesA, v128.shuffle<f64>(ratesB, ratesB, 1, 1))),
  );
  return min(f64x2.extract_lane(waits, 0), f64x2.extract_lane(waits, 1));
}

/** Components of two vectors along a third. */
function along2(ax: v128, ay: v128, az: v128, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, x), f64x2.mul(ay, y)), f64x2.mul(az, z));
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

/** Time until a height shrinks to zero at a constant rate; 2 (more than a step) when it does not. Two at once. */
function waitFor(height: v128, rate: v128): v128 {
  const never = f64x2.splat(2);
  const zero = f64x2.splat(0);
  const wait = f64x2.min(never, f64x2.div(f64x2.max(height, zero), f64x2.neg(rate)));
  return v128.bitselect(wait, never, f64x2.lt(rate, zero));
}
