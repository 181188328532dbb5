// The two frames of a pair of polytopes (boxes, hulls), feature ids, and the marks kept in PAIR_CACHE.
//
// Everything is computed relative to collider A or B, never in world coordinates, so that far from the origin
// nothing but the last addition loses digits. Filled once a pair by `loadFrames`; read by address.

import { COLLIDER_POSITION, COLLIDER_ROTATION } from '../../../state/layout';
import { column, copy24 } from '../memory';
import { addCandidate } from '../narrow/manifold';

/** Axes of A and B in the world, 3 × (x y z). */
export const AXES_A: usize = memory.data(72, 16);
export const AXES_B: usize = memory.data(72, 16);
/** Origins of A and B in the world [m]. */
export const ORIGIN_A: usize = memory.data(24, 16);
export const ORIGIN_B: usize = memory.data(24, 16);
/** R(i, j) = axis i of A · axis j of B, and its transpose, row by row. */
export const TURN_AB: usize = memory.data(72, 16);
export const TURN_BA: usize = memory.data(72, 16);
/** Origin of B seen from A, and of A seen from B [m]. */
export const SHIFT_AB: usize = memory.data(24, 16);
export const SHIFT_BA: usize = memory.data(24, 16);

/** Which kind of features meet in a point; the same point has the same id whichever body is the reference. */
export const VERTEX_OF_A: i32 = 1 << 28;
export const VERTEX_OF_B: i32 = 2 << 28;
const EDGE_ON_EDGE: i32 = 3 << 28;

/** Feature id of the crossing of an edge of A and an edge of B (numbers below 16384). */
export function edgeFeature(edgeA: i32, edgeB: i32): i32 {
  return EDGE_ON_EDGE | (edgeA << 14) | edgeB;
}

/** Fills all of the above for colliders a and b. */
export function loadFrames(a: i32, b: i32): void {
  const positions = column(COLLIDER_POSITION);
  const rotations = column(COLLIDER_ROTATION);
  loadAxes(AXES_A, rotations + ((<usize>a) << 5));
  loadAxes(AXES_B, rotations + ((<usize>b) << 5));
  const pa = positions + ((<usize>a) << 5);
  const pb = positions + ((<usize>b) << 5);
  copy24(ORIGIN_A, pa);
  copy24(ORIGIN_B, pb);
  const x = load<f64>(pb) - load<f64>(pa);
  const y = load<f64>(pb, 8) - load<f64>(pa, 8);
  const z = load<f64>(pb, 16) - load<f64>(pa, 16);
  for (let i: usize = 0; i < 3; i++) {
    const u = AXES_A + i * 24;
    const ux = load<f64>(u);
    const uy = load<f64>(u, 8);
    const uz = load<f64>(u, 16);
    store<f64>(SHIFT_AB + (i << 3), ux * x + uy * y + uz * z);
    const v = AXES_B + i * 24;
    store<f64>(SHIFT_BA + (i << 3), -(load<f64>(v) * x + load<f64>(v, 8) * y + load<f64>(v, 16) * z));
    for (let j: usize = 0; j < 3; j++) {
      const w = AXES_B + j * 24;
      const cosine = ux * load<f64>(w) + uy * load<f64>(w, 8) + uz * load<f64>(w, 16);
      store<f64>(TURN_AB + ((i * 3 + j) << 3), cosine);
      store<f64>(TURN_BA + ((j * 3 + i) << 3), cosine);
    }
  }
}

/** Axes of the frame turned by the unit quaternion at q. */
function loadAxes(axes: usize, q: usize): void {
  const x = load<f64>(q);
  const y = load<f64>(q, 8);
  const z = load<f64>(q, 16);
  const w = load<f64>(q, 24);
  store<f64>(axes, 1 - 2 * (y * y + z * z));
  store<f64>(axes, 2 * (x * y + w * z), 8);
  store<f64>(axes, 2 * (x * z - w * y), 16);
  store<f64>(axes, 2 * (x * y - w * z), 24);
  store<f64>(axes, 1 - 2 * (x * x + z * z), 32);
  store<f64>(axes, 2 * (y * z + w * x), 40);
  store<f64>(axes, 2 * (x * z + w * y), 48);
  store<f64>(axes, 2 * (y * z - w * x), 56);
  store<f64>(axes, 1 - 2 * (x * x + y * y), 64);
}

/** Component k of a local direction (or offset) turned into the world. */
export function worldComponent(axes: usize, k: usize, x: f64, y: f64, z: f64): f64 {
  const at = axes + (k << 3);
  return load<f64>(at) * x + load<f64>(at, 24) * y + load<f64>(at, 48) * z;
}

/** Adds the candidate at a local point of the frame with the given axes and origin. */
export function addLocalCandidate(axes: usize, origin: usize, x: f64, y: f64, z: f64, gap: f64, feature: i32): void {
  addCandidate(
    load<f64>(origin) + worldComponent(axes, 0, x, y, z),
    load<f64>(origin, 8) + worldComponent(axes, 1, x, y, z),
    load<f64>(origin, 16) + worldComponent(axes, 2, x, y, z),
    gap,
    feature,
  );
}
