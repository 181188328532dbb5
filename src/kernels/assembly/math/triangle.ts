// The closest point of a triangle (C. Ericson, "Real-Time Collision Detection", 2005, 5.1.5), in f64.

import { NO_AREA } from '../../../core/elastic-constants';
import { dot3 } from './vector';

/** Where it lies: inside, on edge 0 → 1, 1 → 2, 2 → 0, at node 0, 1, 2. */
export const INSIDE: i32 = 0;
export const ON_EDGE: i32 = 1;
export const AT_NODE: i32 = 4;

/** The place that `placeInTriangle` found: a + v·(b − a) + w·(c − a). */
export let placeV: f64 = 0;
export let placeW: f64 = 0;

/** Finds the point of the triangle at three addresses (3 × f64) that is closest to x, y, z; returns where it lies. */
export function placeInTriangle(a: usize, b: usize, c: usize, x: f64, y: f64, z: f64): i32 {
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const abx = load<f64>(b) - ax;
  const aby = load<f64>(b, 8) - ay;
  const abz = load<f64>(b, 16) - az;
  const acx = load<f64>(c) - ax;
  const acy = load<f64>(c, 8) - ay;
  const acz = load<f64>(c, 16) - az;
  const px = x - ax;
  const py = y - ay;
  const pz = z - az;
  const d1 = dot3(abx, aby, abz, px, py, pz);
  const d2 = dot3(acx, acy, acz, px, py, pz);
  const bb = dot3(abx, aby, abz, abx, aby, abz);
  const bc = dot3(abx, aby, abz, acx, acy, acz);
  const cc = dot3(acx, acy, acz, acx, acy, acz);
  const d3 = d1 - bb;
  const d4 = d2 - bc;
  const d5 = d1 - bc;
  const d6 = d2 - cc;
  const va = d3 * d6 - d5 * d4;
  const vb = d5 * d2 - d1 * d6;
  const vc = d1 * d4 - d3 * d2;
  placeV = 0;
  placeW = 0;
  if (d1 <= 0 && d2 <= 0) return AT_NODE;
  if (d3 >= 0 && d4 <= d3) {
    placeV = 1;
    return AT_NODE + 1;
  }
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    placeV = d1 / bb;
    return ON_EDGE;
  }
  if (d6 >= 0 && d5 <= d6) {
    placeW = 1;
    return AT_NODE + 2;
  }
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    placeW = d2 / cc;
    return ON_EDGE + 2;
  }
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    placeW = (d4 - d3) / (d4 - d3 + (d5 - d6));
    placeV = 1 - placeW;
    return ON_EDGE + 1;
  }
  const sum = va + vb + vc;
  const scale = sum > NO_AREA ? 1 / sum : 0;
  placeV = vb * scale;
  placeW = vc * scale;
  return INSIDE;
}
