// The shop-window dummy that hair scenes stand on: head, neck and shoulders in smooth forms.

import { vec3 } from 'gl-matrix';
import { type BodyFile, type KeyFile, turn, type Vec3 } from './demo-scene';

/** Radius of the head [m]. */
export const HEAD = 0.095;
/** Its middle [m]. */
export const CENTRE: Vec3 = [0, 0.4, 0];

/** Middle of the torso's rings from the head's [m]. */
const TORSO: Vec3 = [0, -0.16, -0.01];
/** Level ellipses of shoulders and chest, cut off below. */
const RINGS: readonly (readonly [height: number, wide: number, deep: number])[] = [
  [0.012, 0.05, 0.042],
  [-0.012, 0.1, 0.056],
  [-0.03, 0.135, 0.064],
  [-0.05, 0.152, 0.07],
  [-0.075, 0.155, 0.074],
  [-0.115, 0.138, 0.074],
  [-0.145, 0.112, 0.066],
];

/** The bodies: the head is driven, the rest stands still. Materials linen and brass. */
export function bust(): BodyFile[] {
  const [x, y, z] = CENTRE;
  return [
    { name: 'head', type: 'kinematic', material: 'linen', position: CENTRE, shape: { sphere: HEAD } },
    {
      name: 'neck',
      type: 'static',
      material: 'linen',
      position: [x, y - 0.115, z - 0.008],
      shape: { capsule: [0.043, 0.045] },
    },
    {
      name: 'bust',
      type: 'static',
      material: 'linen',
      position: [x + TORSO[0], y + TORSO[1], z + TORSO[2]],
      shape: { hull: torso() },
    },
    {
      name: 'foot',
      type: 'static',
      material: 'brass',
      position: [x, 0.006, z - 0.01],
      shape: { cylinder: [0.1, 0.006] },
    },
    {
      name: 'pole',
      type: 'static',
      material: 'brass',
      position: [x, 0.05, z - 0.01],
      shape: { cylinder: [0.012, 0.05] },
    },
  ];
}

function torso(): Vec3[] {
  const points: Vec3[] = [];
  for (const [height, wide, deep] of RINGS)
    for (let i = 0; i < 28; i++) {
      const angle = (2 * Math.PI * i) / 28;
      points.push([wide * Math.cos(angle), height, deep * Math.sin(angle)]);
    }
  return points;
}

/** A point (from the head's middle) moved out of head and torso, at least `margin` from either [m]. */
export function outsideBust(point: Vec3, margin: number): Vec3 {
  let [x, y, z] = point;
  const distance = vec3.length(point);
  if (distance < HEAD + margin) {
    const lift = (HEAD + margin) / Math.max(distance, 1e-6);
    [x, y, z] = [lift * x, lift * y, lift * z];
  }
  const height = y - TORSO[1];
  const below = RINGS.findIndex(([h]) => height > h);
  if (below === 0) return [x, y, z];
  // Between the rings above and below; under the last the torso ends, but hair comes from above.
  const [, wide, deep] = RINGS[below < 0 ? RINGS.length - 1 : below];
  const across = Math.hypot(x / (wide + 2 * margin), (z - TORSO[2]) / (deep + 2 * margin));
  if (across >= 1) return [x, y, z];
  const push = 1 / Math.max(across, 1e-3);
  return [x * push, y, TORSO[2] + (z - TORSO[2]) * push];
}

/** How deep a point (from the head's middle) is inside head or torso [m]; ≤ 0 outside, at least as deep within. */
export function depthInBust(point: Vec3): number {
  const [x, y, z] = point;
  const inHead = HEAD - vec3.length(point);
  const height = y - TORSO[1];
  const below = RINGS.findIndex(([h]) => height > h);
  if (below <= 0) return inHead;
  // Between two rings, as the hull has it at least.
  const [upper, lower] = [RINGS[below - 1], RINGS[below]];
  const share = (upper[0] - height) / (upper[0] - lower[0]);
  const [wide, deep] = [1, 2].map((k) => upper[k] + share * (lower[k] - upper[k]));
  return Math.max(inHead, deep * (1 - Math.hypot(x / wide, (z - TORSO[2]) / deep)));
}

/** Swings of the head: axis, reach [rad], number, time [s]. */
export type Swing = readonly [axis: Vec3, reach: number, swings: number, seconds: number];

/** The head's way: still for `still` seconds, then one swing after the other, swelling and dying away. */
export function swingHead(still: number, moves: readonly Swing[], pause: number): KeyFile[] {
  const keys: KeyFile[] = [{ time: 0, position: CENTRE, rotation: [0, 0, 0, 1] }];
  const rate = 30; // keys a second
  let start = still;
  for (const [axis, reach, swings, seconds] of moves) {
    for (let k = 1; k <= seconds * rate; k++) {
      const t = k / (seconds * rate);
      const angle = reach * Math.sin(Math.PI * t) * Math.sin(2 * Math.PI * swings * t);
      keys.push({ time: start + k / rate, position: CENTRE, rotation: turn(axis, angle) });
    }
    start += seconds + pause;
    keys.push({ time: start, position: CENTRE, rotation: [0, 0, 0, 1] });
  }
  return keys;
}
