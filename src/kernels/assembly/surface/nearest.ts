// Whether a surface comes nearer to a point in the surroundings of a corner or an edge of it.

import { MESH_EDGE_NODE, MESH_EDGE_TRIANGLE } from '../../../state/layout';
import { dot3 } from '../math/vector';
import { column, getI32 } from '../memory';
import { position } from '../proximity/work';
import { areOne, fanStart, fans } from './work';

/** Sine up to which a direction leans into a triangle beside a feature by rounding alone. */
const LEANS: f64 = 1e-6;

/** Lowest row of the triangles at a node. */
export function firstTriangleAt(node: i32): i32 {
  let first = i32.MAX_VALUE;
  const triangles = column(MESH_EDGE_TRIANGLE);
  const end = getI32(fanStart, node + 1);
  for (let i = getI32(fanStart, node); i < end; i++) first = min(first, getI32(triangles, 4 * getI32(fans, i)));
  for (let i = getI32(fanStart, node); i < end; i++) {
    const second = getI32(triangles, 4 * getI32(fans, i) + 1);
    if (second >= 0) first = min(first, second);
  }
  return first;
}

/** Whether any mesh edge ends at the node. */
export function isOfSurface(node: i32): bool {
  return getI32(fanStart, node + 1) > getI32(fanStart, node);
}

/** Whether no mesh edge at the node leads towards a point at d from it. */
export function isTip(node: i32, dx: f64, dy: f64, dz: f64): bool {
  const ends = column(MESH_EDGE_NODE);
  const at = position + ((<usize>node) << 5);
  const end = getI32(fanStart, node + 1);
  const size = sqrt(dot3(dx, dy, dz, dx, dy, dz));
  for (let i = getI32(fanStart, node); i < end; i++) {
    const edge = getI32(fans, i);
    const first = getI32(ends, 4 * edge);
    const other = first == node ? getI32(ends, 4 * edge + 1) : first;
    const to = position + ((<usize>other) << 5);
    const x = load<f64>(to) - load<f64>(at);
    const y = load<f64>(to, 8) - load<f64>(at, 8);
    const z = load<f64>(to, 16) - load<f64>(at, 16);
    if (dot3(x, y, z, dx, dy, dz) > LEANS * size * sqrt(dot3(x, y, z, x, y, z))) return false;
  }
  return true;
}

/** Whether a direction d across a mesh edge leans into its triangle 0 or 1. */
export function leansIn(edge: i32, side: i32, dx: f64, dy: f64, dz: f64): bool {
  const ends = column(MESH_EDGE_NODE);
  const opposite = getI32(ends, 4 * edge + 2 + side);
  if (opposite < 0) return false;
  const a = position + ((<usize>getI32(ends, 4 * edge)) << 5);
  const b = position + ((<usize>getI32(ends, 4 * edge + 1)) << 5);
  const c = position + ((<usize>opposite) << 5);
  const ex = load<f64>(b) - load<f64>(a);
  const ey = load<f64>(b, 8) - load<f64>(a, 8);
  const ez = load<f64>(b, 16) - load<f64>(a, 16);
  let ux = load<f64>(c) - load<f64>(a);
  let uy = load<f64>(c, 8) - load<f64>(a, 8);
  let uz = load<f64>(c, 16) - load<f64>(a, 16);
  const ee = dot3(ex, ey, ez, ex, ey, ez);
  const share = ee > 0 ? dot3(ux, uy, uz, ex, ey, ez) / ee : 0;
  ux -= share * ex;
  uy -= share * ey;
  uz -= share * ez;
  const size = sqrt(dot3(ux, uy, uz, ux, uy, uz) * dot3(dx, dy, dz, dx, dy, dz));
  return dot3(ux, uy, uz, dx, dy, dz) > LEANS * size;
}

/**
 * Whether a triangle beside the edge comes nearer to the edge from p to q in direction d. One that this edge
 * ends at does not count: in a fold about that corner it comes nearer the whole way there, and nothing else
 * keeps the fold open.
 */
export function isInner(edge: i32, p: i32, q: i32, dx: f64, dy: f64, dz: f64): bool {
  return leansInBeside(edge, 0, p, q, dx, dy, dz) || leansInBeside(edge, 1, p, q, dx, dy, dz);
}

function leansInBeside(edge: i32, side: i32, p: i32, q: i32, dx: f64, dy: f64, dz: f64): bool {
  const opposite = getI32(column(MESH_EDGE_NODE), 4 * edge + 2 + side);
  if (opposite < 0 || areOne(opposite, p) || areOne(opposite, q)) return false;
  return leansIn(edge, side, dx, dy, dz);
}
