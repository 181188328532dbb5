// Signed distance from a point to a shape of the tables, in the shape's own frame; negative inside.
//
// As `measure` in kernels/assembly/proximity/shape.ts; for what is asked seldom, at uploads. Meshes: distance to the
// closest triangle, found through the box tree; where several share the closest point the one that faces the point most
// says which side it is on (proximity/mesh.ts).

import type { Arena } from '../../core/arena';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';

export type Measure = (x: number, y: number, z: number) => number;

/** Distance to a shape [m]. `size`: a length that counts, for meshes [m]. */
export function measureShape(arena: Arena, { shapes }: Tables, shape: number, size: number): Measure {
  const [a, b, c] = shapes.parameter.subarray(4 * shape, 4 * shape + 3);
  switch (shapes.kind[shape]) {
    case L.SHAPE_SPHERE:
      return (x, y, z) => lengthOf(x, y, z) - a;
    case L.SHAPE_CAPSULE:
      return (x, y, z) => lengthOf(x, y - Math.min(b, Math.max(-b, y)), z) - a;
    case L.SHAPE_BOX_KIND:
      return (x, y, z) => fromSides(Math.abs(x) - a, Math.abs(y) - b, Math.abs(z) - c);
    case L.SHAPE_PLANE:
      return (x, y, z) => a * x + b * y + c * z;
    case L.SHAPE_CYLINDER:
      return (x, y, z) => fromSides(lengthOf(x, z) - a, Math.abs(y) - b, Number.NEGATIVE_INFINITY);
    case L.SHAPE_CONE:
      return (x, y, z) => measureCone(lengthOf(x, z), y, a, b);
    case L.SHAPE_HULL:
      return measureHull(arena, shapes.data[shape]);
    default:
      return measureMesh(arena, shapes.data[shape], size);
  }
}

function lengthOf(x: number, y: number, z = 0): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** Distance to a box by the heights over its sides. */
function fromSides(x: number, y: number, z: number): number {
  return lengthOf(Math.max(x, 0), Math.max(y, 0), Math.max(z, 0)) + Math.min(0, Math.max(x, y, z));
}

/** Cone in the half-plane through the point: apex at (0, half), rim at (radius, −half). */
function measureCone(out: number, y: number, radius: number, half: number): number {
  const height = 2 * half;
  const slant = lengthOf(radius, height);
  const side = (out * height + (y - half) * radius) / slant;
  const base = -half - y;
  if (side <= 0 && base <= 0) return Math.max(side, base);
  const along = ((y + half) * height - (out - radius) * radius) / (slant * slant);
  if (side > 0 && along >= 0 && along <= 1) return side;
  if (along > 1) return lengthOf(out, y - half);
  return out <= radius ? base : lengthOf(out - radius, y + half);
}

/**
 * Distance to the hull of a record: height over its planes inside, distance to the faces that see the point outside.
 */
function measureHull({ f64, i32 }: Arena, record: number): Measure {
  const at = (field: number) => (record + i32[(record + field) >> 2]) / 8;
  const faceCount = i32[(record + L.HULL_FACE_COUNT) >> 2];
  const planes = at(L.HULL_PLANES);
  const vertices = at(L.HULL_VERTICES);
  const starts = 2 * at(L.HULL_FACE_START);
  const indices = 2 * at(L.HULL_INDICES);
  return (x, y, z) => {
    let height = Number.NEGATIVE_INFINITY;
    let square = Number.POSITIVE_INFINITY;
    for (let f = 0; f < faceCount; f++) {
      const p = planes + 4 * f;
      const h = f64[p] * x + f64[p + 1] * y + f64[p + 2] * z - f64[p + 3];
      height = Math.max(height, h);
      if (h > 0) square = Math.min(square, distanceToFace(f, h, p, x, y, z));
    }
    return height <= 0 || square === Number.POSITIVE_INFINITY ? height : Math.sqrt(square);
  };

  /** Square of the distance to a face that sees the point: to its plane, or to its rim. */
  function distanceToFace(f: number, h: number, p: number, x: number, y: number, z: number): number {
    const first = i32[starts + f];
    const end = i32[starts + f + 1];
    let inside = true;
    let best = Number.POSITIVE_INFINITY;
    for (let k = first; k < end; k++) {
      const a = vertices + 3 * i32[indices + k];
      const b = vertices + 3 * i32[indices + (k + 1 === end ? first : k + 1)];
      const [ex, ey, ez] = [f64[b] - f64[a], f64[b + 1] - f64[a + 1], f64[b + 2] - f64[a + 2]];
      const [wx, wy, wz] = [x - f64[a], y - f64[a + 1], z - f64[a + 2]];
      const [nx, ny, nz] = [f64[p], f64[p + 1], f64[p + 2]];
      if ((ey * nz - ez * ny) * wx + (ez * nx - ex * nz) * wy + (ex * ny - ey * nx) * wz <= 0) continue;
      inside = false;
      const t = Math.min(1, Math.max(0, (wx * ex + wy * ey + wz * ez) / (ex * ex + ey * ey + ez * ez)));
      best = Math.min(best, (wx - t * ex) ** 2 + (wy - t * ey) ** 2 + (wz - t * ez) ** 2);
    }
    return inside ? h * h : best;
  }
}

