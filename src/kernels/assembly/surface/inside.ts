// Solids have an inside: which of their contacts started in there, and so lead the other way (pairs.ts).

import { KIND_SOLID, MESH_EDGE_TRIANGLE, STRAND_COUNT, STRAND_KIND, TRIANGLE_NODE } from '../../../state/layout';
import { dot3 } from '../math/vector';
import { cell, column, getI32 } from '../memory';
import { nearShare, position } from '../proximity/work';
import { apart, apartX, apartY, apartZ } from './distance';
import { strayOf } from './leaf-records';
import { isMarked, mark, shortestOf } from './work';

/** Edges of a solid over the contact distance from which on its inside is deeper than a contact reaches [-]. */
const DEEP_ENOUGH: f64 = 4;
/** Sine of an angle from which on a direction leads inwards [-]. */
const LEANING: f64 = 0.1;

/** Whether any object is a solid. */
export function isAnyInside(): bool {
  const kinds = column(STRAND_KIND);
  for (let object = cell(STRAND_COUNT); object-- > 0; ) if (getI32(kinds, object) == KIND_SOLID) return true;
  return false;
}

function hasInside(object: i32, reach: f64): bool {
  return getI32(column(STRAND_KIND), object) == KIND_SOLID && shortestOf(object) >= DEEP_ENOUGH * reach;
}

/** Whether the direction at hand leads to the inner side of triangle `t` of a solid: the other one started within. */
export function isBehind(object: i32, t: i32, reach: f64): bool {
  return hasInside(object, reach) && leanOut(t) < -LEANING * apart;
}

/** Whether the direction at hand, from edge `b` to `a` of two solids, leads into both. */
export function areCrossedOver(objectA: i32, objectB: i32, a: i32, b: i32, reach: f64): bool {
  if (!hasInside(objectA, reach) || !hasInside(objectB, reach)) return false;
  return leanOutOfEdge(b) - leanOutOfEdge(a) < -LEANING * apart;
}

/** Notes that one has a point inside the other. */
export function markTangled(a: i32, b: i32): void {
  mark(a);
  mark(b);
}

/** Whether both were noted: what gets out is not to be kept from it. */
export function areTangled(a: i32, b: i32): bool {
  return isMarked(a) && isMarked(b);
}

/** Whether the point is farther from the triangle than they may reach, along the line to its middle. */
export function isPointFar(p: i32, node0: i32, node1: i32, node2: i32, reach: f64): bool {
  const a = position + ((<usize>node0) << 5);
  const b = position + ((<usize>node1) << 5);
  const c = position + ((<usize>node2) << 5);
  const q = position + ((<usize>p) << 5);
  const x = load<f64>(q);
  const y = load<f64>(q, 8);
  const z = load<f64>(q, 16);
  const mx = x - (load<f64>(a) + load<f64>(b) + load<f64>(c)) / 3;
  const my = y - (load<f64>(a, 8) + load<f64>(b, 8) + load<f64>(c, 8)) / 3;
  const mz = z - (load<f64>(a, 16) + load<f64>(b, 16) + load<f64>(c, 16)) / 3;
  const left = min(
    dot3(x - load<f64>(a), y - load<f64>(a, 8), z - load<f64>(a, 16), mx, my, mz),
    min(
      dot3(x - load<f64>(b), y - load<f64>(b, 8), z - load<f64>(b, 16), mx, my, mz),
      dot3(x - load<f64>(c), y - load<f64>(c, 8), z - load<f64>(c, 16), mx, my, mz),
    ),
  );
  const strays = <f64>strayOf(p) + <f64>max(strayOf(node0), max(strayOf(node1), strayOf(node2)));
  const limit = max(nearShare * reach, strays) + reach;
  return left > 0 && left * left > limit * limit * dot3(mx, my, mz, mx, my, mz);
}

/** The direction at hand along the outward normal of a triangle [m]. */
function leanOut(t: i32): f64 {
  const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
  const a = position + ((<usize>load<i32>(nodes)) << 5);
  const b = position + ((<usize>load<i32>(nodes, 4)) << 5);
  const c = position + ((<usize>load<i32>(nodes, 8)) << 5);
  const ux = load<f64>(b) - load<f64>(a);
  const uy = load<f64>(b, 8) - load<f64>(a, 8);
  const uz = load<f64>(b, 16) - load<f64>(a, 16);
  const vx = load<f64>(c) - load<f64>(a);
  const vy = load<f64>(c, 8) - load<f64>(a, 8);
  const vz = load<f64>(c, 16) - load<f64>(a, 16);
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = sqrt(dot3(x, y, z, x, y, z));
  return length > 0 ? dot3(x, y, z, apartX, apartY, apartZ) / length : 0;
}

/** The same for the two triangles at an edge of a surface. */
function leanOutOfEdge(edge: i32): f64 {
  const rows = column(MESH_EDGE_TRIANGLE);
  const second = getI32(rows, 4 * edge + 1);
  return leanOut(getI32(rows, 4 * edge)) + (second >= 0 ? leanOut(second) : 0);
}
