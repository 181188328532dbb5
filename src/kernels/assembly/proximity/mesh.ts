// One edge against a triangle mesh, in the mesh's frame.
//
// In: the edge of proximity/body-edge, the mesh record. Out: hits.
// One-sided as for bodies: triangles push towards their normal (counter-clockwise). A node is near the closest
// triangle; where several share the closest point, the one that faces the node most decides on which side it is. A
// node up to BEHIND_FACE radii behind the surface is pushed back out; deeper ones, and what starts behind, are let go.
// A second near triangle whose direction differs (a corner of a room) makes a second contact. Between the nodes an edge
// has contacts at places where its distance to the mesh is least locally: over ridges and spikes. Impacts are found
// triangle by triangle, each a convex shape without thickness, for what starts in front of it; the first one counts.
// Limit: of the triangles near one edge at most 512 are looked at.

import { BEHIND_FACE } from '../../../core/elastic-constants';
import {
  MESH_NODE_BYTES,
  MESH_NODE_COUNT,
  MESH_NODES,
  MESH_TRIANGLES,
  MESH_VERTICES,
  SHAPE_DATA,
} from '../../../state/layout';
import { boxesOverlap } from '../broad/tree';
import { column, getI32, setI32 } from '../memory';
import {
  advanceEdge,
  advanceNode,
  d0x,
  d0y,
  d0z,
  d1x,
  d1y,
  d1z,
  ex,
  ey,
  ez,
  impact,
  isApart,
  isBetween,
  isNear,
  keep,
  length,
  margin,
  motion,
  PLACE_BETWEEN,
  px,
  py,
  pz,
  radius,
} from './body-edge';
import { chooseTriangle, gradX, gradY, gradZ, heightOverFace, lowestOnEdge, lowestPlace, measure } from './shape';
import { continuous } from './work';

/** A second direction is one whose cosine to the first is below this. */
const OTHER_COSINE: f64 = 0.7;
/** Distances that differ by less than this share of the radius belong to one closest point. */
const SAME: f64 = 1e-6;
/** Features of second contacts of the start and end node, and of their impacts. */
const PLACE_SECOND: i32 = 4;
const PLACE_IMPACT: i32 = 6;
/** Most contacts between the nodes. */
const BETWEEN_ENTRIES: i32 = 2;
/** Places between that are nearer to each other than this many radii are one. */
const SAME_PLACE: f64 = 2;

const STACK: usize = memory.data(256);
const BOX: usize = memory.data(48, 16);
const LIST: usize = memory.data(2048);
const LIST_ENTRIES: i32 = 512;

let mesh: usize = 0;
let listed: i32 = 0;

function corner(triangle: i32, k: i32): usize {
  const vertex = getI32(mesh + <usize>load<i32>(mesh, MESH_TRIANGLES), triangle * 4 + k);
  return mesh + <usize>load<i32>(mesh, MESH_VERTICES) + <usize>vertex * 24;
}

function choose(triangle: i32): bool {
  return chooseTriangle(corner(triangle, 0), corner(triangle, 1), corner(triangle, 2));
}

/** The edge against the mesh of a shape; `starts`, `ends`, `between`: which of its contacts are wanted. */
export function meetMesh(shape: i32, starts: bool, ends: bool, between: bool): void {
  mesh = <usize>getI32(column(SHAPE_DATA), shape);
  if (load<i32>(mesh, MESH_NODE_COUNT) == 0) return;
  listTriangles();
  if (listed == 0) return;
  if (starts) meetMeshNode(0);
  if (ends) meetMeshNode(1);
  if (between) meetMeshEdge();
}

function span(k: usize, p: f64, e: f64, a: f64, b: f64): void {
  const wide = radius * (1 + BEHIND_FACE) + margin;
  store<f64>(BOX + k, min(p + min(0.0, a), p + e + min(0.0, b)) - wide);
  store<f64>(BOX + k, max(p + max(0.0, a), p + e + max(0.0, b)) + wide, 24);
}

/** Lists the triangles that the edge may come near to. */
function listTriangles(): void {
  span(0, px, ex, d0x, d1x);
  span(8, py, ey, d0y, d1y);
  span(16, pz, ez, d0z, d1z);
  listed = 0;
  walk(0, 0, 0, -1);
}