/** Distances that differ by less than this share of `size` belong to one closest point. */
const SAME = 1e-7;

/** Signed distance to the mesh of a record. `size`: a length that counts [m]. */
function measureMesh({ f64, i32 }: Arena, record: number, size: number): Measure {
  const at = (field: number) => record + i32[(record + field) >> 2];
  const vertices = at(L.MESH_VERTICES) / 8;
  const triangles = at(L.MESH_TRIANGLES) / 4;
  const nodes = at(L.MESH_NODES);
  const stack = new Int32Array(128);
  const found = { square: 0, height: 0 };
  return (x, y, z) => {
    let best = Number.POSITIVE_INFINITY;
    let lean = 0;
    let side = 1;
    let depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const node = stack[--depth];
      const box = (nodes + node * L.MESH_NODE_BYTES) >> 3;
      if (distanceToBox(box, x, y, z) > best + SAME * size) continue;
      const first = i32[2 * box + 12];
      const second = i32[2 * box + 13];
      if (first < 0) {
        // The nearer child is looked at first.
        const other = (nodes + second * L.MESH_NODE_BYTES) >> 3;
        const own = (nodes + (node + 1) * L.MESH_NODE_BYTES) >> 3;
        const ownIsNear = distanceToBox(own, x, y, z) <= distanceToBox(other, x, y, z);
        stack[depth++] = ownIsNear ? second : node + 1;
        stack[depth++] = ownIsNear ? node + 1 : second;
        continue;
      }
      for (let t = first; t < first + second; t++) {
        measureTriangle(t, x, y, z);
        const distance = Math.sqrt(found.square);
        if (distance > best + SAME * size) continue;
        const facing = distance > 0 ? Math.abs(found.height) / distance : 1;
        if (distance < best - SAME * size || facing > lean) {
          lean = facing;
          side = found.height < 0 ? -1 : 1;
        }
        best = Math.min(best, distance);
      }
    }
    return side * best;
  };

  function distanceToBox(box: number, x: number, y: number, z: number): number {
    const dx = Math.max(f64[box] - x, x - f64[box + 3], 0);
    const dy = Math.max(f64[box + 1] - y, y - f64[box + 4], 0);
    const dz = Math.max(f64[box + 2] - z, z - f64[box + 5], 0);
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  /** Square of the distance and height over the plane (C. Ericson 2005, 5.1.5), into `found`. */
  function measureTriangle(t: number, x: number, y: number, z: number): void {
    const [a, b, c] = [0, 1, 2].map((k) => vertices + 3 * i32[triangles + 4 * t + k]);
    const ab = [f64[b] - f64[a], f64[b + 1] - f64[a + 1], f64[b + 2] - f64[a + 2]];
    const ac = [f64[c] - f64[a], f64[c + 1] - f64[a + 1], f64[c + 2] - f64[a + 2]];
    const ap = [x - f64[a], y - f64[a + 1], z - f64[a + 2]];
    const n = [ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]];
    found.height = dot(n, ap) / Math.sqrt(dot(n, n));
    const [bb, bc, cc] = [dot(ab, ab), dot(ab, ac), dot(ac, ac)];
    const [d1, d2] = [dot(ab, ap), dot(ac, ap)];
    const [d3, d4, d5, d6] = [d1 - bb, d2 - bc, d1 - bc, d2 - cc];
    const [va, vb, vc] = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
    let [v, w] = [0, 0];
    if (d1 <= 0 && d2 <= 0) v = 0;
    else if (d3 >= 0 && d4 <= d3) v = 1;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / bb;
    else if (d6 >= 0 && d5 <= d6) w = 1;
    else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / cc;
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      w = (d4 - d3) / (d4 - d3 + (d5 - d6));
      v = 1 - w;
    } else {
      found.square = found.height ** 2;
      return;
    }
    found.square = 0;
    for (let k = 0; k < 3; k++) found.square += (ap[k] - v * ab[k] - w * ac[k]) ** 2;
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
