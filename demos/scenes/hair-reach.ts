// How near and how far strands are from a ball's middle: what the checks of hair scenes ask.

import { vec3 } from 'gl-matrix';
import { pointAt, type Vec3 } from './demo-scene';

/** Least and greatest distance of points (x y z after x y z) from the middle [m]. */
export function reachOf(points: ArrayLike<number>, middle: Readonly<Vec3>): { least: number; most: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let k = 0; k < points.length; k += 3) {
    const distance = vec3.distance(pointAt(points, k), middle);
    least = Math.min(least, distance);
    most = Math.max(most, distance);
  }
  return { least, most };
}
