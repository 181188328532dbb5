// One edge against one convex shape (or triangle), both in the collider's frame: nodes and the lowest point between.
//
// In: collider and edge by `chooseBody`, `enterEdge`; the shape chosen in strand-shape. Out: hits.

import {
  BETWEEN_OF_EDGE,
  BETWEEN_OF_RADIUS,
  HIT_SHARE,
  LOWER_SHARE,
  MOST_BOUNDS,
  SMALL_HALF_TURN,
} from '../../../core/elastic-constants';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_LINEAR_VELOCITY,
  BODY_MOTION,
  BODY_POSITION,
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
} from '../../../state/layout';
import { row4 } from '../math/boxes';
import { dot3 } from '../math/vector';
import { column } from '../memory';
import { addHit, BODY_BIT, findOld, hitCount, hitPoint, PLACE_BITS } from './hits';
import { bound, gradX, gradY, gradZ, hasFaces, lowestOnEdge, lowestPlace, measure } from './shape';
import { continuous, dt, nearShare, position, velocity } from './work';

export const PLACE_BETWEEN: i32 = 2;
/** Of the later one where an edge has two. */
const PLACE_BETWEEN_TOO: i32 = 3;

/** While it lasts, this much: what it carries would else fall to the nodes' height and be lifted again, for ever. */
const STILL_LOWER_SHARE: f64 = 0.002;
/** Accuracy of lowest points and impacts, as a share of the radius. */
export const FINE: f64 = 1e-3;
/** Cosine between directions away from one flat face. */
const FLAT_COSINE: f64 = 1 - 1e-9;
/** Least flat part, as a share of the edge: a ball has micrometres of it, which thin hair could take for one. */
const FLAT_LEAST: f64 = 0.05;
/** Where it begins at the latest, from the edge's lowest place, as a share of that. */
const FLAT_NEAR: f64 = 0.1;
/** Halvings in which the end of a flat part is found. */
const HALVINGS: i32 = 20;

// The collider: slot, rotation, place; centre of mass and motion of its body over the step.
let collider: i32 = 0;
let m00: f64 = 1;
let m01: f64 = 0;
let m02: f64 = 0;
let m10: f64 = 0;
let m11: f64 = 1;
let m12: f64 = 0;
let m20: f64 = 0;
let m21: f64 = 0;
let m22: f64 = 1;
let originX: f64 = 0;
let originY: f64 = 0;
let originZ: f64 = 0;
let centerX: f64 = 0;
let centerY: f64 = 0;
let centerZ: f64 = 0;
let driftX: f64 = 0;
let driftY: f64 = 0;
let driftZ: f64 = 0;
// The turn over the step as a Cayley vector, and 2 / (1 + its square).
let turnX: f64 = 0;
let turnY: f64 = 0;
let turnZ: f64 = 0;
let turnScale: f64 = 2;
export let radius: f64 = 0;
export let margin: f64 = 0;

/** The edge: first node, vector, displacements of both nodes, in the collider's frame. */
let edge: i32 = 0;
export let px: f64 = 0;
export let py: f64 = 0;
export let pz: f64 = 0;
export let ex: f64 = 0;
export let ey: f64 = 0;
export let ez: f64 = 0;
export let d0x: f64 = 0;
export let d0y: f64 = 0;
export let d0z: f64 = 0;
export let d1x: f64 = 0;
export let d1y: f64 = 0;
export let d1z: f64 = 0;
/** Longest displacement of the two nodes, length of the edge [m]. */
export let motion: f64 = 0;
export let length: f64 = 0;
/** Results of `placeOf`, `displacementOf`, `toWorld` and `toArm`. */
export let lx: f64 = 0;
export let ly: f64 = 0;
export let lz: f64 = 0;

