// Convex shapes as the queries with shapes see them: a core, and a ball about each of its points.
//
// In: rows of the shape table, or triangles of meshes, with a pose in the frame of the question (world axes, origin
// where the asking shape starts). Out: the core's farthest point along a direction. A sphere is a point, a capsule a
// segment with its radius as rounding; all other kinds are their own cores.

import type { Arena } from '../core/arena';
import * as L from '../state/layout';
import { isRound } from '../state/shape-traits';
import type { Tables } from '../state/tables';

/** A convex shape in the frame of the question. */
export interface Convex {
  /** SHAPE_* of the layout; hulls and triangles are SHAPE_HULL. */
  kind: number;
  /** Parameters of the kind [m]. */
  readonly size: Float64Array;
  /** Radius of the ball about the core [m]. */
  rounding: number;
  /** Corners of a hull, x y z each from number `first` on, `corners` of them. */
  vertices: Float64Array;
  first: number;
  corners: number;
  /** Rows of the rotation matrix, local → frame. */
  readonly turn: Float64Array;
  /** [m] */
  readonly position: Float64Array;
}

const NO_VERTICES = new Float64Array(0);

/** An empty convex shape, a point at the origin. */
export function createConvex(): Convex {
  return {
    kind: L.SHAPE_SPHERE,
    size: new Float64Array(3),
    rounding: 0,
    vertices: NO_VERTICES,
    first: 0,
    corners: 0,
    turn: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    position: new Float64Array(3),
  };
}

/** Sets the rotation from a unit quaternion x y z w. */
export function turnConvex({ turn }: Convex, q: ArrayLike<number>, at = 0): void {
  const x = q[at];
  const y = q[at + 1];
  const z = q[at + 2];
  const w = q[at + 3];
  turn[0] = 1 - 2 * (y * y + z * z);
  turn[1] = 2 * (x * y - w * z);
  turn[2] = 2 * (x * z + w * y);
  turn[3] = 2 * (x * y + w * z);
  turn[4] = 1 - 2 * (x * x + z * z);
  turn[5] = 2 * (y * z - w * x);
  turn[6] = 2 * (x * z - w * y);
  turn[7] = 2 * (y * z + w * x);
  turn[8] = 1 - 2 * (x * x + y * y);
}

/** Takes kind, sizes and corners of a row of the shape table; the pose stays. */
export function readConvex(out: Convex, arena: Arena, { shapes }: Pick<Tables, 'shapes'>, row: number): void {
  out.kind = shapes.kind[row];
  for (let k = 0; k < 3; k++) out.size[k] = shapes.parameter[4 * row + k];
  out.rounding = isRound(out.kind) ? out.size[0] : 0;
  if (out.kind !== L.SHAPE_HULL) return;
  const record = shapes.data[row];
  out.vertices = arena.f64;
  out.first = (record + arena.i32[(record + L.HULL_VERTICES) >> 2]) >> 3;
  out.corners = arena.i32[(record + L.HULL_VERTEX_COUNT) >> 2];
}

/** Makes it a hull of these corners, in its own frame [m]. */
export function setCorners(out: Convex, vertices: Float64Array): void {
  out.kind = L.SHAPE_HULL;
  out.rounding = 0;
  out.vertices = vertices;
  out.first = 0;
  out.corners = vertices.length / 3;
}

/** Point of the core farthest along a direction of any length, into `out` at `o`. */
export function supportCore(shape: Convex, dx: number, dy: number, dz: number, out: Float64Array, o: number): void {
  const { kind, size, turn, position } = shape;
  const lx = turn[0] * dx + turn[3] * dy + turn[6] * dz;
  const ly = turn[1] * dx + turn[4] * dy + turn[7] * dz;
  const lz = turn[2] * dx + turn[5] * dy + turn[8] * dz;
  let x = 0;
  let y = 0;
  let z = 0;
  if (kind === L.SHAPE_HULL) {
    const { vertices, first, corners } = shape;
    let best = first;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = first; at < first + 3 * corners; at += 3) {
      const along = vertices[at] * lx + vertices[at + 1] * ly + vertices[at + 2] * lz;
      if (along <= most) continue;
      most = along;
      best = at;
    }
    x = vertices[best];
    y = vertices[best + 1];
    z = vertices[best + 2];
  } else if (kind === L.SHAPE_BOX_KIND) {
    x = lx >= 0 ? size[0] : -size[0];
    y = ly >= 0 ? size[1] : -size[1];
    z = lz >= 0 ? size[2] : -size[2];
  } else if (kind === L.SHAPE_CAPSULE) y = ly >= 0 ? size[1] : -size[1];
  else if (kind === L.SHAPE_CYLINDER || kind === L.SHAPE_CONE) {
    const across = Math.sqrt(lx * lx + lz * lz);
    const isTop = kind === L.SHAPE_CYLINDER ? ly >= 0 : 2 * size[1] * ly > size[0] * across;
    y = isTop ? size[1] : -size[1];
    if (across > 0 && !(isTop && kind === L.SHAPE_CONE)) {
      x = (size[0] * lx) / across;
      z = (size[0] * lz) / across;
    }
  }
  out[o] = position[0] + turn[0] * x + turn[1] * y + turn[2] * z;
  out[o + 1] = position[1] + turn[3] * x + turn[4] * y + turn[5] * z;
  out[o + 2] = position[2] + turn[6] * x + turn[7] * y + turn[8] * z;
}

const far = new Float64Array(3);

/** Extent of the whole shape along a unit direction, from the frame's origin [m]. */
export function extentAlong(shape: Convex, dx: number, dy: number, dz: number): number {
  supportCore(shape, dx, dy, dz, far, 0);
  return far[0] * dx + far[1] * dy + far[2] * dz + shape.rounding;
}

/** Outward unit normal of a triangle's three corners; zero for one without area. */
export function normalOf(out: Float64Array, corners: Float64Array): void {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners;
  out[0] = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
  out[1] = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
  out[2] = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const length = Math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2) || 1;
  for (let k = 0; k < 3; k++) out[k] /= length;
}
