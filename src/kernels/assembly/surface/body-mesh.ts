// Nodes, edges and triangles of a surface against a triangle mesh or height field, in its frame.
//
// In: the collider by `chooseCollider` and `chooseMesh`. Out: hits. Nodes and edges are met as those of strands are
// (proximity/mesh: one-sided, counter-clockwise triangles push towards their normals), which hands its hits over; of an
// edge's those are kept that lie lower than its ends. A triangle has a contact over the corner of the mesh that comes
// nearest to its inside, where its edges are higher.

import { BEHIND_FACE, LOWER_SHARE } from '../../../core/elastic-constants';
import {
  PRIMITIVE_EDGE,
  PRIMITIVE_POINT,
  PRIMITIVE_TRIANGLE,
  TRIANGLE_EDGE,
  TRIANGLE_NODE,
} from '../../../state/layout';
import { INSIDE } from '../math/triangle';
import { dot3 } from '../math/vector';
import { column, copy24, getF64, setF64, setI32 } from '../memory';
import {
  displacementOf,
  enterNodes,
  lx,
  ly,
  lz,
  margin,
  motion,
  placeOf,
  radius,
  toArm,
  toWorld,
} from '../proximity/body-edge';
import * as Lent from '../proximity/hits';
import { chooseListed, listAround, meetMesh, vertexAt, vertexOfListed } from '../proximity/mesh';
import { faceX, faceY, faceZ, heightOverFace } from '../proximity/shape';
import { continuous, lendHits } from '../proximity/work';
import { distanceOf, highOf, isHeld, keepMeasure, lowOf } from './body-shape';
import { advance, apart, closest, hitTime, region, setNode, w1, w2, w3 } from './distance';
import { addHit, COLLIDER, NODES, POINT, WEIGHTS } from './hits';
import { edgeLows, LENT, lent } from './work';

/** Bits of a rod's feature that say where on an edge it lies. */
const PLACES: i32 = (1 << Lent.PLACE_BITS) - 1;

let shape: i32 = 0;
let slot: i32 = 0;

export function chooseMesh(mesh: i32, collider: i32): void {
  shape = mesh;
  slot = collider;
  lendHits(lent, LENT);
}

/** Lets proximity/mesh find hits; returns how many. */
function borrow(starts: bool, between: bool): i32 {
  Lent.beginHits();
  meetMesh(shape, starts, false, between);
  return min(Lent.hitCount, LENT);
}

/** Takes a hit over, as a contact of a primitive; returns its address, 0 none. */
function takeOver(i: i32, low: i32): usize {
  const from = Lent.hitAt(i);
  const gap = load<f64>(from, Lent.GAP);
  const time = load<f64>(from, Lent.TIME);
  const hit = addHit(
    low,
    highOf(load<i32>(from, Lent.HIGH) & PLACES),
    load<f64>(from, Lent.NORMAL),
    load<f64>(from, Lent.NORMAL + 8),
    load<f64>(from, Lent.NORMAL + 16),
    gap,
    time > 0 ? radius : gap + radius,
    time,
  );
  if (hit == 0) return 0;
  store<i32>(hit, slot, COLLIDER);
  copy24(hit + POINT, from + Lent.POINT);
  return hit;
}

export function lookAtMeshNode(node: i32): void {
  placeOf(node);
  const x = lx;
  const y = ly;
  const z = lz;
  enterNodes(node, node);
  const far = motion;
  const count = borrow(true, false);
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const hit = Lent.hitAt(i);
    if (load<f64>(hit, Lent.TIME) == 0) least = min(least, load<f64>(hit, Lent.GAP) + radius);
    if (isHeld(node)) continue;
    const kept = takeOver(i, lowOf(PRIMITIVE_POINT, node));
    if (kept == 0) continue;
    store<i32>(kept, node, NODES);
    store<f64>(kept, 1, WEIGHTS);
  }
  keepMeasure(node, least, 0, 0, 0, far, x, y, z);
}

