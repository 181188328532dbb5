// Nodes and edges of a surface against one convex collider, in its frame.
//
// In: the collider by `chooseCollider`, its body and shape chosen in proximity/body-edge and proximity/shape. Out:
// hits. The distance to a convex shape is a convex function: over its tangents at the nodes nothing lies lower, so most
// edges on a flat or gently curved shape are done with what was measured at their nodes. An edge has a contact where it
// is lower than its ends. Triangles: surface/body-triangle.

import { HIT_SHARE } from '../../../core/elastic-constants';
import {
  PRIMITIVE_EDGE,
  PRIMITIVE_POINT,
  SHAPE_BOX,
  SURFACE_BODY,
  SURFACE_KIND_SHIFT,
  SURFACE_MARK,
  SURFACE_PLACE_BITS,
} from '../../../state/layout';
import { dot3 } from '../math/vector';
import { column, setF64 } from '../memory';
import {
  advanceEdge,
  advanceNode,
  d0x,
  d0y,
  d0z,
  d1x,
  d1y,
  d1z,
  displacementOf,
  enterNodes,
  ex,
  ey,
  ez,
  FINE,
  findPlaces,
  firstPlace,
  impact,
  isBetween,
  isNear,
  lx,
  ly,
  lz,
  margin,
  placeOf,
  px,
  py,
  pz,
  radius,
  secondPlace,
  takeRadius,
  toArm,
  toWorld,
} from '../proximity/body-edge';
import { gradX, gradY, gradZ, hasFaces, lowestOnEdge, lowestPlace, measure, setGradient } from '../proximity/shape';
import { continuous } from '../proximity/work';
import { addHit, COLLIDER, findOld, NODES, POINT, WEIGHTS } from './hits';
import { edgeLows, holderOfNode, nodeMeasures } from './work';

/**
 * While it lasts, this much lower is enough: what a contact carries would else fall to the ends' height and be lifted
 * again.
 */
export const STILL_LOWER_SHARE: f64 = 0.002;

// Fields of what is measured at a node.
export const GRADIENT: usize = 8;
export const MOTION: usize = 32;
export const PLACE: usize = 40; // in the collider's frame

let collider: i32 = 0;
let holder: i32 = 0;
export let middleX: f64 = 0;
export let middleY: f64 = 0;
export let middleZ: f64 = 0;

export function chooseCollider(slot: i32, body: i32, shape: i32): void {
  collider = slot;
  holder = body;
  const box = column(SHAPE_BOX) + <usize>shape * 48;
  middleX = 0.5 * (load<f64>(box) + load<f64>(box, 24));
  middleY = 0.5 * (load<f64>(box, 8) + load<f64>(box, 32));
  middleZ = 0.5 * (load<f64>(box, 16) + load<f64>(box, 40));
}

/** Whether the collider's body holds the node. */
export function isHeld(node: i32): bool {
  return holderOfNode(node) == holder;
}

export function measuredAt(node: i32): usize {
  return nodeMeasures + ((<usize>node) << 6);
}

/** Distance of a node as it was measured [m]. */
export function distanceOf(node: i32): f64 {
  return load<f64>(measuredAt(node));
}

/** Keeps what was measured at a node: distance, gradient, longest displacement, place, in the collider's frame. */
export function keepMeasure(node: i32, f: f64, gx: f64, gy: f64, gz: f64, far: f64, x: f64, y: f64, z: f64): void {
  const at = measuredAt(node);
  store<f64>(at, f);
  store<f64>(at, gx, GRADIENT);
  store<f64>(at, gy, GRADIENT + 8);
  store<f64>(at, gz, GRADIENT + 16);
  store<f64>(at, far, MOTION);
  v128.store(at, f64x2.replace_lane(f64x2.splat(x), 1, y), PLACE);
  store<f64>(at, z, PLACE + 16);
}

/** Features of a primitive's contact with the collider. */
export function lowOf(kind: i32, row: i32): i32 {
  return SURFACE_MARK | (kind << SURFACE_KIND_SHIFT) | row;
}

