// The shapes of the query tests: each with an independent test of membership, written from its definition.

import { buildHull } from '../../src/geometry/hull-build';
import { writeHull } from '../../src/geometry/hull-data';
import * as L from '../../src/state/layout';
import { addShape, type Vector, type World } from './broadphase-world';

export interface TestShape {
  name: string;
  /** Adds the shape to a world. */
  add(world: World): number;
  /** Whether a local point lies in the shape widened by about `slack` [m]. */
  holds(x: number, y: number, z: number, slack: number): boolean;
  /** Radius of a ball about the origin that holds the shape [m]. */
  reach: number;
}

const HULL_POINTS = [
  [1, 0.1, 0],
  [-0.9, 0.2, 0.1],
  [0.1, 1.2, 0],
  [0, -0.7, 0.2],
  [0.2, 0.1, 0.9],
  [0, 0, -1.1],
  [0.6, 0.7, 0.5],
  [-0.5, -0.5, -0.6],
];

/** Half-spaces of the hull by trying all triples of points, independent of the hull builder. */
function hullPlanes(): number[][] {
  const n = HULL_POINTS.length;
  const p = (i: number, k: number): number => HULL_POINTS[i][k];
  const planes: number[][] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) {
        if (i === j || j === k || k === i) continue;
        const u = [0, 1, 2].map((c) => p(j, c) - p(i, c));
        const v = [0, 1, 2].map((c) => p(k, c) - p(i, c));
        const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
        const unit = normal.map((c) => c / length);
        const d = unit[0] * p(i, 0) + unit[1] * p(i, 1) + unit[2] * p(i, 2);
        let outside = false;
        for (let m = 0; m < n; m++) outside ||= unit[0] * p(m, 0) + unit[1] * p(m, 1) + unit[2] * p(m, 2) > d + 1e-12;
        if (!outside) planes.push([...unit, d]);
      }
    }
  }
  return planes;
}

const PLANES = hullPlanes();

export const CONVEX: TestShape[] = [
  {
    name: 'sphere',
    add: (world) => addShape(world, L.SHAPE_SPHERE, [0.7]),
    holds: (x, y, z, s) => x * x + y * y + z * z <= (0.7 + s) ** 2,
    reach: 0.7,
  },
  {
    name: 'capsule',
    add: (world) => addShape(world, L.SHAPE_CAPSULE, [0.4, 0.6]),
    holds: (x, y, z, s) => x * x + Math.max(0, Math.abs(y) - 0.6) ** 2 + z * z <= (0.4 + s) ** 2,
    reach: 1,
  },
  {
    name: 'box',
    add: (world) => addShape(world, L.SHAPE_BOX_KIND, [0.3, 0.5, 0.8]),
    holds: (x, y, z, s) => Math.abs(x) <= 0.3 + s && Math.abs(y) <= 0.5 + s && Math.abs(z) <= 0.8 + s,
    reach: 1,
  },
  {
    name: 'hull',
    add: (world) => addShape(world, L.SHAPE_HULL, [0, 0, 0], writeHull(world.arena, buildHull(HULL_POINTS), [0, 0, 0])),
    holds: (x, y, z, s) => PLANES.every(([a, b, c, d]) => a * x + b * y + c * z <= d + s),
    reach: 1.3,
  },
  {
    name: 'cylinder',
    add: (world) => addShape(world, L.SHAPE_CYLINDER, [0.5, 0.7]),
    holds: (x, y, z, s) => x * x + z * z <= (0.5 + s) ** 2 && Math.abs(y) <= 0.7 + s,
    reach: 0.9,
  },
  {
    name: 'cone',
    add: (world) => addShape(world, L.SHAPE_CONE, [0.5, 0.7]),
    // The slanted side has the outward normal (1.4, 0.5) / 1.4866 in (ρ, y).
    holds: (x, y, z, s) => {
      const rho = Math.sqrt(x * x + z * z);
      return y >= -0.7 - s && (1.4 * rho + 0.5 * (y - 0.7)) / Math.sqrt(1.4 ** 2 + 0.5 ** 2) <= s;
    },
    reach: 0.9,
  },
];

/** A rolling mesh of 2 (n − 1)² triangles over the square ±half in x and z. */
export function makeTerrain(
  n: number,
  half: number,
  random: () => number,
): { vertices: number[]; triangles: number[] } {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++)
      vertices.push(-half + (2 * half * i) / (n - 1), random(), -half + (2 * half * j) / (n - 1));
  }
  for (let i = 0; i + 1 < n; i++) {
    for (let j = 0; j + 1 < n; j++) {
      const a = i * n + j;
      triangles.push(a, a + 1, a + n, a + 1, a + n + 1, a + n);
    }
  }
  return { vertices, triangles };
}

/** out = R(q) v, or its inverse. */
export function turn(q: readonly number[], v: readonly number[], inverse = false): Vector {
  const s = inverse ? -1 : 1;
  const [x, y, z, w] = [s * q[0], s * q[1], s * q[2], q[3]];
  const cx = 2 * (y * v[2] - z * v[1]);
  const cy = 2 * (z * v[0] - x * v[2]);
  const cz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * cx + y * cz - z * cy, v[1] + w * cy + z * cx - x * cz, v[2] + w * cz + x * cy - y * cx];
}