export function lookAtMeshEdge(edge: i32, a: i32, b: i32): void {
  const ends = min(distanceOf(a), distanceOf(b));
  setF64(edgeLows, edge, ends);
  if (isHeld(a) || isHeld(b)) return;
  enterNodes(a, b);
  const count = borrow(false, true);
  for (let i = 0; i < count; i++) {
    const from = Lent.hitAt(i);
    const f = load<f64>(from, Lent.GAP) + radius;
    const isNow = load<f64>(from, Lent.TIME) == 0;
    if (isNow && !(ends - f > LOWER_SHARE * radius)) continue;
    if (isNow) setF64(edgeLows, edge, min(f, getF64(edgeLows, edge)));
    const hit = takeOver(i, lowOf(PRIMITIVE_EDGE, edge));
    if (hit == 0) continue;
    const s = load<f64>(from, Lent.PLACE_S);
    store<i32>(hit, a, NODES);
    store<i32>(hit, b, NODES + 4);
    store<f64>(hit, 1 - s, WEIGHTS);
    store<f64>(hit, s, WEIGHTS + 8);
  }
}

// ── Triangles ─────────────────────────────────

/** Corners and displacements in the mesh's frame, 3 × 48 bytes. */
const CORNERS: usize = memory.data(144, 16);
/** Vertices that were looked at for this triangle. */
const SEEN: usize = memory.data(256);
const SEEN_ENTRIES: i32 = 64;
/** Least coefficient of a corner for a place within a triangle. */
const WITHIN: f64 = 0.02;
/** Cosine to a face of the mesh under which a triangle stands on edge over it. */
const ON_EDGE: f64 = 0.1;

function takeCorner(at: usize, node: i32): void {
  placeOf(node);
  store<f64>(CORNERS + at, lx);
  store<f64>(CORNERS + at, ly, 8);
  store<f64>(CORNERS + at, lz, 16);
  displacementOf(node);
  store<f64>(CORNERS + at, lx, 24);
  store<f64>(CORNERS + at, ly, 32);
  store<f64>(CORNERS + at, lz, 40);
}

function c(k: usize): f64 {
  return load<f64>(CORNERS + k);
}

/** Sets corner `k` (from 0) of the triangle as nodes of surface/distance. */
function pass(k: usize): void {
  const at = 48 * k;
  setNode(k + 1, c(at), c(at + 8), c(at + 16), c(at + 24), c(at + 32), c(at + 40));
}

// The lowest vertex under the inside of the triangle, or the first that it meets.
let found: f64 = 0;
let foundTime: f64 = 1;
let foundX: f64 = 0;
let foundY: f64 = 0;
let foundZ: f64 = 0;
let foundVertex: usize = 0;
let b0: f64 = 0;
let b1: f64 = 0;
let b2: f64 = 0;

export function lookAtMeshTriangle(t: i32): void {
  const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
  const edges = column(TRIANGLE_EDGE) + ((<usize>t) << 4);
  const n0 = load<i32>(nodes);
  const n1 = load<i32>(nodes, 4);
  const n2 = load<i32>(nodes, 8);
  if (isHeld(n0) || isHeld(n1) || isHeld(n2)) return;
  takeCorner(0, n0);
  takeCorner(48, n1);
  takeCorner(96, n2);
  const mx = (c(0) + c(48) + c(96)) / 3;
  const my = (c(8) + c(56) + c(104)) / 3;
  const mz = (c(16) + c(64) + c(112)) / 3;
  let size: f64 = 0;
  let far: f64 = 0;

  for (let k: usize = 0; k < 144; k += 48) {
    const x = c(k) - mx;
    const y = c(k + 8) - my;
    const z = c(k + 16) - mz;
    size = max(size, dot3(x, y, z, x, y, z));
    far = max(far, dot3(c(k + 24), c(k + 32), c(k + 40), c(k + 24), c(k + 32), c(k + 40)));
  }
  far = sqrt(far);
  const count = listAround(shape, mx, my, mz, sqrt(size) + radius + max(margin, far));
  if (count == 0) return;
  const rim = min(
    getF64(edgeLows, load<i32>(edges)),
    min(getF64(edgeLows, load<i32>(edges, 4)), getF64(edgeLows, load<i32>(edges, 8))),
  );
  found = min(radius + margin, rim - LOWER_SHARE * radius);
  foundTime = 1;
  foundVertex = 0;
  let isNow = false;
  let seen = 0;

  for (let i = 0; i < count; i++) {
    if (!chooseListed(i)) continue;
    const fx = faceX;
    const fy = faceY;
    const fz = faceZ;
    if (heightOverFace(mx, my, mz) < -BEHIND_FACE * radius) continue;
    for (let k = 0; k < 3; k++) {
      const vertex = vertexOfListed(i, k);
      if (isSeen(vertex, seen)) continue;
      if (seen < SEEN_ENTRIES) setI32(SEEN, seen++, vertex);
      if (meetVertex(vertexAt(vertex), fx, fy, fz, far, isNow)) isNow = true;
    }
  }
  if (foundVertex == 0) return;
  toWorld(foundX, foundY, foundZ);
  const gap = found - radius - (isNow ? 0 : foundTime * mixedMove(foundX, foundY, foundZ));
  const hit = addHit(lowOf(PRIMITIVE_TRIANGLE, t), highOf(0), lx, ly, lz, gap, found, isNow ? 0 : foundTime);
  if (hit == 0) return;
  store<i32>(hit, slot, COLLIDER);
  toArm(load<f64>(foundVertex), load<f64>(foundVertex, 8), load<f64>(foundVertex, 16));
  store<f64>(hit, lx, POINT);
  store<f64>(hit, ly, POINT + 8);
  store<f64>(hit, lz, POINT + 16);
  store<i32>(hit, n0, NODES);
  store<i32>(hit, n1, NODES + 4);
  store<i32>(hit, n2, NODES + 8);
  store<f64>(hit, b0, WEIGHTS);
  store<f64>(hit, b1, WEIGHTS + 8);
  store<f64>(hit, b2, WEIGHTS + 16);
}