export function highOf(place: i32): i32 {
  return SURFACE_MARK | SURFACE_BODY | (collider << SURFACE_PLACE_BITS) | place;
}

/**
 * Keeps a contact of a point that lies at x y z and moves by dx dy dz over the step: direction n, distance f at `time`;
 * all in the collider's frame. Returns its address, 0 none; nodes and weights are the caller's.
 */
export function keep(
  low: i32,
  place: i32,
  x: f64,
  y: f64,
  z: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  f: f64,
  time: f64,
): usize {
  const gap = f - radius - time * dot3(dx, dy, dz, nx, ny, nz);
  // Behind a plane that it will be over is not deep.
  const least = time > 0 ? 0 : -Infinity;
  toWorld(nx, ny, nz);
  const hit = addHit(low, highOf(place), lx, ly, lz, max(gap, least), f, time);
  if (hit == 0) return 0;
  store<i32>(hit, collider, COLLIDER);
  toArm(x + time * dx - f * nx, y + time * dy - f * ny, z + time * dz - f * nz);
  store<f64>(hit, lx, POINT);
  store<f64>(hit, ly, POINT + 8);
  store<f64>(hit, lz, POINT + 16);
  return hit;
}

/** What is on its way passes by where it comes no nearer than this share of the radius. */
const CORE: f64 = 0.5;

let metTime: f64 = 0;
let metDistance: f64 = 0;

/**
 * Where on its way the point at place s of what was entered, at distance f with the gradient at hand, meets the shape:
 * time, distance, gradient there. One that only grazes it meets it at the end of the step: what is pulled from under a
 * plate, or slides over an edge, comes along beside the rim no nearer than it will be under the face. The plane at the
 * rim would stop it. (Tried: to keep the plane at the rim where it ends far from the shape. A box that slides over a
 * sheet lost 10 cm/s by it; without any contact there edges came to lie within discs.)
 */
function meetOnWay(s: f64, f: f64): void {
  const x = gradX;
  const y = gradY;
  const z = gradZ;
  const whole = radius;
  takeRadius(CORE * whole);
  const isDeep = advanceNode(s, f) < 1;
  takeRadius(whole);
  metTime = 1;
  if (isDeep) {
    setGradient(x, y, z);
    metTime = min(1.0, advanceNode(s, f));
  }
  metDistance = distanceAt(s, metTime);
}

/** Distance of the point at place s at a time. */
function distanceAt(s: f64, time: f64): f64 {
  const x = px + s * ex + time * (d0x + s * (d1x - d0x));
  const y = py + s * ey + time * (d0y + s * (d1y - d0y));
  const z = pz + s * ez + time * (d0z + s * (d1z - d0z));
  return measure(x, y, z);
}

/** How far the point at place s moves along the gradient at hand. */
function wayAlong(s: f64): f64 {
  return dot3(d0x + s * (d1x - d0x), d0y + s * (d1y - d0y), d0z + s * (d1z - d0z), gradX, gradY, gradZ);
}

/** Keeps a contact at place s, where it is near now, at distance f with the gradient at hand, as `keepPlace` does. */
function keepNear(low: i32, place: i32, s: f64, f: f64): usize {
  metTime = 0;
  metDistance = f;
  const isOff = f > radius * (1 + HIT_SHARE);
  if (continuous && hasFaces() && isOff && f - radius + wayAlong(s) < 0) meetOnWay(s, f);
  return keepPlace(low, place, s, metDistance, metTime);
}

/** Keeps a contact at place s of what was entered, with the gradient at hand, as `keep` does. */
function keepPlace(low: i32, place: i32, s: f64, f: f64, time: f64): usize {
  const dx = d0x + s * (d1x - d0x);
  const dy = d0y + s * (d1y - d0y);
  const dz = d0z + s * (d1z - d0z);
  const x = px + s * ex;
  const y = py + s * ey;
  const z = pz + s * ez;
  return keep(low, place, x, y, z, dx, dy, dz, gradX, gradY, gradZ, f, time);
}

