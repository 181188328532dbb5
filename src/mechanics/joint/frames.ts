// Where the two frames of a joint are, and where its six axes stand.
//
// Axes 0..2 are x y z of the frame at end A: how far the place of B lies along them [m]. Axes 3..5 are how B is turned
// against A, by kind of joint [rad]:
//   fixed        the rotation vector, exact for any angle
//   universal    about x of A, about y of B, and how far these two are from square
//   all others twist about x, then the swing that takes x of A to x of B, as a rotation
//   vector (its parts along y and z of A);
//                of a ball joint axis 4 is the whole swing angle (its cone)
// A distance joint has its distance in axis 0 and nothing else.
// Gears and racks have axes of their own in either body, x of each frame, and turn about what stays where it is in the
// world: in axes 4 and 5 how far A and B have turned [rad], of a rack's B how far it lies along its axis [m]; in
// axis 3, of a rack 0, that of B less the ratio times that of A.

import { multiplyQuaternion, rotateVector } from '../../math/quaternion';
import { arctangent } from '../../math/trigonometry';
import { JOINT_BALL, JOINT_DISTANCE, JOINT_FIXED, JOINT_GEAR, JOINT_RACK, JOINT_UNIVERSAL } from '../../state/layout';

/** Places (3) and rotations (4) of both frames in the world, and the unit axes of both (9 each). */
export interface JointPose {
  readonly placeA: Float64Array;
  readonly placeB: Float64Array;
  readonly turnA: Float64Array;
  readonly turnB: Float64Array;
  readonly axesA: Float64Array;
  readonly axesB: Float64Array;
  /** Of gears [-] and racks [m/rad]. */
  ratio: number;
}

export function createJointPose(): JointPose {
  return {
    placeA: new Float64Array(3),
    placeB: new Float64Array(3),
    turnA: new Float64Array(4),
    turnB: new Float64Array(4),
    axesA: new Float64Array(9),
    axesB: new Float64Array(9),
    ratio: 0,
  };
}

/** Below this a vector has no direction [-]. */
const TINY = 1e-12;

const relative = new Float64Array(4);

/** World place of a frame (place 3 + 1, rotation 4 at `frameAt`) on a body's pose. */
export function placeOrigin(
  place: Float64Array,
  frame: Float64Array,
  frameAt: number,
  position: Float64Array,
  rotation: Float64Array,
  bodyAt: number,
): void {
  rotateVector(place, 0, rotation, bodyAt, frame, frameAt);
  place[0] += position[bodyAt];
  place[1] += position[bodyAt + 1];
  place[2] += position[bodyAt + 2];
}

/** The same, and its rotation in the world. */
export function placeFrame(
  place: Float64Array,
  turn: Float64Array,
  frame: Float64Array,
  frameAt: number,
  position: Float64Array,
  rotation: Float64Array,
  bodyAt: number,
): void {
  placeOrigin(place, frame, frameAt, position, rotation, bodyAt);
  multiplyQuaternion(turn, 0, rotation, bodyAt, frame, frameAt + 4);
}

/** The rows of a rotation's transpose: the unit axes of the frame in the world. */
export function writeAxes(axes: Float64Array, turn: Float64Array): void {
  const x = turn[0];
  const y = turn[1];
  const z = turn[2];
  const w = turn[3];
  axes[0] = 1 - 2 * (y * y + z * z);
  axes[1] = 2 * (x * y + w * z);
  axes[2] = 2 * (x * z - w * y);
  axes[3] = 2 * (x * y - w * z);
  axes[4] = 1 - 2 * (x * x + z * z);
  axes[5] = 2 * (y * z + w * x);
  axes[6] = 2 * (x * z + w * y);
  axes[7] = 2 * (y * z - w * x);
  axes[8] = 1 - 2 * (x * x + y * y);
}

/** Where the axes stand: six numbers into `out` at `at`. */
export function measureAxes(out: Float64Array, at: number, kind: number, pose: JointPose): void {
  const { placeA, placeB, turnA, turnB, axesA, axesB } = pose;
  const dx = placeB[0] - placeA[0];
  const dy = placeB[1] - placeA[1];
  const dz = placeB[2] - placeA[2];

  if (kind === JOINT_DISTANCE) {
    out.fill(0, at, at + 6);
    out[at] = Math.sqrt(dx * dx + dy * dy + dz * dz);
    return;
  }

  if (kind === JOINT_GEAR || kind === JOINT_RACK) {
    out.fill(0, at, at + 6);
    out[at + 4] = turnInWorld(axesA);
    out[at + 5] = kind === JOINT_GEAR ? turnInWorld(axesB) : dx * axesB[0] + dy * axesB[1] + dz * axesB[2];
    return;
  }
  measurePlaces(out, at, pose);

  // Rotation of B seen from A, the shorter way round.
  conjugateProduct(relative, turnA, turnB);
  const sign = relative[3] < 0 ? -1 : 1;
  const x = sign * relative[0];
  const y = sign * relative[1];
  const z = sign * relative[2];
  const w = sign * relative[3];

  if (kind === JOINT_FIXED) {
    const length = Math.sqrt(x * x + y * y + z * z);
    const scale = length > TINY ? (2 * arctangent(length, w)) / length : 2;
    out[at + 3] = scale * x;
    out[at + 4] = scale * y;
    out[at + 5] = scale * z;
    return;
  }

  if (kind === JOINT_UNIVERSAL) {
    const [c0, c1, c2] = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
    out[at + 3] = arctangent(c2, c1);
    out[at + 4] = arctangent(2 * (x * z + w * y), 1 - 2 * (y * y + z * z));
    out[at + 5] = arctangent(c0, Math.sqrt(c1 * c1 + c2 * c2));
    return;
  }

  const twist = Math.sqrt(x * x + w * w);
  out[at + 3] = twistOf(x, w);
  const sy = twist > TINY ? (w * y - x * z) / twist : y;
  const sz = twist > TINY ? (w * z + x * y) / twist : z;
  const swing = Math.sqrt(sy * sy + sz * sz);
  const angle = 2 * arctangent(swing, twist);

  if (kind === JOINT_BALL) {
    out[at + 4] = angle;
    out[at + 5] = 0;
    return;
  }
  const scale = swing > TINY ? angle / swing : 2;
  out[at + 4] = scale * sy;
  out[at + 5] = scale * sz;
}