function isSeen(vertex: i32, seen: i32): bool {
  for (let i = 0; i < seen; i++) if (load<i32>(SEEN + ((<usize>i) << 2)) == vertex) return true;
  return false;
}

/** Displacement of the place b along n. */
function mixedMove(nx: f64, ny: f64, nz: f64): f64 {
  return (
    b0 * dot3(c(24), c(32), c(40), nx, ny, nz) +
    b1 * dot3(c(72), c(80), c(88), nx, ny, nz) +
    b2 * dot3(c(120), c(128), c(136), nx, ny, nz)
  );
}

/** Looks at one vertex, of a face with normal f; whether it is near now and the lowest so far. */
function meetVertex(v: usize, fx: f64, fy: f64, fz: f64, far: f64, hasNear: bool): bool {
  setNode(0, load<f64>(v), load<f64>(v, 8), load<f64>(v, 16), 0, 0, 0);
  pass(0);
  pass(1);
  pass(2);
  // The triangle's normal, on the side of the face.
  const ux = c(48) - c(0);
  const uy = c(56) - c(8);
  const uz = c(64) - c(16);
  const vx = c(96) - c(0);
  const vy = c(104) - c(8);
  const vz = c(112) - c(16);
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  const area = sqrt(dot3(nx, ny, nz, nx, ny, nz));
  if (!(area > 0)) return false;
  const lean = dot3(nx, ny, nz, fx, fy, fz) / area;
  if (abs(lean) < ON_EDGE) return false;
  const scale = (lean < 0 ? -1 : 1) / area;
  nx *= scale;
  ny *= scale;
  nz *= scale;
  const height = dot3(c(0) - load<f64>(v), c(8) - load<f64>(v, 8), c(16) - load<f64>(v, 16), nx, ny, nz);
  if (height < -BEHIND_FACE * radius) return false;
  const distance = closest();
  if (region == INSIDE && isWithin() && height < found) {
    found = height;
    take(v, nx, ny, nz);
    return true;
  }
  if (hasNear || !continuous || height < 0 || distance <= radius + margin || distance - radius > far) return false;
  if (!advance(radius) || hitTime >= foundTime || region != INSIDE || !isWithin()) return false;
  foundTime = hitTime;
  if (foundVertex == 0 || foundTime < 1) {
    found = apart;
    take(v, nx, ny, nz);
  }
  return false;
}

function isWithin(): bool {
  return -w1 > WITHIN && -w2 > WITHIN && -w3 > WITHIN;
}

function take(v: usize, nx: f64, ny: f64, nz: f64): void {
  foundVertex = v;
  foundX = nx;
  foundY = ny;
  foundZ = nz;
  b0 = -w1;
  b1 = -w2;
  b2 = -w3;
}
