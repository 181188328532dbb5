// Scripted motion: the pose of a kinematic body as a pure function of time.
//
// In: a motion of the scene file and the body's own pose. Out: a track, and poses at any time [s].
// Between keys positions move straight and rotations turn at constant rate about a fixed axis the short way
// (slerp: Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985). At a key's time the pose is the
// key's, bit for bit. Accuracy between keys about 1e-15, the same bits in every engine.

import { arctangent, sine } from '../math/trigonometry';
import type { Quadruple, SceneMotion, Triple } from './scene-types';

/** Keys in flat arrays: times [s], and 7 numbers a key: position [m], rotation x y z w. */
export interface Track {
  readonly times: Float64Array;
  readonly poses: Float64Array;
  readonly loop: boolean;
}

/** Times closer than this to a key count as the key's [s]: a sum of steps never hits it exactly. */
const TIME_TOLERANCE = 1e-9;

/** The track of `motion`; what the first keys leave out comes from the body's own pose. */
export function createTrack(motion: SceneMotion, position: Triple, rotation: Quadruple): Track {
  const count = motion.keys.length;
  const times = new Float64Array(count);
  const poses = new Float64Array(7 * count);
  let place = position;
  let turn = rotation;
  motion.keys.forEach((key, k) => {
    place = key.position ?? place;
    turn = key.rotation ?? turn;
    times[k] = key.time;
    poses.set(place, 7 * k);
    poses.set(turn, 7 * k + 3);
  });
  return { times, poses, loop: motion.loop };
}

/** out[o .. o + 7) = position [m] and rotation of `track` at `time` [s]. */
export function poseAt(out: Float64Array, o: number, track: Track, time: number): void {
  const { times, poses } = track;
  const last = times.length - 1;
  let t = time;
  const period = times[last] - times[0];
  if (track.loop && period > 0 && t > times[last] + TIME_TOLERANCE) {
    const since = t - times[0];
    t = times[0] + (since - period * Math.floor(since / period));
  }
  // The last key at or before t.
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t + TIME_TOLERANCE) low = middle;
    else high = middle - 1;
  }
  const s = low === last || t <= times[low] + TIME_TOLERANCE ? 0 : (t - times[low]) / (times[low + 1] - times[low]);
  const a = 7 * low;
  if (s === 0) {
    for (let k = 0; k < 7; k++) out[o + k] = poses[a + k];
    return;
  }
  for (let k = 0; k < 3; k++) out[o + k] = poses[a + k] + s * (poses[a + 7 + k] - poses[a + k]);
  slerp(out, o + 3, poses, a + 3, poses, a + 10, s);
}

/** out = the rotation a share s of the short way from unit quaternion a to b. */
export function slerp(
  out: Float64Array,
  o: number,
  a: Float64Array,
  ao: number,
  b: Float64Array,
  bo: number,
  s: number,
): void {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += a[ao + k] * b[bo + k];
  const sign = dot < 0 ? -1 : 1;
  // Twice the angle between the sum and the difference: exact to the last digits for small and large angles alike.
  let apart = 0;
  let along = 0;
  for (let k = 0; k < 4; k++) {
    const difference = sign * b[bo + k] - a[ao + k];
    const sum = sign * b[bo + k] + a[ao + k];
    apart += difference * difference;
    along += sum * sum;
  }
  const angle = 2 * arctangent(Math.sqrt(apart), Math.sqrt(along));
  const whole = sine(angle);
  // Below this the straight line differs from the arc by less than rounding.
  const straight = angle < 1e-8;
  const wa = straight ? 1 - s : sine((1 - s) * angle) / whole;
  const wb = sign * (straight ? s : sine(s * angle) / whole);
  let square = 0;
  for (let k = 0; k < 4; k++) {
    out[o + k] = wa * a[ao + k] + wb * b[bo + k];
    square += out[o + k] * out[o + k];
  }
  const length = Math.sqrt(square);
  for (let k = 0; k < 4; k++) out[o + k] /= length;
}
