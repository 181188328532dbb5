// How deep bodies overlap, from their shapes and poses alone, in float64: the same yardstick for every engine.
//
// Shapes are those of the scene file: box, sphere, capsule, hull. Polytopes by the separating-axis test (least overlap
// over face normals and edge pairs; Gottschalk, Lin & Manocha 1996), round shapes by exact distances to segments and
// boxes. Contact slop counts as penetration.

import { hullFaces } from './hull-faces.mjs';
import { add, conjugate, cross, dot, lengthOf, rotate, scale, subtract } from './vectors.mjs';

const UNIT = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Radius of the ball about the origin that holds the shape [m]. */
export function boundingRadius(shape) {
  if (shape.box) return lengthOf(shape.box);
  if (shape.sphere) return shape.sphere;
  if (shape.capsule) return shape.capsule[0] + shape.capsule[1];
  return Math.max(...shape.hull.map(lengthOf));
}

/** Normals and edge directions of a polytope in world axes. */
function axesOf(shape, q) {
  if (shape.box) {
    const axes = UNIT.map((axis) => rotate(q, axis));
    return { normals: axes, edges: axes };
  }
  const { normals, edges } = hullFaces(shape.hull);
  return { normals: normals.map((v) => rotate(q, v)), edges: edges.map((v) => rotate(q, v)) };
}

/** Interval [low, high] of a polytope along a unit axis. */
function project(shape, position, q, axis) {
  const centre = dot(position, axis);
  const local = rotate(conjugate(q), axis);
  if (shape.box) {
    const [x, y, z] = shape.box;
    const reach = Math.abs(local[0]) * x + Math.abs(local[1]) * y + Math.abs(local[2]) * z;
    return [centre - reach, centre + reach];
  }
  let low = Infinity;
  let high = -Infinity;
  for (const point of shape.hull) {
    const d = dot(point, local);
    if (d < low) low = d;
    if (d > high) high = d;
  }
  return [centre + low, centre + high];
}

/** Least overlap of two polytopes over all axes that can separate them [m]; 0 when one does. */
function polytopeDepth(a, pa, qa, b, pb, qb) {
  const axesA = axesOf(a, qa);
  const axesB = axesOf(b, qb);
  let least = Infinity;
  const separates = (axis) => {
    const size = lengthOf(axis);
    if (size < 1e-6) return false; // parallel edges: their cross product is no axis
    const unit = scale(axis, 1 / size);
    const [lowA, highA] = project(a, pa, qa, unit);
    const [lowB, highB] = project(b, pb, qb, unit);
    least = Math.min(least, highA - lowB, highB - lowA);
    return least <= 0;
  };
  for (const normal of axesA.normals) if (separates(normal)) return 0;
  for (const normal of axesB.normals) if (separates(normal)) return 0;
  for (const edgeA of axesA.edges) for (const edgeB of axesB.edges) if (separates(cross(edgeA, edgeB))) return 0;
  return least;
}

/** Signed distance of a point in a box's axes: negative inside [m]. */
function boxDistance(p, half) {
  const x = Math.abs(p[0]) - half[0];
  const y = Math.abs(p[1]) - half[1];
  const z = Math.abs(p[2]) - half[2];
  return lengthOf([Math.max(x, 0), Math.max(y, 0), Math.max(z, 0)]) + Math.min(Math.max(x, y, z), 0);
}

/** A round shape as a segment [start, direction] and a radius. */
function core(shape, position, q) {
  if (shape.sphere) return [position, [0, 0, 0], shape.sphere];
  const half = rotate(q, [0, shape.capsule[1], 0]);
  return [subtract(position, half), scale(half, 2), shape.capsule[0]];
}

function roundBoxDepth(round, pr, qr, box, pb, qb) {
  const [start, direction, radius] = core(round, pr, qr);
  const inverse = conjugate(qb);
  const from = rotate(inverse, subtract(start, pb));
  const along = rotate(inverse, direction);
  const distanceAt = (t) => boxDistance(add(from, scale(along, t)), box.box);
  if (round.sphere) return Math.max(0, radius - distanceAt(0));
  // The signed distance of a convex set is convex along a line: thirds close in on its least value.
  let low = 0;
  let high = 1;
  for (let i = 0; i < 40; i++) {
    const left = low + (high - low) / 3;
    const right = high - (high - low) / 3;
    if (distanceAt(left) < distanceAt(right)) high = right;
    else low = left;
  }
  return Math.max(0, radius - distanceAt((low + high) / 2));
}

