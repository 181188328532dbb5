// Triangle meshes of shapes, for rendering: positions, normals and indices in the entity's own frame. No renderer.
//
// Counter-clockwise seen from outside. Round shapes are tessellated finely enough to look round at arm's length;
// flat faces have flat normals. Done once a shape, so clarity comes before speed.

import { meshOfHeights } from '../geometry/height-field';
import { buildHull } from '../geometry/hull-build';
import { checkShape, listTriples, type ShapeSpec } from '../geometry/shapes';
import { normalizeQuaternion, rotateVector } from '../math/quaternion';
import { cosine, sine } from '../math/trigonometry';

export interface ShapeMesh {
  /** Three numbers a vertex [m]. */
  positions: Float32Array;
  /** Three numbers a vertex, unit. */
  normals: Float32Array;
  /** Three vertex numbers a triangle. */
  indices: Uint32Array;
}

interface Builder {
  positions: number[];
  normals: number[];
  indices: number[];
}

/** Segments of a full turn, and of a quarter meridian. */
const AROUND = 40;
const QUARTER = 10;
/** Half side of the square that stands for a plane [m]. */
const PLANE_SIZE = 200;

/** The mesh of a shape [m]. Throws UsageError for what is no shape. */
export function shapeMesh(spec: ShapeSpec): ShapeMesh {
  const out: Builder = { positions: [], normals: [], indices: [] };
  addShape(out, checkShape('shapeMesh', 'shape', spec));
  return {
    positions: Float32Array.from(out.positions),
    normals: Float32Array.from(out.normals),
    indices: Uint32Array.from(out.indices),
  };
}

function addShape(out: Builder, spec: ShapeSpec): void {
  if (spec.box !== undefined) addBox(out, spec.box);
  else if (spec.sphere !== undefined) addProfile(out, roundProfile(spec.sphere, 0));
  else if (spec.capsule !== undefined) addProfile(out, roundProfile(spec.capsule[0], spec.capsule[1]));
  else if (spec.cylinder !== undefined) addProfile(out, cylinderProfile(spec.cylinder[0], spec.cylinder[1]));
  else if (spec.cone !== undefined) addProfile(out, coneProfile(spec.cone[0], spec.cone[1]));
  else if (spec.hull !== undefined) addHull(out, listTriples(spec.hull));
  else if (spec.plane !== undefined) addPlane(out, spec.plane);
  else if (spec.mesh !== undefined)
    addTriangles(out, listTriples(spec.mesh.vertices), listTriples(spec.mesh.triangles));
  else if (spec.heightField !== undefined) {
    const { vertices, triangles } = meshOfHeights(spec.heightField);
    addTriangles(out, listTriples(vertices), listTriples(triangles));
  } else
    for (const part of spec.compound)
      addPart(out, part.shape, part.position ?? [0, 0, 0], part.rotation ?? [0, 0, 0, 1]);
}

/** A flat polygon, counter-clockwise. */
function addFace(out: Builder, corners: ArrayLike<number>[]): void {
  const first = out.positions.length / 3;
  // Newell's normal: right for any planar polygon, however its first corners lie.
  let [nx, ny, nz] = [0, 0, 0];
  corners.forEach((p, i) => {
    const q = corners[(i + 1) % corners.length];
    nx += (p[1] - q[1]) * (p[2] + q[2]);
    ny += (p[2] - q[2]) * (p[0] + q[0]);
    nz += (p[0] - q[0]) * (p[1] + q[1]);
  });
  const norm = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
  for (const p of corners) {
    out.positions.push(p[0], p[1], p[2]);
    out.normals.push(nx / norm, ny / norm, nz / norm);
  }
  for (let i = 2; i < corners.length; i++) out.indices.push(first, first + i - 1, first + i);
}

function addBox(out: Builder, [x, y, z]: ArrayLike<number> & Iterable<number>): void {
  const corner = (i: number) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z];
  for (const face of [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ]) {
    addFace(out, face.map(corner));
  }
}

/** A point of a surface of revolution about y: radius, height, and the normal's two parts. */
type ProfilePoint = [radius: number, height: number, normalOut: number, normalUp: number];