/** Lists triangles of nodes whose boxes meet BOX: those that the edge may reach, or, with `far`, within it of x y z. */
function walk(x: f64, y: f64, z: f64, far: f64): void {
  const nodes = mesh + <usize>load<i32>(mesh, MESH_NODES);
  let depth = 0;
  let node = 0;
  while (true) {
    const at = nodes + <usize>node * MESH_NODE_BYTES;
    if (boxesOverlap(at, BOX)) {
      const first = load<i32>(at, 48);
      const second = load<i32>(at, 52);
      if (first < 0) {
        setI32(STACK, depth++, second);
        node++;
        continue;
      }
      for (let t = first; t < first + second && listed < LIST_ENTRIES; t++) {
        if (!choose(t)) continue;
        if (far < 0 ? !isFar() : measure(x, y, z) <= far) setI32(LIST, listed++, t);
      }
    }
    if (depth == 0) return;
    node = getI32(STACK, --depth);
  }
}

/**
 * Lists the triangles of a mesh that the nodes in the middle of which (x y z) nothing is farther than `far` may come
 * near to.
 */
export function listAround(shape: i32, x: f64, y: f64, z: f64, far: f64): i32 {
  mesh = <usize>getI32(column(SHAPE_DATA), shape);
  listed = 0;
  if (load<i32>(mesh, MESH_NODE_COUNT) == 0) return 0;
  store<f64>(BOX, x - far);
  store<f64>(BOX, y - far, 8);
  store<f64>(BOX, z - far, 16);
  store<f64>(BOX, x + far, 24);
  store<f64>(BOX, y + far, 32);
  store<f64>(BOX, z + far, 40);
  walk(x, y, z, far);
  return listed;
}

/** Chooses a listed triangle; false when it has no area. */
export function chooseListed(i: i32): bool {
  return choose(getI32(LIST, i));
}

/** Vertex `k` of a listed triangle: its number. */
export function vertexOfListed(i: i32, k: i32): i32 {
  return getI32(mesh + <usize>load<i32>(mesh, MESH_TRIANGLES), getI32(LIST, i) * 4 + k);
}

/** Where a vertex lies (address of f64×3). */
export function vertexAt(vertex: i32): usize {
  return mesh + <usize>load<i32>(mesh, MESH_VERTICES) + <usize>vertex * 24;
}

/** As `isApart`, with room for what lies behind. */
function isFar(): bool {
  if (!isApart()) return false;
  return measure(px + 0.5 * ex, py + 0.5 * ey, pz + 0.5 * ez) > 0.5 * length + motion + BEHIND_FACE * radius;
}

// Closest triangle found by `nearestTo`: signed distance and direction; the second one likewise.
let nearest: f64 = 0;
let nearX: f64 = 0;
let nearY: f64 = 0;
let nearZ: f64 = 0;

/** Signed distance to the mesh at a point, by the listed triangles; Infinity when none is listed. */
function nearestTo(x: f64, y: f64, z: f64): void {
  let best = Infinity;
  let facing: f64 = 0;
  nearest = Infinity;
  for (let i = 0; i < listed; i++) {
    if (!choose(getI32(LIST, i))) continue;
    const d = measure(x, y, z);
    if (d > best + SAME * radius) continue;
    const h = heightOverFace(x, y, z);
    const lean = d > 0 ? abs(h) / d : 1;
    if (d < best - SAME * radius || lean > facing) {
      const side: f64 = h < 0 ? -1 : 1;
      facing = lean;
      nearest = side * d;
      nearX = side * gradX;
      nearY = side * gradY;
      nearZ = side * gradZ;
    }
    best = min(best, d);
  }
}

/** Doublings of a distance that reach across any mesh. */
const DOUBLINGS: i32 = 48;

/** Whether node 0 or 1 of the edge is within reach of the mesh's surface now, or behind it, however deep. */
export function touchesMeshNode(shape: i32, end: i32): bool {
  const s = <f64>end;
  const x = px + s * ex;
  const y = py + s * ey;
  const z = pz + s * ez;
  const reach = radius + margin;
  // The nearest triangle says on which side the node is: it is looked for farther and farther away.
  let far = reach;
  for (let k = 0; k < DOUBLINGS; k++, far *= 2) {
    if (listAround(shape, x, y, z, far) == 0) continue;
    nearestTo(x, y, z);
    return nearest <= reach;
  }
  return false;
}