function twistOf(x: number, w: number): number {
  return Math.sqrt(x * x + w * w) > TINY ? 2 * arctangent(x, w) : 0;
}

/** Axis 3 alone, of joints that have a twist, for the rotations of both frames [rad]. */
export function measureTwist(turnA: Float64Array, turnB: Float64Array): number {
  conjugateProduct(relative, turnA, turnB);
  const sign = relative[3] < 0 ? -1 : 1;
  return twistOf(sign * relative[0], sign * relative[3]);
}

/** Axes 0..2 alone, of all but distances, gears and racks: three numbers. Of B only the place is asked. */
export function measurePlaces(out: Float64Array, at: number, { placeA, placeB, axesA }: JointPose): void {
  const dx = placeB[0] - placeA[0];
  const dy = placeB[1] - placeA[1];
  const dz = placeB[2] - placeA[2];
  out[at] = dx * axesA[0] + dy * axesA[1] + dz * axesA[2];
  out[at + 1] = dx * axesA[3] + dy * axesA[4] + dz * axesA[5];
  out[at + 2] = dx * axesA[6] + dy * axesA[7] + dz * axesA[8];
}

/** A direction to which no axis that is likely is square. */
const ODD = [0.36, 0.48, 0.8];

/**
 * Angle of a frame's y about its x against a direction that follows from x alone: it changes as the frame turns about
 * x, and hardly as x is tilted. The half-way rotation from the world's x (or its opposite) to x gives it.
 */
function turnInWorld(axes: Float64Array): number {
  const side = axes[0] * ODD[0] + axes[1] * ODD[1] + axes[2] * ODD[2] < 0 ? -1 : 1;
  const [x, y, z] = [side * axes[0], side * axes[1], side * axes[2]];
  // y of the world turned the short way along with x: (−y, 1 − y²/(1 + x), −y z/(1 + x)).
  const scale = 1 / (1 + x);
  const [rx, ry, rz] = [-y, 1 - y * y * scale, -y * z * scale];
  const along = axes[3] * rx + axes[4] * ry + axes[5] * rz;
  const across = -(axes[6] * rx + axes[7] * ry + axes[8] * rz);
  return arctangent(across, along);
}

/** out := conjugate of a, times b. */
function conjugateProduct(out: Float64Array, a: Float64Array, b: Float64Array): void {
  const x = -a[0];
  const y = -a[1];
  const z = -a[2];
  const w = a[3];
  out[0] = w * b[0] + x * b[3] + y * b[2] - z * b[1];
  out[1] = w * b[1] - x * b[2] + y * b[3] + z * b[0];
  out[2] = w * b[2] + x * b[1] - y * b[0] + z * b[3];
  out[3] = w * b[3] - x * b[0] - y * b[1] - z * b[2];
}

/**
 * World direction of axis 3..5: the spin of B against A along it changes the axis at that rate.
 * Three numbers into `out` at `at`.
 */
export function turningDirection(out: Float64Array, at: number, kind: number, axis: number, pose: JointPose): void {
  const { axesA: a, axesB: b } = pose;
  const k = axis - 3;
  if (kind === JOINT_UNIVERSAL) {
    // x of A, y of B, and y of B × x of A.
    if (k === 2) cross(out, at, b, 3, a, 0);
    else copy(out, at, k === 0 ? a : b, k === 0 ? 0 : 3);
    if (k === 2) normalize(out, at, a, 6);
    return;
  }
  if (kind === JOINT_FIXED || k > 0) {
    copy(out, at, a, 3 * k);
    if (kind !== JOINT_BALL || k !== 1) return;
    // The swing turns x of A to x of B.
    cross(out, at, a, 0, b, 0);
    normalize(out, at, a, 3);
    return;
  }
  // Twist: (a + b)/(1 + a·b).
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const scale = 1 / Math.max(1 + dot, 0.05);
  for (let i = 0; i < 3; i++) out[at + i] = scale * (a[i] + b[i]);
}

function copy(out: Float64Array, at: number, from: Float64Array, fromAt: number): void {
  for (let i = 0; i < 3; i++) out[at + i] = from[fromAt + i];
}

type Numbers = ArrayLike<number>;

function cross(out: Float64Array, at: number, a: Numbers, i: number, b: Numbers, j: number): void {
  const [ax, ay, az] = [a[i], a[i + 1], a[i + 2]];
  const [bx, by, bz] = [b[j], b[j + 1], b[j + 2]];
  out[at] = ay * bz - az * by;
  out[at + 1] = az * bx - ax * bz;
  out[at + 2] = ax * by - ay * bx;
}

/** Makes a unit vector; the one at `otherwise` where it has no length. */
function normalize(v: Float64Array, at: number, fallback: Float64Array, otherwise: number): void {
  const length = Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
  if (length < 1e-9) copy(v, at, fallback, otherwise);
  else for (let i = 0; i < 3; i++) v[at + i] /= length;
}