export function chooseBody(slot: i32, body: i32, thickness: f64): void {
  collider = slot;
  radius = thickness;
  margin = 2 * nearShare * thickness;
  const q = row4(COLLIDER_ROTATION, slot);
  const x = load<f64>(q);
  const y = load<f64>(q, 8);
  const z = load<f64>(q, 16);
  const w = load<f64>(q, 24);
  m00 = 1 - 2 * (y * y + z * z);
  m01 = 2 * (x * y - w * z);
  m02 = 2 * (x * z + w * y);
  m10 = 2 * (x * y + w * z);
  m11 = 1 - 2 * (x * x + z * z);
  m12 = 2 * (y * z - w * x);
  m20 = 2 * (x * z - w * y);
  m21 = 2 * (y * z + w * x);
  m22 = 1 - 2 * (x * x + y * y);
  const p = row4(COLLIDER_POSITION, slot);
  originX = load<f64>(p);
  originY = load<f64>(p, 8);
  originZ = load<f64>(p, 16);
  const c = row4(BODY_POSITION, body);
  centerX = load<f64>(c);
  centerY = load<f64>(c, 8);
  centerZ = load<f64>(c, 16);
  const v = row4(BODY_LINEAR_VELOCITY, body);
  driftX = dt * load<f64>(v);
  driftY = dt * load<f64>(v, 8);
  driftZ = dt * load<f64>(v, 16);
  takeTurn(body);
}

/** Takes the turn of a body as integrate-motion will make it: by the mean spin of the step, which sleepers have old. */
function takeTurn(body: i32): void {
  const w = row4(BODY_ANGULAR_VELOCITY, body);
  const share: f64 = load<f64>(w) == 0 && load<f64>(w, 8) == 0 && load<f64>(w, 16) == 0 ? 0 : 0.5 * dt;
  const u = column(BODY_MOTION) + ((<usize>body) << 6);
  turnX = share * load<f64>(u, 32);
  turnY = share * load<f64>(u, 40);
  turnZ = share * load<f64>(u, 48);
  const square = dot3(turnX, turnY, turnZ, turnX, turnY, turnZ);
  if (square > SMALL_HALF_TURN * SMALL_HALF_TURN) {
    const longer = tangentShare(square);
    turnX *= longer;
    turnY *= longer;
    turnZ *= longer;
  }
  turnScale = 2 / (1 + dot3(turnX, turnY, turnZ, turnX, turnY, turnZ));
}

/** Terms of the continued fraction: to 1e-8 up to half a turn of π. */
const TANGENT_TERMS: f64 = 10;

/** tan a over a for a given a²: J. Lambert's continued fraction, which also holds beyond π/2. */
function tangentShare(square: f64): f64 {
  let under = 2 * TANGENT_TERMS - 1;
  for (let odd = under - 2; odd >= 1; odd -= 2) under = odd - square / under;
  return 1 / under;
}

/** Takes another distance for what follows, of a body that was chosen. */
export function takeRadius(thickness: f64): void {
  radius = thickness;
}

function toLocal(x: f64, y: f64, z: f64): void {
  lx = m00 * x + m10 * y + m20 * z;
  ly = m01 * x + m11 * y + m21 * z;
  lz = m02 * x + m12 * y + m22 * z;
}

/** Place of a node, collider's axes, into lx ly lz. */
export function placeOf(node: i32): void {
  const p = position + ((<usize>node) << 5);
  toLocal(load<f64>(p) - originX, load<f64>(p, 8) - originY, load<f64>(p, 16) - originZ);
}

/** A direction in the collider's axes to the world's, into lx ly lz. */
export function toWorld(x: f64, y: f64, z: f64): void {
  lx = m00 * x + m01 * y + m02 * z;
  ly = m10 * x + m11 * y + m12 * z;
  lz = m20 * x + m21 * y + m22 * z;
}

/** A point in the collider's frame to the world, from the body's centre of mass, into lx ly lz. */
export function toArm(x: f64, y: f64, z: f64): void {
  toWorld(x, y, z);
  lx += originX - centerX;
  ly += originY - centerY;
  lz += originZ - centerZ;
}