/** Sphere (halfHeight 0) or capsule, from bottom to top. */
function roundProfile(radius: number, halfHeight: number): ProfilePoint[] {
  const points: ProfilePoint[] = [];
  for (let i = -QUARTER; i <= QUARTER; i++) {
    const angle = (i / QUARTER) * (Math.PI / 2);
    const [c, s] = [cosine(angle), sine(angle)];
    const add = (offset: number) => points.push([radius * c, radius * s + offset, c, s]);
    if (i < 0 || (i === 0 && halfHeight > 0)) add(-halfHeight);
    if (i >= 0) add(halfHeight);
  }
  return points;
}

function cylinderProfile(radius: number, halfHeight: number): ProfilePoint[] {
  return [
    [0, -halfHeight, 0, -1],
    [radius, -halfHeight, 0, -1],
    [radius, -halfHeight, 1, 0],
    [radius, halfHeight, 1, 0],
    [radius, halfHeight, 0, 1],
    [0, halfHeight, 0, 1],
  ];
}

function coneProfile(radius: number, halfHeight: number): ProfilePoint[] {
  const slope = Math.sqrt(radius * radius + 4 * halfHeight * halfHeight);
  const [o, u] = [(2 * halfHeight) / slope, radius / slope];
  return [
    [0, -halfHeight, 0, -1],
    [radius, -halfHeight, 0, -1],
    [radius, -halfHeight, o, u],
    [0, halfHeight, o, u],
  ];
}

/** Turns a profile (bottom to top) about the y axis. */
function addProfile(out: Builder, profile: ProfilePoint[]): void {
  const first = out.positions.length / 3;
  for (let i = 0; i <= AROUND; i++) {
    const angle = (i / AROUND) * 2 * Math.PI;
    const [c, s] = [cosine(angle), sine(angle)];
    for (const [radius, height, normalOut, normalUp] of profile) {
      out.positions.push(radius * c, height, -radius * s);
      out.normals.push(normalOut * c, normalUp, -normalOut * s);
    }
  }
  const rows = profile.length;
  for (let i = 0; i < AROUND; i++) {
    for (let k = 0; k + 1 < rows; k++) {
      const [r0, h0] = profile[k];
      const [r1, h1] = profile[k + 1];
      if (r0 === r1 && h0 === h1) continue;
      const a = first + i * rows + k;
      const b = a + rows;
      if (r0 > 0) out.indices.push(a, b, a + 1);
      if (r1 > 0) out.indices.push(a + 1, b, b + 1);
    }
  }
}

function addHull(out: Builder, points: ArrayLike<ArrayLike<number>>): void {
  const hull = buildHull(Array.from(points, (p) => [p[0], p[1], p[2]]));
  for (const face of hull.faces)
    addFace(
      out,
      face.map((v) => hull.vertices[v]),
    );
}

function addTriangles(
  out: Builder,
  vertices: ArrayLike<ArrayLike<number>>,
  triangles: ArrayLike<ArrayLike<number>>,
): void {
  for (let t = 0; t < triangles.length; t++) {
    addFace(out, [vertices[triangles[t][0]], vertices[triangles[t][1]], vertices[triangles[t][2]]]);
  }
}

function addPlane(out: Builder, normal: ArrayLike<number>): void {
  const norm = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  const n = [normal[0] / norm, normal[1] / norm, normal[2] / norm];
  const t = Math.abs(n[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0];
  const u = [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]];
  const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const a = u.map((x) => (x / length) * PLANE_SIZE);
  const b = [n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2], n[0] * a[1] - n[1] * a[0]];
  const corner = (s: number, r: number) => [0, 1, 2].map((k) => s * a[k] + r * b[k]);
  addFace(out, [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)]);
}

function addPart(out: Builder, shape: ShapeSpec, position: ArrayLike<number>, rotation: ArrayLike<number>): void {
  const from = out.positions.length;
  addShape(out, shape);
  const v = new Float64Array(3);
  const turn = new Float64Array(4);
  normalizeQuaternion(turn, 0, rotation, 0);
  for (let i = from; i < out.positions.length; i += 3) {
    rotateVector(v, 0, turn, 0, out.positions, i);
    for (let k = 0; k < 3; k++) out.positions[i + k] = v[k] + position[k];
    rotateVector(v, 0, turn, 0, out.normals, i);
    for (let k = 0; k < 3; k++) out.normals[i + k] = v[k];
  }
}
