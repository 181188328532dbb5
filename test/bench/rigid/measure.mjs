// What a run is judged by, from poses alone: displacement, creep, kinetic energy, slopes, stopping distances.
// Poses are Float64Arrays, seven numbers a moving body in the order of the scene: x y z, qx qy qz qw.

import { conjugate, dot, lengthOf, multiply, rotate, subtract } from './vectors.mjs';

/** Value of which a share of the sorted list lies below; NaN of an empty list. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] : Number.NaN;
}

const positionAt = (poses, i) => [poses[7 * i], poses[7 * i + 1], poses[7 * i + 2]];
const rotationAt = (poses, i) => [poses[7 * i + 3], poses[7 * i + 4], poses[7 * i + 5], poses[7 * i + 6]];
const displacement = (from, to, i) => subtract(positionAt(to, i), positionAt(from, i));

/** Largest displacements of any body between two sets of poses: { move, horizontal, vertical } [m]. */
export function measureDrift(from, to) {
  let move = 0;
  let horizontal = 0;
  let vertical = 0;
  for (let i = 0; i < from.length / 7; i++) {
    const d = displacement(from, to, i);
    // Written so that a NaN is kept, not overlooked.
    if (!(lengthOf(d) <= move)) move = lengthOf(d);
    horizontal = Math.max(horizontal, lengthOf([d[0], 0, d[2]]));
    vertical = Math.max(vertical, Math.abs(d[1]));
  }
  return { move, horizontal, vertical };
}

/** Distance that the first body went along a direction [m]. */
export const distanceAlong = (from, to, direction) => dot(displacement(from, to, 0), direction);

/**
 * Stopping distances over the analytic one { slideMin, slideMax } and the largest deviation from a heading [degrees].
 */
export function measureSlide({ headings, distance }, from, to) {
  const shares = [];
  let slideDeviation = 0;
  headings.forEach((heading, i) => {
    const [x, , z] = displacement(from, to, i);
    shares.push(Math.sqrt(x * x + z * z) / distance);
    const angle = Math.atan2(x * heading[2] - z * heading[0], x * heading[0] + z * heading[2]);
    slideDeviation = Math.max(slideDeviation, (Math.abs(angle) * 180) / Math.PI);
  });
  return { slideMin: Math.min(...shares), slideMax: Math.max(...shares), slideDeviation };
}

/** Widest gap of the joints [m]: two places each, on a moving body or, index -1, in the world. */
export function measureGap(joints, poses) {
  let widest = 0;
  const placeOf = ({ index, anchor }) =>
    index < 0 ? anchor : rotate(rotationAt(poses, index), anchor).map((x, k) => x + positionAt(poses, index)[k]);
  for (const [a, b] of joints) {
    const gap = lengthOf(subtract(placeOf(a), placeOf(b)));
    if (!(gap <= widest)) widest = gap;
  }
  return widest;
}

/** Bodies outside the pile's walls, and the top of the pile [m]. */
export function measurePile({ width }, poses) {
  let escaped = 0;
  let top = 0;
  for (let i = 0; i < poses.length / 7; i++) {
    const [x, y, z] = positionAt(poses, i);
    const inside = Math.abs(x) < width / 2 + 0.05 && Math.abs(z) < width / 2 + 0.05 && y > -0.05;
    if (!inside) escaped++;
    top = Math.max(top, y);
  }
  return { escaped, top };
}

/** Half extents of a box that turns about as the shape does: close enough for an energy figure. */
function equivalentBox(shape) {
  if (shape.box) return shape.box;
  if (shape.capsule) {
    const [radius, half] = shape.capsule;
    return [radius * 0.88, half + radius * 0.8, radius * 0.88];
  }
  return [0, 1, 2].map((axis) => Math.max(...shape.hull.map((point) => Math.abs(point[axis]))));
}

function inertiaOf(shape, mass) {
  if (shape.sphere) return [1, 1, 1].map((x) => x * 0.4 * mass * shape.sphere * shape.sphere);
  const [x, y, z] = equivalentBox(shape);
  return [(mass * (y ** 2 + z ** 2)) / 3, (mass * (x ** 2 + z ** 2)) / 3, (mass * (x ** 2 + y ** 2)) / 3];
}

/** Kinetic energy per mass [J/kg] from the difference of two consecutive poses, `timeStep` [s] apart. */
export function measureEnergy(bodies, before, after, timeStep) {
  let energy = 0;
  let total = 0;
  bodies.forEach(({ shape, mass }, i) => {
    const v = displacement(before, after, i).map((x) => x / timeStep);
    const now = rotationAt(after, i);
    const turn = multiply(now, conjugate(rotationAt(before, i)));
    const twice = (turn[3] < 0 ? -2 : 2) / timeStep;
    const spin = rotate(conjugate(now), [twice * turn[0], twice * turn[1], twice * turn[2]]);
    const [ix, iy, iz] = inertiaOf(shape, mass);
    energy += 0.5 * mass * dot(v, v) + 0.5 * (ix * spin[0] ** 2 + iy * spin[1] ** 2 + iz * spin[2] ** 2);
    total += mass;
  });
  return energy / total;
}

/** FNV-1a over the raw bits, 8 hex digits: equal for runs that repeat exactly. */
export function hashPoses(poses) {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(poses.buffer, poses.byteOffset, poses.byteLength)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