/** Displacement of a node over the step as the body sees it, collider's axes, into lx ly lz. */
export function displacementOf(node: i32): void {
  const p = position + ((<usize>node) << 5);
  const v = velocity + ((<usize>node) << 5);
  const x = load<f64>(p) - centerX;
  const y = load<f64>(p, 8) - centerY;
  const z = load<f64>(p, 16) - centerZ;
  const gx = dt * load<f64>(v) - driftX;
  const gy = dt * load<f64>(v, 8) - driftY;
  const gz = dt * load<f64>(v, 16) - driftZ;
  // Turn back by the body's turn: y + scale (−t × y + t × (t × y)).
  const ax = x + gx;
  const ay = y + gy;
  const az = z + gz;
  const bx = ay * turnZ - az * turnY;
  const by = az * turnX - ax * turnZ;
  const bz = ax * turnY - ay * turnX;
  const cx = by * turnZ - bz * turnY;
  const cy = bz * turnX - bx * turnZ;
  const cz = bx * turnY - by * turnX;
  toLocal(gx + turnScale * (bx + cx), gy + turnScale * (by + cy), gz + turnScale * (bz + cz));
}

/** Brings an edge into the collider's frame. */
export function enterEdge(first: i32): void {
  enterNodes(first, first + 1);
}

/** Brings two nodes into the collider's frame, as an edge that the first names. */
export function enterNodes(first: i32, second: i32): void {
  edge = first;
  const p = position + ((<usize>first) << 5);
  const q = position + ((<usize>second) << 5);
  toLocal(load<f64>(p) - originX, load<f64>(p, 8) - originY, load<f64>(p, 16) - originZ);
  px = lx;
  py = ly;
  pz = lz;
  toLocal(load<f64>(q) - load<f64>(p), load<f64>(q, 8) - load<f64>(p, 8), load<f64>(q, 16) - load<f64>(p, 16));
  ex = lx;
  ey = ly;
  ez = lz;
  length = sqrt(dot3(ex, ey, ez, ex, ey, ez));
  displacementOf(first);
  d0x = lx;
  d0y = ly;
  d0z = lz;
  displacementOf(second);
  d1x = lx;
  d1y = ly;
  d1z = lz;
  motion = sqrt(max(dot3(d0x, d0y, d0z, d0x, d0y, d0z), dot3(d1x, d1y, d1z, d1x, d1y, d1z)));
}

/**
 * Whether the shape is out of reach of the whole edge for the whole step: the distance
 * changes no faster than the place.
 */
export function isApart(): bool {
  return bound(px + 0.5 * ex, py + 0.5 * ey, pz + 0.5 * ez) > 0.5 * length + motion + radius + margin;
}

/** Keeps a contact at place s: gradient n, distance f of the axis at time t, both in the collider's frame. */
export function keep(place: i32, s: f64, nx: f64, ny: f64, nz: f64, f: f64, time: f64): void {
  const before = hitCount;
  // Displacement of the point until then.
  const gx = time * (d0x + s * (d1x - d0x));
  const gy = time * (d0y + s * (d1y - d0y));
  const gz = time * (d0z + s * (d1z - d0z));
  const gap = f - radius - dot3(gx, gy, gz, nx, ny, nz);
  addHit(
    edge,
    BODY_BIT | (collider << PLACE_BITS) | place,
    s,
    0,
    m00 * nx + m01 * ny + m02 * nz,
    m10 * nx + m11 * ny + m12 * nz,
    m20 * nx + m21 * ny + m22 * nz,
    gap,
    time,
  );
  const at = hitPoint(before);
  if (at == 0) return;
  const x = px + s * ex + gx - f * nx;
  const y = py + s * ey + gy - f * ny;
  const z = pz + s * ez + gz - f * nz;
  store<f64>(at, originX - centerX + m00 * x + m01 * y + m02 * z);
  store<f64>(at, originY - centerY + m10 * x + m11 * y + m12 * z, 8);
  store<f64>(at, originZ - centerZ + m20 * x + m21 * y + m22 * z, 16);
}

/** Node 0 or 1 of the edge against the chosen shape. */
export function meetNode(end: i32): void {
  const s = <f64>end;
  const x = px + s * ex;
  const y = py + s * ey;
  const z = pz + s * ez;
  const f = measure(x, y, z);
  if (isNear(f, s)) {
    keep(end, s, gradX, gradY, gradZ, f, 0);
    return;
  }
  if (!continuous || f - radius > motion) return;
  const time = advanceNode(s, f);
  if (time < 1) keep(end, s, gradX, gradY, gradZ, impact, time);
}