export function lookAtNode(node: i32): void {
  placeOf(node);
  const x = lx;
  const y = ly;
  const z = lz;
  displacementOf(node);
  const far = sqrt(dot3(lx, ly, lz, lx, ly, lz));
  const f = measure(x, y, z);
  keepMeasure(node, f, gradX, gradY, gradZ, far, x, y, z);
  if (isHeld(node) || f > radius + max(margin, far)) return;
  enterNodes(node, node);
  let hit: usize = 0;
  const low = lowOf(PRIMITIVE_POINT, node);
  if (isNear(f, 0)) {
    hit = keepNear(low, 0, 0, f);
  } else {
    const time = continuous ? advanceNode(0, f) : 2;
    if (!(time < 1)) return;
    if (!hasFaces()) hit = keepPlace(low, 0, 0, impact, time);
    else {
      meetOnWay(0, measure(x, y, z));
      if (metDistance <= radius + margin) hit = keepPlace(low, 0, 0, metDistance, metTime);
    }
  }
  if (hit == 0) return;
  store<i32>(hit, node, NODES);
  store<f64>(hit, 1, WEIGHTS);
}

export function lookAtEdge(edge: i32, a: i32, b: i32): void {
  const p = measuredAt(a);
  const q = measuredAt(b);
  const fa = load<f64>(p);
  const fb = load<f64>(q);
  const ends = min(fa, fb);
  const x = load<f64>(q, PLACE) - load<f64>(p, PLACE);
  const y = load<f64>(q, PLACE + 8) - load<f64>(p, PLACE + 8);
  const z = load<f64>(q, PLACE + 16) - load<f64>(p, PLACE + 16);
  const slopeA = dot3(load<f64>(p, GRADIENT), load<f64>(p, GRADIENT + 8), load<f64>(p, GRADIENT + 16), x, y, z);
  const slopeB = dot3(load<f64>(q, GRADIENT), load<f64>(q, GRADIENT + 8), load<f64>(q, GRADIENT + 16), x, y, z);
  let least = ends;
  if (slopeA < 0 && slopeB > 0) {
    const s = (fb - slopeB - fa) / (slopeA - slopeB);
    least = min(ends, fa + slopeA * s);
  }
  setF64(edgeLows, edge, least);
  const motion = max(load<f64>(p, MOTION), load<f64>(q, MOTION));
  if (least > radius + max(margin, motion)) return;
  // Near, and no lower than its ends.
  const isFlat = ends - least <= STILL_LOWER_SHARE * radius;
  const mayLie = hasFaces();
  if (isFlat && (ends <= radius + margin || !continuous) && !(mayLie && (hasLasted(edge, 0) || hasLasted(edge, 1))))
    return;
  enterNodes(a, b);
  const f = lowestOnEdge(px, py, pz, ex, ey, ez, FINE * radius, radius + max(margin, motion));
  setF64(edgeLows, edge, f);
  if (f > radius + max(margin, motion)) return;
  if (isHeld(a) || isHeld(b)) return;
  const s = lowestPlace;
  if (isNear(f, s)) {
    if (!mayLie && !isBetween(s)) return;
    findPlaces(s, ends - f, hasLasted(edge, 0), mayLie && hasLasted(edge, 1));
    keepBetween(edge, a, b, 0, firstPlace);
    keepBetween(edge, a, b, 1, secondPlace);
    return;
  }
  if (!continuous || edgeStaysOver(p, p, q) || edgeStaysOver(q, p, q)) return;
  if (mayLie) meetOnEdge(edge, a, b);
  else {
    const time = advanceEdge();
    if (time < 1 && isBetween(lowestPlace)) keepEdge(edge, a, b, 0, lowestPlace, impact, time);
  }
}

