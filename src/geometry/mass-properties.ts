// Volume, centre of mass and inertia of shapes at density 1, and of compounds of them.
//
// Closed forms for the simple shapes; hulls by summing the tetrahedra between a point inside and each face
// triangle (exact for polyhedra). Inertia is the full tensor about the centre of mass in the order
// xx yy zz xy xz yz, off-diagonal entries as they stand in the matrix (xy = −∫ x y dV). Multiply by density.

import { rotateVector } from '../math/quaternion';
import type { Hull } from './hull-build';

/** Mass properties at density 1. */
export interface MassProperties {
  /** [m³] */
  readonly volume: number;
  /** Centre of mass in the shape's frame [m]. */
  readonly center: readonly number[];
  /** About the centre of mass: xx yy zz xy xz yz [m⁵]. */
  readonly inertia: readonly number[];
}

/** What has no volume (planes, meshes). */
export const NO_MASS: MassProperties = { volume: 0, center: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0] };

const ORIGIN: readonly number[] = [0, 0, 0];

/** Box of half extents x, y, z [m]. */
export function measureBox(x: number, y: number, z: number): MassProperties {
  const volume = 8 * x * y * z;
  const third = volume / 3;
  return {
    volume,
    center: ORIGIN,
    inertia: [third * (y * y + z * z), third * (x * x + z * z), third * (x * x + y * y), 0, 0, 0],
  };
}

/** Ball of radius r [m]. */
export function measureSphere(r: number): MassProperties {
  const volume = (4 / 3) * Math.PI * r * r * r;
  const i = 0.4 * volume * r * r;
  return { volume, center: ORIGIN, inertia: [i, i, i, 0, 0, 0] };
}

/** Cylinder of radius r and half height h along y [m]. */
export function measureCylinder(r: number, h: number): MassProperties {
  const volume = 2 * Math.PI * r * r * h;
  const across = volume * ((r * r) / 4 + (h * h) / 3);
  return { volume, center: ORIGIN, inertia: [across, 0.5 * volume * r * r, across, 0, 0, 0] };
}

/** Capsule of radius r along y; h is half the distance between the centres of its caps [m]. */
export function measureCapsule(r: number, h: number): MassProperties {
  const shaft = measureCylinder(r, h);
  const caps = measureSphere(r).volume;
  // The centre of each half ball lies 3r/8 beyond its flat side.
  const across = shaft.inertia[0] + caps * (0.4 * r * r + h * h + 0.75 * h * r);
  const along = shaft.inertia[1] + caps * 0.4 * r * r;
  return { volume: shaft.volume + caps, center: ORIGIN, inertia: [across, along, across, 0, 0, 0] };
}

/** Cone of radius r along y, base at −h, apex at +h [m]; its centre of mass lies at −h/2. */
export function measureCone(r: number, h: number): MassProperties {
  const volume = (2 / 3) * Math.PI * r * r * h;
  const across = volume * 0.15 * (r * r + h * h);
  return { volume, center: [0, -0.5 * h, 0], inertia: [across, 0.3 * volume * r * r, across, 0, 0, 0] };
}

/** Convex polyhedron. */
export function measureHull(hull: Hull): MassProperties {
  // A point inside, so that all tetrahedra are positive and nothing cancels.
  const count = hull.vertices.length;
  const inside = [0, 1, 2].map((k) => hull.vertices.reduce((sum, v) => sum + v[k], 0) / count);
  let volume = 0;
  const first = [0, 0, 0];
  const second = [0, 0, 0, 0, 0, 0];
  for (const face of hull.faces) {
    for (let k = 1; k + 1 < face.length; k++) {
      const [a, b, c] = [face[0], face[k], face[k + 1]].map((v) => hull.vertices[v].map((x, i) => x - inside[i]));
      const six =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
      volume += six / 6;
      // ∫ x dV = V (a + b + c) / 4; ∫ x y dV = V / 20 · (Σ aₓ a_y + Σ aₓ ·
      // Σ a_y) over the corners 0 a b c.
      const sum = [0, 1, 2].map((i) => a[i] + b[i] + c[i]);
      for (let i = 0; i < 3; i++) first[i] += (six / 24) * sum[i];
      PRODUCTS.forEach(([i, j], m) => {
        second[m] += (six / 120) * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
      });
    }
  }
  const center = first.map((x) => x / volume);
  const [xx, yy, zz, xy, xz, yz] = second.map((m, k) => m - volume * center[PRODUCTS[k][0]] * center[PRODUCTS[k][1]]);
  return { volume, center: center.map((x, k) => x + inside[k]), inertia: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz] };
}

const PRODUCTS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** A part of a compound: its mass properties and the pose of its frame. */
export interface MassPart {
  readonly mass: MassProperties;
  /** [m] */
  readonly position: readonly number[];
  /** Unit quaternion x y z w. */
  readonly rotation: readonly number[];
}

/** Mass properties of several parts together (overlaps count twice), about the common centre of mass. */
export function composeMass(parts: readonly MassPart[]): MassProperties {
  const solid = parts.filter((part) => part.mass.volume > 0);
  if (solid.length === 0) return NO_MASS;
  const placed = solid.map((part) => {
    const center = new Float64Array(3);
    rotateVector(center, 0, part.rotation, 0, part.mass.center, 0);
    for (let k = 0; k < 3; k++) center[k] += part.position[k];
    return { volume: part.mass.volume, center, inertia: rotateInertia(part.mass.inertia, part.rotation) };
  });
  const volume = placed.reduce((sum, part) => sum + part.volume, 0);
  const center = [0, 1, 2].map((k) => placed.reduce((sum, part) => sum + part.volume * part.center[k], 0) / volume);
  // One part keeps its centre to the last bit: the collider then sits exactly on the body.
  if (placed.length === 1) for (let k = 0; k < 3; k++) center[k] = placed[0].center[k];
  const inertia = [0, 0, 0, 0, 0, 0];
  for (const part of placed) {
    const [x, y, z] = [0, 1, 2].map((k) => part.center[k] - center[k]);
    // Parallel axes (Steiner): V (d² 1 − d dᵀ).
    const shift = [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z];
    for (let k = 0; k < 6; k++) inertia[k] += part.inertia[k] + part.volume * shift[k];
  }
  return { volume, center, inertia };
}

/** R I Rᵀ for a tensor xx yy zz xy xz yz. */
function rotateInertia([xx, yy, zz, xy, xz, yz]: readonly number[], rotation: readonly number[]): number[] {
  const rows = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  // R I, column by column, then (R (R I)ᵀ)ᵀ.
  const half = [0, 1, 2].map((j) => rotated(rotation, [rows[0][j], rows[1][j], rows[2][j]]));
  const full = [0, 1, 2].map((i) => rotated(rotation, [half[0][i], half[1][i], half[2][i]]));
  return [full[0][0], full[1][1], full[2][2], full[0][1], full[0][2], full[1][2]];
}

function rotated(rotation: readonly number[], v: readonly number[]): Float64Array {
  const out = new Float64Array(3);
  rotateVector(out, 0, rotation, 0, v, 0);
  return out;
}