/** Whether node 0 or 1 of the edge is inside the chosen shape, or within reach of it now. */
export function touchesNode(end: i32): bool {
  const s = <f64>end;
  return measure(px + s * ex, py + s * ey, pz + s * ez) <= radius + margin;
}

/** Whether a point at place s, at distance f with the gradient just measured, is a contact now. */
export function isNear(f: f64, s: f64): bool {
  let gap = f - radius;
  if (!continuous) {
    const x = d0x + s * (d1x - d0x);
    const y = d0y + s * (d1y - d0y);
    const z = d0z + s * (d1z - d0z);
    gap += max(-radius, min(0.0, dot3(x, y, z, gradX, gradY, gradZ)));
  }
  return gap <= margin;
}

/** Distance of the axis at the impact that was found last. */
export let impact: f64 = 0;

/**
 * First time at which the point at place s is within a radius of the shape, 1 or more: not in this step.
 * `f`: distance now, measured last.
 */
export function advanceNode(s: f64, f: f64): f64 {
  const dx = d0x + s * (d1x - d0x);
  const dy = d0y + s * (d1y - d0y);
  const dz = d0z + s * (d1z - d0z);
  let time: f64 = 0;
  impact = f;
  for (let i = 0; i < MOST_BOUNDS; i++) {
    const rate = dot3(dx, dy, dz, gradX, gradY, gradZ);
    if (impact <= radius * (1 + HIT_SHARE)) return time;
    if (rate >= 0) return 2;
    time += (impact - radius) / -rate;
    if (time >= 1) return time;
    impact = measure(px + s * ex + time * dx, py + s * ey + time * dy, pz + s * ez + time * dz);
  }
  return time;
}

/** Whether place s lies between the nodes rather than at one of them. */
export function isBetween(s: f64): bool {
  return min(s, 1 - s) * length > min(BETWEEN_OF_RADIUS * radius, BETWEEN_OF_EDGE * length);
}

/** The lowest point of the edge, where that is no node, against the chosen shape. */
export function meetEdge(): void {
  const limit = radius + max(margin, motion);
  const f = lowestOnEdge(px, py, pz, ex, ey, ez, FINE * radius, limit);
  if (f > limit) return;
  const s = lowestPlace;
  if (isNear(f, s)) {
    const faces = hasFaces();
    if (!faces && !isBetween(s)) return;
    const first = findOld(edge, BODY_BIT | (collider << PLACE_BITS) | PLACE_BETWEEN) >= 0;
    const second = faces && findOld(edge, BODY_BIT | (collider << PLACE_BITS) | PLACE_BETWEEN_TOO) >= 0;
    const ends = min(measure(px, py, pz), measure(px + ex, py + ey, pz + ez));
    findPlaces(s, ends - f, first, second);
    keepBetween(PLACE_BETWEEN, firstPlace);
    keepBetween(PLACE_BETWEEN_TOO, secondPlace);
    return;
  }
  if (!continuous) return;
  const time = advanceEdge();
  if (time < 1 && isBetween(lowestPlace)) keep(PLACE_BETWEEN, lowestPlace, gradX, gradY, gradZ, impact, time);
}

function keepBetween(place: i32, s: f64): void {
  if (s < 0) return;
  const f = measure(px + s * ex, py + s * ey, pz + s * ez);
  keep(place, s, gradX, gradY, gradZ, f, 0);
}

/** Results of `findPlaces`: where between its nodes the edge has its two contacts; below 0: no such contact. */
export let firstPlace: f64 = -1;
export let secondPlace: f64 = -1;

/**
 * Finds where between its nodes the edge, near the shape at its lowest place `s`, `lower` than its nodes by that much,
 * bears on it: at the lowest place, or, where it lies along a flat part, where it leaves this. What lies on the middle
 * of an edge stands at both ends of its face: at one alone it would tip over it, and be lifted at the other. A contact
 * of the last step (`first`, `second`) stays where the edge leaves the face, however low its nodes are.
 */