/** Keeps the contact of the edge that was entered, if it meets a shape with faces on its way (meetOnWay). */
function meetOnEdge(edge: i32, a: i32, b: i32): void {
  const whole = radius;
  takeRadius(CORE * whole);
  const deepTime = advanceEdge();
  takeRadius(whole);
  const deepPlace = lowestPlace;
  const deepImpact = impact;
  const x = gradX;
  const y = gradY;
  const z = gradZ;
  const time = advanceEdge();
  if (!(time < 1)) return;
  if (deepTime >= 1) keepGrazing(edge, a, b);
  else if (isBetween(lowestPlace)) keepEdge(edge, a, b, 0, lowestPlace, impact, time);
  else if (isBetween(deepPlace)) {
    // Where it comes near at first, at a node, this may pass by.
    setGradient(x, y, z);
    keepEdge(edge, a, b, 0, deepPlace, deepImpact, deepTime);
  }
}

/** Keeps the contact that it has at the end of the step (meetOnWay). */
function keepGrazing(edge: i32, a: i32, b: i32): void {
  const x = px + d0x;
  const y = py + d0y;
  const z = pz + d0z;
  const ux = ex + d1x - d0x;
  const uy = ey + d1y - d0y;
  const uz = ez + d1z - d0z;
  if (lowestOnEdge(x, y, z, ux, uy, uz, FINE * radius, radius + margin) > radius + margin) return;
  const s = lowestPlace;
  if (!isBetween(s)) return;
  keepEdge(edge, a, b, 0, s, measure(x + s * ux, y + s * uy, z + s * uz), 1);
}

/**
 * Whether both ends of the edge that was entered stay more than a radius over the tangent at a node `from` for the
 * whole step. A convex shape lies under it: then the edge touches nothing.
 */
function edgeStaysOver(from: usize, p: usize, q: usize): bool {
  return staysOver(from, p, d0x, d0y, d0z) && staysOver(from, q, d1x, d1y, d1z);
}

/** The same of one node, which moves by x y z. */
export function staysOver(from: usize, node: usize, x: f64, y: f64, z: f64): bool {
  const rate = dot3(load<f64>(from, GRADIENT), load<f64>(from, GRADIENT + 8), load<f64>(from, GRADIENT + 16), x, y, z);
  return tangentAt(node, from) + min(0.0, rate) > radius * (1 + HIT_SHARE);
}

function hasLasted(edge: i32, place: i32): bool {
  return findOld(lowOf(PRIMITIVE_EDGE, edge), highOf(place)) >= 0;
}

function keepBetween(edge: i32, a: i32, b: i32, place: i32, s: f64): void {
  if (s < 0) return;
  const f = distanceAt(s, 0);
  writeEdge(keepNear(lowOf(PRIMITIVE_EDGE, edge), place, s, f), a, b, s);
}

/** Keeps a contact of the edge that was entered, at place s, with the gradient at hand. */
function keepEdge(edge: i32, a: i32, b: i32, place: i32, s: f64, f: f64, time: f64): void {
  writeEdge(keepPlace(lowOf(PRIMITIVE_EDGE, edge), place, s, f, time), a, b, s);
}

/** Nodes and weights of a contact at place s of an edge; `hit` 0: there is none. */
function writeEdge(hit: usize, a: i32, b: i32, s: f64): void {
  if (hit == 0) return;
  store<i32>(hit, a, NODES);
  store<i32>(hit, b, NODES + 4);
  store<f64>(hit, 1 - s, WEIGHTS);
  store<f64>(hit, s, WEIGHTS + 8);
}

/** The tangent at a node `from`, seen at another. */
export function tangentAt(at: usize, from: usize): f64 {
  const x = load<f64>(at, PLACE) - load<f64>(from, PLACE);
  const y = load<f64>(at, PLACE + 8) - load<f64>(from, PLACE + 8);
  const z = load<f64>(at, PLACE + 16) - load<f64>(from, PLACE + 16);
  return (
    load<f64>(from) +
    dot3(load<f64>(from, GRADIENT), load<f64>(from, GRADIENT + 8), load<f64>(from, GRADIENT + 16), x, y, z)
  );
}
