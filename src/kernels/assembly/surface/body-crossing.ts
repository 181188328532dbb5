// Nodes, edges and triangles of a surface that would get into a body within the step (surface/crossings).
//
// In: the collider as for body-shape and body-mesh. Out: rows of primitives whose middle would come nearer to the body
// than half of what it is now, or an eighth of the radius. A node that is inside already may not go deeper; edges and
// triangles that are inside are let go.
// Against a mesh each of its triangles counts from the side on which the primitive is.

import { DEEP, DEEPER } from '../../../core/elastic-constants';
import { TRIANGLE_EDGE, TRIANGLE_NODE } from '../../../state/layout';
import { dot3 } from '../math/vector';
import { column, getF64, setF64 } from '../memory';
import {
  advanceEdge,
  advanceNode,
  displacementOf,
  enterNodes,
  ex,
  ey,
  ez,
  FINE,
  length,
  lx,
  ly,
  lz,
  motion,
  placeOf,
  px,
  py,
  pz,
  takeRadius,
} from '../proximity/body-edge';
import { chooseListed, listAround, vertexAt, vertexOfListed } from '../proximity/mesh';
import { gradX, gradY, gradZ, lowestOnEdge, measure } from '../proximity/shape';
import { GRADIENT, isHeld, keepMeasure, MOTION, measuredAt, PLACE } from './body-shape';
import { advanceTriangle, CORNERS, findWithin, lowerBound, takeCorner, within } from './body-triangle';
import { advance, closest, setNode, staysApart } from './distance';
import { listRow } from './rows';
import { edgeLows } from './work';

/** Least distance, as a share of the radius, from which on something is watched: nearer it is as good as inside. */
const INSIDE: f64 = 1e-6;

/**
 * What is inside may get so much deeper in a step, as a share of the radius: friction on a turning body asks for it.
 */
const SINKING: f64 = 0.01;

let collider: i32 = 0;
let half: f64 = 0;
let mesh: i32 = 0;

/** Takes the collider and the radius of the object; `shape`: of a mesh, else −1. */
export function beginWatching(slot: i32, radius: f64, shape: i32): void {
  collider = slot;
  half = radius;
  mesh = shape;
}

/** How near what lies at this distance may come; 0: it is inside. */
function targetOf(distance: f64): f64 {
  return distance > INSIDE * half ? DEEPER * min(distance, DEEP * half) : 0;
}

export function watchNode(node: i32): void {
  placeOf(node);
  const x = lx;
  const y = ly;
  const z = lz;
  displacementOf(node);
  const far = sqrt(dot3(lx, ly, lz, lx, ly, lz));
  const f = measure(x, y, z);
  keepMeasure(node, f, gradX, gradY, gradZ, far, x, y, z);
  const target = targetOf(f);
  if (target == 0) {
    sinkNode(node, f, x + lx, y + ly, z + lz);
    return;
  }
  if (f - target > far || isHeld(node)) return;
  enterNodes(node, node);
  takeRadius(target);
  if (advanceNode(0, f) < 1) listRow(node, -1, -1, -1, collider);
}

/** Lists a node that is inside at distance f, and deeper at the end of the step, at x y z. */
function sinkNode(node: i32, f: f64, x: f64, y: f64, z: f64): void {
  if (isHeld(node)) return;
  if (measure(x, y, z) < f - SINKING * half) listRow(node, -1, -1, -1, collider);
}

export function watchEdge(edge: i32, a: i32, b: i32): void {
  const p = measuredAt(a);
  const q = measuredAt(b);
  const ends = min(load<f64>(p), load<f64>(q));
  const motion = max(load<f64>(p, MOTION), load<f64>(q, MOTION));
  setF64(edgeLows, edge, ends);
  // Over the tangents at its ends nothing lies lower (surface/body-shape).
  const x = load<f64>(q, PLACE) - load<f64>(p, PLACE);
  const y = load<f64>(q, PLACE + 8) - load<f64>(p, PLACE + 8);
  const z = load<f64>(q, PLACE + 16) - load<f64>(p, PLACE + 16);
  const up = dot3(load<f64>(p, GRADIENT), load<f64>(p, GRADIENT + 8), load<f64>(p, GRADIENT + 16), x, y, z);
  const down = dot3(load<f64>(q, GRADIENT), load<f64>(q, GRADIENT + 8), load<f64>(q, GRADIENT + 16), x, y, z);
  let least = ends;
  if (up < 0 && down > 0) {
    least = min(ends, load<f64>(p) + (up * (load<f64>(q) - down - load<f64>(p))) / (up - down));
  }
  if (least > motion + DEEPER * DEEP * half) {
    setF64(edgeLows, edge, least);
    return;
  }
  enterNodes(a, b);
  const f = lowestOnEdge(px, py, pz, ex, ey, ez, FINE * half, Infinity);
  setF64(edgeLows, edge, f);
  const target = targetOf(f);
  if (target == 0 || f - target > motion || isHeld(a) || isHeld(b)) return;
  takeRadius(target);
  if (advanceEdge() < 1) listRow(a, b, -1, -1, collider);
}

