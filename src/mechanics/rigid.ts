// Free rigid-body rotation in f64: the TypeScript twin of
// kernels/assembly/motion/free-spin.ts, for tests and references.
//
// In: rotation (unit quaternion x y z w, body axes → world), spin ω (world) [rad/s], inertia and its inverse
// (xx yy zz xy xz yz, body axes) [kg·m²]. The body turns by exp(dt·m); in body axes its angular momentum becomes
// L' = exp(−dt·m) L, and the mean spin is m = I⁻¹ (L + L')/2. Keeps L, and the energy, whose change is
// m·(L' − L) = 0. (Lie-group
// midpoint rule; Hairer, Lubich and Wanner, Geometric Numerical Integration, IV.8 and VII.5.)
// The kernel cuts steps of more than 0.45 rad into parts; the twin takes each as a whole.

import { multiplyQuaternion, normalizeQuaternion, rotateVector, unrotateVector } from '../math/quaternion';
import { cosine, sine } from '../math/trigonometry';

type Numbers = ArrayLike<number>;

/** Newton steps after which the mean spin is taken as it is; needed only for turns of more than about 1 rad a step. */
const MOST_NEWTON_STEPS = 50;

const spinBody = new Float64Array(3);
const momentum = new Float64Array(3);
const mean = new Float64Array(3);
const defect = new Float64Array(3);
const jacobian = new Float64Array(9);
const turned = new Float64Array(4);
const axis = new Float64Array(3);
const columns = new Float64Array(9);

/** out = T v for a symmetric tensor T (xx yy zz xy xz yz). */
export function multiplyTensor(out: Float64Array, o: number, t: Numbers, at: number, v: Numbers, vo: number): void {
  const [x, y, z] = [v[vo], v[vo + 1], v[vo + 2]];
  out[o] = t[at] * x + t[at + 3] * y + t[at + 4] * z;
  out[o + 1] = t[at + 3] * x + t[at + 1] * y + t[at + 5] * z;
  out[o + 2] = t[at + 4] * x + t[at + 5] * y + t[at + 2] * z;
}

/** The tensor t (six numbers as above) of a body's own axes in those of the world, by the rotation q. */
export function turnTensor(out: Float64Array, o: number, t: Numbers, at: number, q: Numbers, qo: number): void {
  for (let k = 0; k < 3; k++) {
    axis.fill(0);
    axis[k] = 1;
    unrotateVector(axis, 0, q, qo, axis, 0);
    multiplyTensor(axis, 0, t, at, axis, 0);
    rotateVector(columns, 3 * k, q, qo, axis, 0);
  }
  for (let k = 0; k < 3; k++) out[o + k] = columns[4 * k];
  out[o + 3] = columns[1];
  out[o + 4] = columns[2];
  out[o + 5] = columns[5];
}

/** Angular momentum about the centre of mass, world axes [kg·m²/s]. */
export function angularMomentum(out: Float64Array, rotation: Numbers, spin: Numbers, inertia: Numbers): void {
  unrotateVector(spinBody, 0, rotation, 0, spin, 0);
  multiplyTensor(momentum, 0, inertia, 0, spinBody, 0);
  rotateVector(out, 0, rotation, 0, momentum, 0);
}

/** Kinetic energy of rotation [J], of the rotation at `qo` and the tensor at `to`. */
export function rotationalEnergy(rotation: Numbers, spin: Numbers, inertia: Numbers, qo = 0, to = 0): number {
  unrotateVector(spinBody, 0, rotation, qo, spin, 0);
  multiplyTensor(momentum, 0, inertia, to, spinBody, 0);
  return 0.5 * (spinBody[0] * momentum[0] + spinBody[1] * momentum[1] + spinBody[2] * momentum[2]);
}

/** Quaternion of the rotation vector v [rad]. */
function exponential(out: Float64Array, o: number, v: Numbers, vo: number): void {
  const angle = Math.sqrt(v[vo] * v[vo] + v[vo + 1] * v[vo + 1] + v[vo + 2] * v[vo + 2]);
  const s = angle < 1e-8 ? 0.5 : sine(0.5 * angle) / angle;
  for (let k = 0; k < 3; k++) out[o + k] = s * v[vo + k];
  out[o + 3] = cosine(0.5 * angle);
}