function meetMeshNode(end: i32): void {
  const s = <f64>end;
  const x = px + s * ex;
  const y = py + s * ey;
  const z = pz + s * ez;

  // The nearest place.
  nearestTo(x, y, z);
  const nx = nearX;
  const ny = nearY;
  const nz = nearZ;
  const f = nearest;
  const inside = f < 0;
  if (inside && f < -BEHIND_FACE * radius) return;
  const isContact = f <= radius + margin;
  if (isContact) keep(end, s, nx, ny, nz, f, 0);

  // Another direction near by, and the first impact.
  let second = Infinity;
  let secondX: f64 = 0;
  let secondY: f64 = 0;
  let secondZ: f64 = 0;
  let first: f64 = 1;
  let hit: f64 = 0;
  let hitX: f64 = 0;
  let hitY: f64 = 0;
  let hitZ: f64 = 0;
  for (let i = 0; i < listed; i++) {
    if (!choose(getI32(LIST, i))) continue;
    const h = heightOverFace(x, y, z);
    if (h < 0) continue;
    const d = measure(x, y, z);
    const differs = nx * gradX + ny * gradY + nz * gradZ < OTHER_COSINE;
    if (isNear(d, s)) {
      if (isContact ? differs : true) {
        if (d < second) {
          second = d;
          secondX = gradX;
          secondY = gradY;
          secondZ = gradZ;
        }
      }
      continue;
    }
    if (!continuous || d - radius > motion || inside) continue;
    const time = advanceNode(<f64>end, d);
    if (time < first && !(isContact && nx * gradX + ny * gradY + nz * gradZ >= OTHER_COSINE)) {
      first = time;
      hit = impact;
      hitX = gradX;
      hitY = gradY;
      hitZ = gradZ;
    }
  }

  if (second < Infinity) keep(isContact ? PLACE_SECOND + end : end, s, secondX, secondY, secondZ, second, 0);
  if (first < 1) {
    const place = isContact || second < Infinity ? PLACE_IMPACT + end : end;
    keep(place, s, hitX, hitY, hitZ, hit, first);
  }
}

/** Lowest places between the nodes, and the first impact there. */
function meetMeshEdge(): void {
  const limit = radius + max(margin, motion);
  let count = 0;
  let firstPlace: f64 = 0;
  let first: f64 = 1;
  let hit: f64 = 0;
  let hitPlace: f64 = 0;
  let hitX: f64 = 0;
  let hitY: f64 = 0;
  let hitZ: f64 = 0;
  for (let i = 0; i < listed; i++) {
    if (!choose(getI32(LIST, i))) continue;
    const d = lowestOnEdge(px, py, pz, ex, ey, ez, 1e-3 * radius, limit);
    if (d > limit) continue;
    const s = lowestPlace;
    const x = px + s * ex;
    const y = py + s * ey;
    const z = pz + s * ez;
    if (heightOverFace(x, y, z) < -SAME * radius) continue;
    const nx = gradX;
    const ny = gradY;
    const nz = gradZ;
    if (isNear(d, s)) {
      if (count == BETWEEN_ENTRIES || !isBetween(s)) continue;
      if (count > 0 && abs(s - firstPlace) * length < SAME_PLACE * radius) continue;
      // Another triangle may be nearer to that point: then the distance to the mesh is not least here.
      nearestTo(x, y, z);
      if (abs(nearest) < d - 1e-3 * radius) continue;
      firstPlace = s;
      keep(PLACE_BETWEEN + count++, s, nx, ny, nz, d, 0);
      continue;
    }
    if (!continuous) continue;
    const time = advanceEdge();
    if (time < first && isBetween(lowestPlace)) {
      first = time;
      hit = impact;
      hitPlace = lowestPlace;
      hitX = gradX;
      hitY = gradY;
      hitZ = gradZ;
    }
  }
  if (first < 1 && count < BETWEEN_ENTRIES) keep(PLACE_BETWEEN + count, hitPlace, hitX, hitY, hitZ, hit, first);
}