export function findPlaces(s: f64, lower: f64, first: bool, second: bool): void {
  firstPlace = -1;
  secondPlace = -1;
  const lasts = first || second;
  const isLower = isBetween(s) && lower > (lasts ? STILL_LOWER_SHARE : LOWER_SHARE) * radius;
  const faces = hasFaces();
  if (!isLower && !(faces && lasts)) return;
  let place: f64 = isLower ? s : -1;
  let isLate = second && !first;
  if (faces && findFlatPart(s)) {
    const from = flatFrom;
    const to = flatTo;
    const leavesFirst = leavesAt(from);
    const leavesLast = leavesAt(to);
    if (leavesFirst && leavesLast) {
      firstPlace = from;
      secondPlace = to;
      return;
    }
    if (!isLower) place = leavesFirst ? from : leavesLast ? to : -1;
    if (first && second) isLate = to - place < place - from;
  }
  if (isLate) secondPlace = place;
  else firstPlace = place;
}

/** Whether the edge leaves a flat part here: between its nodes, near the shape. */
function leavesAt(s: f64): bool {
  return isBetween(s) && isNear(measure(px + s * ex, py + s * ey, pz + s * ez), s);
}

// Results of `findFlatPart`: its ends on the edge, a place within, the direction away from it.
let flatFrom: f64 = 0;
let flatTo: f64 = 0;
let flatMiddle: f64 = 0;
let flatX: f64 = 0;
let flatY: f64 = 0;
let flatZ: f64 = 0;

/** Whether the edge lies along a flat part of the shape beside its lowest place. */
function findFlatPart(s: f64): bool {
  if (!isFlatBeside(s, -FLAT_LEAST) && !isFlatBeside(s, FLAT_LEAST)) return false;
  const starts = isFlatAt(0);
  const ends = isFlatAt(1);
  flatFrom = starts ? 0 : endOfFlat(ends ? 1 : flatMiddle, 0);
  flatTo = ends ? 1 : endOfFlat(starts ? 0 : flatMiddle, 1);
  return true;
}

/** At the lowest place itself a flat part may just end. */
function isFlatBeside(s: f64, step: f64): bool {
  flatMiddle = s + step;
  if (!(flatMiddle >= 0 && flatMiddle <= 1)) return false;
  measure(px + flatMiddle * ex, py + flatMiddle * ey, pz + flatMiddle * ez);
  flatX = gradX;
  flatY = gradY;
  flatZ = gradZ;
  return isFlatAt(s + FLAT_NEAR * step);
}

function endOfFlat(from: f64, to: f64): f64 {
  let on = from;
  let off = to;
  for (let i = 0; i < HALVINGS; i++) {
    const s = 0.5 * (on + off);
    if (isFlatAt(s)) on = s;
    else off = s;
  }
  return on;
}

function isFlatAt(s: f64): bool {
  measure(px + s * ex, py + s * ey, pz + s * ez);
  return dot3(flatX, flatY, flatZ, gradX, gradY, gradZ) > FLAT_COSINE;
}

/** As `advanceNode` for the whole edge; place and gradient are those of strand-shape. */
export function advanceEdge(): f64 {
  let time: f64 = 0;
  for (let i = 0; i < MOST_BOUNDS; i++) {
    const x = px + time * d0x;
    const y = py + time * d0y;
    const z = pz + time * d0z;
    const ux = ex + time * (d1x - d0x);
    const uy = ey + time * (d1y - d0y);
    const uz = ez + time * (d1z - d0z);
    impact = lowestOnEdge(x, y, z, ux, uy, uz, FINE * radius, Infinity);
    if (impact <= radius * (1 + HIT_SHARE)) return time;
    // Heights of the ends over the plane at the lowest point.
    const slope = dot3(ux, uy, uz, gradX, gradY, gradZ);
    const h0 = impact - lowestPlace * slope;
    const h1 = h0 + slope;
    const r0 = dot3(d0x, d0y, d0z, gradX, gradY, gradZ);
    const r1 = dot3(d1x, d1y, d1z, gradX, gradY, gradZ);
    time += min(waitFor(h0 - radius, r0), waitFor(h1 - radius, r1));
    if (time >= 1) return time;
  }
  return time;
}

function waitFor(height: f64, rate: f64): f64 {
  return rate < 0 ? min(2.0, max(height, 0.0) / -rate) : 2.0;
}