export function watchTriangle(t: i32): void {
  const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
  const edges = column(TRIANGLE_EDGE) + ((<usize>t) << 4);
  const a = load<i32>(nodes);
  const b = load<i32>(nodes, 4);
  const c = load<i32>(nodes, 8);
  const p = measuredAt(a);
  const q = measuredAt(b);
  const r = measuredAt(c);
  const motion = max(load<f64>(p, MOTION), max(load<f64>(q, MOTION), load<f64>(r, MOTION)));
  const least = min(lowerBound(p, p, q, r), min(lowerBound(q, p, q, r), lowerBound(r, p, q, r)));
  if (least > motion + DEEPER * DEEP * half) return;
  if (isHeld(a) || isHeld(b) || isHeld(c)) return;
  takeCorner(0, a, p);
  takeCorner(24, b, q);
  takeCorner(48, c, r);
  let f = min(
    getF64(edgeLows, load<i32>(edges)),
    min(getF64(edgeLows, load<i32>(edges, 4)), getF64(edgeLows, load<i32>(edges, 8))),
  );
  if (findWithin(CORNERS, -1)) f = min(f, within);
  const target = targetOf(f);
  if (target == 0 || f - target > motion) return;
  takeRadius(target);
  if (advanceTriangle() < 1) listRow(a, b, c, -1, collider);
}

// ── Meshes ──────────────────────────────────

export function watchMeshNode(node: i32): void {
  if (isHeld(node)) return;
  enterNodes(node, node);
  const far = motion;
  const count = listAround(mesh, px, py, pz, far + half);
  for (let i = 0; i < count; i++) {
    if (!chooseListed(i)) continue;
    const f = measure(px, py, pz);
    const target = targetOf(f);
    if (target == 0 || f - target > far) continue;
    takeRadius(target);
    if (advanceNode(0, f) >= 1) continue;
    listRow(node, -1, -1, -1, collider);
    return;
  }
}

export function watchMeshEdge(a: i32, b: i32): void {
  if (isHeld(a) || isHeld(b)) return;
  enterNodes(a, b);
  const far = motion;
  const around = 0.5 * length + far + half;
  const count = listAround(mesh, px + 0.5 * ex, py + 0.5 * ey, pz + 0.5 * ez, around);
  for (let i = 0; i < count; i++) {
    if (!chooseListed(i)) continue;
    const f = lowestOnEdge(px, py, pz, ex, ey, ez, FINE * half, Infinity);
    const target = targetOf(f);
    if (target == 0 || f - target > far) continue;
    takeRadius(target);
    if (advanceEdge() >= 1) continue;
    listRow(a, b, -1, -1, collider);
    return;
  }
}

/** Corners of a triangle and their displacements, 6 × f64 each. */
const TRIANGLE: usize = memory.data(144, 16);

function takeNode(k: usize, node: i32): void {
  const at = TRIANGLE + 48 * k;
  placeOf(node);
  store<f64>(at, lx);
  store<f64>(at, ly, 8);
  store<f64>(at, lz, 16);
  displacementOf(node);
  store<f64>(at, lx, 24);
  store<f64>(at, ly, 32);
  store<f64>(at, lz, 40);
}

export function watchMeshTriangle(t: i32): void {
  const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
  const a = load<i32>(nodes);
  const b = load<i32>(nodes, 4);
  const c = load<i32>(nodes, 8);
  if (isHeld(a) || isHeld(b) || isHeld(c)) return;
  takeNode(0, a);
  takeNode(1, b);
  takeNode(2, c);
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  let far: f64 = 0;

  for (let k: usize = 0; k < 144; k += 48) {
    const at = TRIANGLE + k;
    x += load<f64>(at) / 3;
    y += load<f64>(at, 8) / 3;
    z += load<f64>(at, 16) / 3;
    far = max(
      far,
      dot3(
        load<f64>(at, 24),
        load<f64>(at, 32),
        load<f64>(at, 40),
        load<f64>(at, 24),
        load<f64>(at, 32),
        load<f64>(at, 40),
      ),
    );
  }
  far = sqrt(far);
  let size: f64 = 0;

  for (let k: usize = 0; k < 144; k += 48) {
    const u = load<f64>(TRIANGLE + k) - x;
    const v = load<f64>(TRIANGLE + k, 8) - y;
    const w = load<f64>(TRIANGLE + k, 16) - z;
    size = max(size, dot3(u, v, w, u, v, w));
  }
  const count = listAround(mesh, x, y, z, sqrt(size) + far + half);

  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const v = vertexAt(vertexOfListed(i, k));
      setNode(0, load<f64>(v), load<f64>(v, 8), load<f64>(v, 16), 0, 0, 0);
      for (let j: usize = 0; j < 3; j++) {
        const at = TRIANGLE + 48 * j;
        setNode(
          j + 1,
          load<f64>(at),
          load<f64>(at, 8),
          load<f64>(at, 16),
          load<f64>(at, 24),
          load<f64>(at, 32),
          load<f64>(at, 40),
        );
      }
      const f = closest();
      const target = targetOf(f);
      if (target == 0 || f - target > far || staysApart(target) || !advance(target)) continue;
      listRow(a, b, c, -1, collider);
      return;
    }
  }
}