/** One torque-free step of `dt` [s]; rotation and spin are replaced. */
export function turnFreely(
  rotation: Float64Array,
  spin: Float64Array,
  inertia: Numbers,
  inverseInertia: Numbers,
  dt: number,
): void {
  unrotateVector(spinBody, 0, rotation, 0, spin, 0);
  multiplyTensor(momentum, 0, inertia, 0, spinBody, 0);
  mean.set(spinBody);
  for (let k = 0; k < MOST_NEWTON_STEPS; k++) {
    if (!improveMeanSpin(inertia, dt)) break;
  }
  // exp(−dt·m) L, spin from it, both in the axes after the turn; then the turn itself.
  for (let k = 0; k < 3; k++) defect[k] = dt * mean[k];
  exponential(turned, 0, defect, 0);
  unrotateVector(defect, 0, turned, 0, momentum, 0);
  multiplyTensor(spinBody, 0, inverseInertia, 0, defect, 0);
  multiplyQuaternion(rotation, 0, rotation, 0, turned, 0);
  normalizeQuaternion(rotation, 0, rotation, 0);
  rotateVector(spin, 0, rotation, 0, spinBody, 0);
}

/** One Newton step on 2 I m − L − exp(−dt·m) L; false once it changes nothing. */
function improveMeanSpin(inertia: Numbers, dt: number): boolean {
  multiplyTensor(spinBody, 0, inertia, 0, mean, 0);
  const [px, py, pz] = spinBody;
  for (let k = 0; k < 3; k++) defect[k] = dt * mean[k];
  exponential(turned, 0, defect, 0);
  unrotateVector(defect, 0, turned, 0, momentum, 0);
  for (let k = 0; k < 3; k++) defect[k] = 2 * spinBody[k] - momentum[k] - defect[k];
  // 2I − dt[I m]×: the derivative, but for terms in dt².
  const [xx, yy, zz, xy, xz, yz] = Array.from(inertia);
  jacobian.set([2 * xx, 2 * xy + dt * pz, 2 * xz - dt * py]);
  jacobian.set([2 * xy - dt * pz, 2 * yy, 2 * yz + dt * px], 3);
  jacobian.set([2 * xz + dt * py, 2 * yz - dt * px, 2 * zz], 6);
  const [j0, j1, j2, j3, j4, j5, j6, j7, j8] = jacobian;
  const determinant = j0 * (j4 * j8 - j5 * j7) - j1 * (j3 * j8 - j5 * j6) + j2 * (j3 * j7 - j4 * j6);
  const [f, g, h] = defect;
  const change = [
    (f * (j4 * j8 - j5 * j7) - j1 * (g * j8 - j5 * h) + j2 * (g * j7 - j4 * h)) / determinant,
    (j0 * (g * j8 - j5 * h) - f * (j3 * j8 - j5 * j6) + j2 * (j3 * h - g * j6)) / determinant,
    (j0 * (j4 * h - g * j7) - j1 * (j3 * h - g * j6) + f * (j3 * j7 - j4 * j6)) / determinant,
  ];
  let largest = 0;
  let size = 0;
  for (let k = 0; k < 3; k++) {
    mean[k] -= change[k];
    largest = Math.max(largest, Math.abs(change[k]));
    size = Math.max(size, Math.abs(mean[k]));
  }
  return largest > 1e-15 * size;
}

const column = new Float64Array(3);
const block = new Float64Array(9);

/**
 * out = inverse of the free block of a body's inertia in world axes (xx yy zz xy xz yz), 0 where an axis is locked:
 * bits 1 x, 2 y, 4 z. Twin of kernels/assembly/motion/locks.ts.
 */
export function lockedInverse(
  out: Float64Array,
  rotation: Float64Array,
  rotationAt: number,
  inertia: Float64Array,
  at: number,
  locks: number,
): void {
  for (let k = 0; k < 3; k++) {
    // R I Rᵀ e for the axis e; a locked axis turns alone, with an inertia of 1.
    column.fill(0);
    column[k] = 1;
    unrotateVector(column, 0, rotation, rotationAt, column, 0);
    multiplyTensor(column, 0, inertia, at, column, 0);
    rotateVector(column, 0, rotation, rotationAt, column, 0);
    for (let i = 0; i < 3; i++) block[3 * k + i] = (locks >> k) & 1 || (locks >> i) & 1 ? (i === k ? 1 : 0) : column[i];
  }
  const [xx, xy, xz, , yy, yz, , , zz] = block;
  const [cx, cy, cz] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - yy * xz];
  const scale = 1 / (xx * cx + xy * cy + xz * cz);
  const free = (i: number, k: number, value: number) => ((locks >> i) & 1 || (locks >> k) & 1 ? 0 : value * scale);
  out.set([free(0, 0, cx), free(1, 1, xx * zz - xz * xz), free(2, 2, xx * yy - xy * xy)]);
  out.set([free(0, 1, cy), free(0, 2, cz), free(1, 2, xy * xz - xx * yz)], 3);
}
