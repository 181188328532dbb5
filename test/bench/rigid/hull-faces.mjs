// Faces, face normals and edge directions of the convex hull of a few points (the voussoirs have eight): every plane
// through three points that leaves all others on one side is a face. Brute force, n⁴, for n up to some dozens.

import { cross, dot, lengthOf, scale, subtract } from './vectors.mjs';

const known = new WeakMap();

/**
 * { faces, normals, edges } of a hull given by its points: faces as lists of indices, counter-clockwise seen from
 * outside; unit normals outwards; one vector for each direction in which edges run. Kept for each points array.
 */
export function hullFaces(points) {
  let hull = known.get(points);
  if (!hull) {
    hull = findFaces(points);
    known.set(points, hull);
  }
  return hull;
}

function findFaces(points) {
  const size = Math.max(...points.map(lengthOf));
  const planes = new Map(); // sorted indices of the points on it -> normal
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      for (let k = j + 1; k < points.length; k++) addPlane(points, i, j, k, size, planes);
    }
  }
  const faces = [];
  const normals = [];
  for (const [key, normal] of planes) {
    faces.push(orderAround(points, key.split(',').map(Number), normal));
    normals.push(normal);
  }
  return { faces, normals, edges: edgeDirections(points, faces) };
}

function addPlane(points, i, j, k, size, planes) {
  const across = cross(subtract(points[j], points[i]), subtract(points[k], points[i]));
  const area = lengthOf(across);
  if (area < 1e-9 * size * size) return; // on one line
  let normal = scale(across, 1 / area);
  const heights = points.map((p) => dot(normal, subtract(p, points[i])));
  const slack = 1e-9 * size;
  const above = heights.some((h) => h > slack);
  if (above && heights.some((h) => h < -slack)) return; // cuts through
  if (above) normal = scale(normal, -1);
  const key = heights.flatMap((h, index) => (Math.abs(h) <= slack ? [index] : [])).join(',');
  if (!planes.has(key)) planes.set(key, normal);
}

/** Indices of a convex face's points, counter-clockwise seen against the normal. */
function orderAround(points, indices, normal) {
  const centre = scale(
    indices.reduce((sum, i) => sum.map((x, axis) => x + points[i][axis]), [0, 0, 0]),
    1 / indices.length,
  );
  const right = subtract(points[indices[0]], centre);
  const up = cross(normal, right);
  const angle = (i) => {
    const p = subtract(points[i], centre);
    return Math.atan2(dot(p, up), dot(p, right));
  };
  return indices.sort((a, b) => angle(a) - angle(b));
}

function edgeDirections(points, faces) {
  const found = [];
  for (const face of faces) {
    face.forEach((from, i) => {
      const edge = subtract(points[face[(i + 1) % face.length]], points[from]);
      const parallel = (other) => lengthOf(cross(edge, other)) < 1e-9 * lengthOf(edge) * lengthOf(other);
      if (!found.some(parallel)) found.push(edge);
    });
  }
  return found;
}
