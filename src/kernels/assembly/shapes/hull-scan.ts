// What lies farthest on the hull of a record: all corners or planes asked, two at a time, of equal ones the first.

import { HULL_FACE_COUNT, HULL_PLANES, HULL_VERTEX_COUNT, HULL_VERTICES } from '../../../state/layout';
import { dot3 } from '../math/vector';

/** Vertex of the hull at record `hull` farthest along the local direction. */
export function farthestCorner(hull: usize, dx: f64, dy: f64, dz: f64): usize {
  let vertex = hull + <usize>load<i32>(hull, HULL_VERTICES);
  const end = vertex + <usize>load<i32>(hull, HULL_VERTEX_COUNT) * 24;
  // Two at a time.
  const x = f64x2.splat(dx);
  const y = f64x2.splat(dy);
  const z = f64x2.splat(dz);
  let reaches = f64x2.splat(-Infinity);
  let places = i64x2.splat(<i64>vertex);
  for (; vertex + 24 < end; vertex += 48) {
    const a = v128.load(vertex);
    const b = v128.load(vertex, 16);
    const c = v128.load(vertex, 32);
    const along = f64x2.add(
      f64x2.add(f64x2.mul(v128.shuffle<f64>(a, b, 0, 3), x), f64x2.mul(v128.shuffle<f64>(a, c, 1, 2), y)),
      f64x2.mul(v128.shuffle<f64>(b, c, 0, 3), z),
    );
    const isFarther = f64x2.gt(along, reaches);
    reaches = v128.bitselect(along, reaches, isFarther);
    places = v128.bitselect(i64x2.splat(<i64>vertex), places, isFarther);
  }
  const best = placeOfLargest(reaches, places, 24);
  return vertex < end && reachOf(vertex, dx, dy, dz) > reachOf(best, dx, dy, dz) ? vertex : best;
}

function reachOf(vertex: usize, x: f64, y: f64, z: f64): f64 {
  return dot3(load<f64>(vertex), load<f64>(vertex, 8), load<f64>(vertex, 16), x, y, z);
}

/** Place of the larger of two values; `places` are those of their pairs, the second of a pair is `bytes` further. */
function placeOfLargest(values: v128, places: v128, bytes: usize): usize {
  const even = f64x2.extract_lane(values, 0);
  const odd = f64x2.extract_lane(values, 1);
  const first = <usize>i64x2.extract_lane(places, 0);
  const second = <usize>i64x2.extract_lane(places, 1) + bytes;
  // Of equal ones the first.
  return odd > even || (odd == even && second < first) ? second : first;
}

/** Address of the plane of the hull at record `hull` over which a point of its frame lies highest. */
export function highestPlaneAt(hull: usize, x: f64, y: f64, z: f64): usize {
  const planes = hull + <usize>load<i32>(hull, HULL_PLANES);
  const end = planes + ((<usize>load<i32>(hull, HULL_FACE_COUNT)) << 5);
  // Two planes at a time, each with the operations of `heightOver` in their order.
  const xs = f64x2.splat(x);
  const ys = f64x2.splat(y);
  const zs = f64x2.splat(z);
  let heights = f64x2.splat(-Infinity);
  let places = i64x2.splat(<i64>planes);
  let plane = planes;
  for (; plane + 32 < end; plane += 64) {
    const a = v128.load(plane);
    const b = v128.load(plane, 16);
    const c = v128.load(plane, 32);
    const d = v128.load(plane, 48);
    const sum = f64x2.add(
      f64x2.add(f64x2.mul(v128.shuffle<f64>(a, c, 0, 2), xs), f64x2.mul(v128.shuffle<f64>(a, c, 1, 3), ys)),
      f64x2.mul(v128.shuffle<f64>(b, d, 0, 2), zs),
    );
    const h = f64x2.sub(sum, v128.shuffle<f64>(b, d, 1, 3));
    const isHigher = f64x2.gt(h, heights);
    heights = v128.bitselect(h, heights, isHigher);
    places = v128.bitselect(i64x2.splat(<i64>plane), places, isHigher);
  }
  const best = placeOfLargest(heights, places, 32);
  return plane < end && heightOver(plane, x, y, z) > heightOver(best, x, y, z) ? plane : best;
}

/** Height of a point over a plane (HULL_PLANES) [m]. */
export function heightOver(plane: usize, x: f64, y: f64, z: f64): f64 {
  return dot3(load<f64>(plane), load<f64>(plane, 8), load<f64>(plane, 16), x, y, z) - load<f64>(plane, 24);
}