const clamp = (x) => Math.min(1, Math.max(0, x));

/** Distance between two segments start + t direction, t in 0..1 [m]; either may be a point. */
function segmentDistance(p1, d1, p2, d2) {
  const between = subtract(p1, p2);
  const a = dot(d1, d1);
  const e = dot(d2, d2);
  const f = dot(d2, between);
  if (a < 1e-12 && e < 1e-12) return lengthOf(between);
  const c = dot(d1, between);
  const b = dot(d1, d2);
  let s = 0;
  let t = 0;
  if (a < 1e-12) t = clamp(f / e);
  else if (e < 1e-12) s = clamp(-c / a);
  else {
    const spread = a * e - b * b;
    s = spread > 1e-12 ? clamp((b * f - c * e) / spread) : 0;
    t = (b * s + f) / e;
    if (t < 0) s = clamp(-c / a);
    else if (t > 1) s = clamp((b - c) / a);
    t = clamp(t);
  }
  return lengthOf(subtract(add(p1, scale(d1, s)), add(p2, scale(d2, t))));
}

const isRound = (shape) => shape.sphere !== undefined || shape.capsule !== undefined;

/** Penetration depth of two shapes at two poses [m]; 0 when they are apart. */
export function depthBetween(a, pa, qa, b, pb, qb) {
  if (isRound(a) && isRound(b)) {
    const [startA, alongA, radiusA] = core(a, pa, qa);
    const [startB, alongB, radiusB] = core(b, pb, qb);
    return Math.max(0, radiusA + radiusB - segmentDistance(startA, alongA, startB, alongB));
  }
  if (isRound(b)) return depthBetween(b, pb, qb, a, pa, qa);
  if (!isRound(a)) return polytopeDepth(a, pa, qa, b, pb, qb);
  if (!b.box) throw new Error('penetration: round shapes against hulls are not measured');
  return roundBoxDepth(a, pa, qa, b, pb, qb);
}

/**
 * Overlaps of all pairs: { max, mean [m], contacts }, the mean over pairs that overlap. `shapes` and `poses` (seven
 * numbers a body) are those of the moving bodies; moving pairs are found by a grid of cells.
 */
export function measurePenetration(shapes, poses, statics) {
  let max = 0;
  let sum = 0;
  let contacts = 0;
  const count = (depth) => {
    if (depth <= 0) return;
    max = Math.max(max, depth);
    sum += depth;
    contacts++;
  };
  const radii = shapes.map(boundingRadius);
  const cell = 2 * Math.max(...radii) + 1e-9;
  const positions = shapes.map((_, i) => Array.from(poses.subarray(7 * i, 7 * i + 3)));
  const rotations = shapes.map((_, i) => Array.from(poses.subarray(7 * i + 3, 7 * i + 7)));
  const grid = new Map();
  for (let i = 0; i < shapes.length; i++) {
    if (!positions[i].every(Number.isFinite)) return { max: Number.NaN, mean: Number.NaN, contacts: 0 };
    const place = positions[i].map((x) => Math.floor(x / cell));
    for (const j of neighbours(grid, place)) {
      const apart = subtract(positions[i], positions[j]);
      if (dot(apart, apart) >= (radii[i] + radii[j]) ** 2) continue;
      count(depthBetween(shapes[i], positions[i], rotations[i], shapes[j], positions[j], rotations[j]));
    }
    const key = place.join(',');
    if (grid.has(key)) grid.get(key).push(i);
    else grid.set(key, [i]);
    for (const { shape, position, rotation } of statics) {
      const local = rotate(conjugate(rotation), subtract(positions[i], position));
      const apart = shape.box ? boxDistance(local, shape.box) : lengthOf(local) - boundingRadius(shape);
      if (apart >= radii[i]) continue;
      count(depthBetween(shapes[i], positions[i], rotations[i], shape, position, rotation));
    }
  }
  return { max, mean: contacts ? sum / contacts : 0, contacts };
}

function* neighbours(grid, [x, y, z]) {
  for (let dx = -1; dx <= 1; dx++) {
    for (let dy = -1; dy <= 1; dy++) {
      for (let dz = -1; dz <= 1; dz++) yield* grid.get(`${x + dx},${y + dy},${z + dz}`) ?? [];
    }
  }
}
