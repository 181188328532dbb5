// Contacts of surfaces with bodies: which colliders are near an object, and which of its triangles near each of them.
//
// In: objects, the tree and collider poses of find-pairs. Out: hits. As for rods (proximity/bodies), all tests run in
// the collider's frame, where the end of the step is seen from the body as it will be then. Of the triangles whose
// swept boxes meet the collider's, nodes are measured first, once each, then edges, then triangles: each only where it
// may come lower than what it is bounded by (surface/body-shape, surface/body-mesh). Nodes that a body holds do not
// touch that body, nor do the edges and triangles at them. What sleeps meets only what is awake.

import {
  BODY_FLAGS,
  BODY_QUARANTINED,
  COLLIDER_BODY,
  COLLIDER_BOX,
  COLLIDER_SHAPE,
  MESH_EDGE_NODE,
  OBJECT_TRIANGLES,
  SHAPE_KIND,
  SHAPE_PLANE,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_NODES,
  TREE_ROOT,
  TRIANGLE_EDGE,
  TRIANGLE_KINDS,
  TRIANGLE_NODE,
} from '../../../state/layout';
import { boxesOverlap } from '../broad/tree';
import { boxRow } from '../math/boxes';
import { cell, column, getI32, setI32 } from '../memory';
import { listColliders, listedCollider } from '../proximity/bodies';
import { chooseBody } from '../proximity/body-edge';
import { chooseShape } from '../proximity/shape';
import { continuous, dt, nearShare, position, velocity } from '../proximity/work';
import { isOneOf } from '../shapes/kinds';
import {
  beginWatching,
  watchEdge,
  watchMeshEdge,
  watchMeshNode,
  watchMeshTriangle,
  watchNode,
  watchTriangle,
} from './body-crossing';
import { chooseMesh, lookAtMeshEdge, lookAtMeshNode, lookAtMeshTriangle } from './body-mesh';
import { chooseCollider, lookAtEdge, lookAtNode } from './body-shape';
import { lookAtTriangle } from './body-triangle';
import { isBoxed } from './boxes';
import {
  append,
  bitsOf,
  edgeStamps,
  edgeTotal,
  groupBoxes,
  isMoved,
  layersOf,
  nodeBoxes,
  nodeStamps,
  nodeTotal,
  OBJECT_ASLEEP,
  OBJECT_LIVE,
  OBJECT_SURFACE,
  radiusOf,
  triangleTotal,
} from './work';

const OBJECT_BOX: usize = memory.data(48, 16);
/** Triangles that one box is around. */
const GROUP: i32 = 32;
/** Rounding of the f32 boxes, as a share of the coordinate, beside what is smallest. */
const ROUNDING: f64 = 2e-7;
const LEAST: f64 = 1e-30;

let stamp: i32 = 0;
/** Whether only what would get into a body is asked for. */
let crossing: bool = false;

/** Finds all contacts with bodies. After the pairs: it uses the memory of their boxes. */
export function findBodyContacts(): void {
  if (cell(TREE_ROOT) < 0) return;
  let prepared = false;
  stamp = 0;
  const objects = cell(STRAND_COUNT);
  for (let object = 0; object < objects; object++) {
    const bits = bitsOf(object);
    if ((bits & (OBJECT_LIVE | OBJECT_SURFACE)) != (OBJECT_LIVE | OBJECT_SURFACE)) continue;
    if (!boundObject(object)) continue;
    const layers = layersOf(object);
    const count = listColliders(OBJECT_BOX, layers, (bits & OBJECT_ASLEEP) != 0);
    if (count > 0 && !prepared) {
      prepared = true;
      boundGroups();
      for (let i = 0; i < nodeTotal; i++) setI32(nodeStamps, i, 0);
      for (let i = 0; i < edgeTotal; i++) setI32(edgeStamps, i, 0);
    }
    for (let i = 0; i < count; i++) {
      const collider = listedCollider(i, layers);
      if (collider >= 0) meetCollider(object, collider);
    }
  }
}

/** Lists what would get into a body within the step (surface/crossings). */
export function watchBodies(): void {
  crossing = true;
  findBodyContacts();
  crossing = false;
}

/** Box of the object over the step; false when it has no sound node. */
function boundObject(object: i32): bool {
  const first = getI32(column(STRAND_FIRST), object);
  const end = first + getI32(column(STRAND_NODES), object);
  const wide = radiusOf(object) * (1 + 2 * nearShare);
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(OBJECT_BOX + k, Infinity);
    store<f64>(OBJECT_BOX + k, -Infinity, 24);
  }
  let any = false;
  for (let node = first; node < end; node++) {
    if (!isBoxed(node)) continue;
    any = true;
    boundNode(node, wide);
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(OBJECT_BOX + k, min(load<f64>(OBJECT_BOX + k), load<f64>(NODE_BOX + k)));
      store<f64>(OBJECT_BOX + k, max(load<f64>(OBJECT_BOX + k, 24), load<f64>(NODE_BOX + k, 24)), 24);
    }
  }
  return any;
}

const NODE_BOX: usize = memory.data(48, 16);

/** Box of a node over the step, in the world. */
function boundNode(node: i32, wide: f64): void {
  const p = position + ((<usize>node) << 5);
  const v = velocity + ((<usize>node) << 5);
  for (let k: usize = 0; k < 24; k += 8) {
    const x = load<f64>(p + k);
    let d = dt * load<f64>(v + k);
    if (!continuous) d = max(-wide, min(wide, d));
    store<f64>(NODE_BOX + k, x + min(0.0, d) - wide);
    store<f64>(NODE_BOX + k, x + max(0.0, d) + wide, 24);
  }
}

/** Boxes of all nodes in the world, rounded outwards, and around GROUP triangles each. */
function boundGroups(): void {
  const objects = cell(STRAND_COUNT);
  for (let object = 0; object < objects; object++) {
    if ((bitsOf(object) & (OBJECT_LIVE | OBJECT_SURFACE)) != (OBJECT_LIVE | OBJECT_SURFACE)) continue;
    const first = getI32(column(STRAND_FIRST), object);
    const end = first + getI32(column(STRAND_NODES), object);
    const wide = radiusOf(object) * (1 + 2 * nearShare);
    for (let node = first; node < end; node++) {
      if (!isBoxed(node)) continue;
      boundNode(node, wide);
      const to = nodeBoxes + ((<usize>node) << 5);
      for (let k: usize = 0; k < 3; k++) {
        const low = load<f64>(NODE_BOX + (k << 3));
        const high = load<f64>(NODE_BOX + (k << 3), 24);
        store<f32>(to + (k << 2), <f32>(low - ROUNDING * abs(low) - LEAST));
        store<f32>(to + (k << 2), <f32>(high + ROUNDING * abs(high) + LEAST), 16);
      }
    }
  }
  for (let group = 0; group * GROUP < triangleTotal; group++) {
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    const end = min(triangleTotal, (group + 1) * GROUP);
    for (let t = group * GROUP; t < end; t++) {
      if (!boundTriangle(t)) continue;
      low = f32x4.pmin(low, triangleLow);
      high = f32x4.pmax(high, triangleHigh);
    }
    v128.store(groupBoxes + ((<usize>group) << 5), low);
    v128.store(groupBoxes + ((<usize>group) << 5), high, 16);
  }
}

let triangleLow: v128 = f32x4.splat(0);
let triangleHigh: v128 = f32x4.splat(0);

/** Box of a triangle; false when one of its nodes has bad numbers. */
function boundTriangle(t: i32): bool {
  const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
  const a = load<i32>(nodes);
  const b = load<i32>(nodes, 4);
  const c = load<i32>(nodes, 8);
  if (!isBoxed(a) || !isBoxed(b) || !isBoxed(c)) return false;
  const p = nodeBoxes + ((<usize>a) << 5);
  const q = nodeBoxes + ((<usize>b) << 5);
  const r = nodeBoxes + ((<usize>c) << 5);
  triangleLow = f32x4.pmin(f32x4.pmin(v128.load(p), v128.load(q)), v128.load(r));
  triangleHigh = f32x4.pmax(f32x4.pmax(v128.load(p, 16), v128.load(q, 16)), v128.load(r, 16));
  return true;
}

function meetCollider(object: i32, collider: i32): void {
  const box = boxRow(COLLIDER_BOX, collider);
  if (!boxesOverlap(box, OBJECT_BOX)) return;
  const body = getI32(column(COLLIDER_BODY), collider);
  if (getI32(column(BODY_FLAGS), body) & BODY_QUARANTINED) return;
  const low = lanesOf(box, -1);
  const high = lanesOf(box + 24, 1);
  const first = getI32(column(OBJECT_TRIANGLES), 2 * object);
  const end = first + getI32(column(OBJECT_TRIANGLES), 2 * object + 1);
  stamp++;
  let chosen = false;
  for (let t = first; t < end; t++) {
    if (t == first || t % GROUP == 0) {
      const group = groupBoxes + ((<usize>(t / GROUP)) << 5);
      if (isApart(low, high, v128.load(group), v128.load(group, 16))) {
        t = min(end, (t / GROUP + 1) * GROUP) - 1;
        continue;
      }
    }
    if (!boundTriangle(t) || isApart(low, high, triangleLow, triangleHigh) || !isToLookAt(t)) continue;
    if (!chosen) {
      chosen = true;
      choose(object, collider, body);
    }
    lookAt(t);
  }
}

/** Three f64 as f32, rounded down (−1) or up (1). */
function lanesOf(row: usize, way: f64): v128 {
  let v = f32x4.splat(0);
  const x = load<f64>(row);
  const y = load<f64>(row, 8);
  const z = load<f64>(row, 16);
  v = f32x4.replace_lane(v, 0, <f32>(x + way * (ROUNDING * abs(x) + LEAST)));
  v = f32x4.replace_lane(v, 1, <f32>(y + way * (ROUNDING * abs(y) + LEAST)));
  return f32x4.replace_lane(v, 2, <f32>(z + way * (ROUNDING * abs(z) + LEAST)));
}

function isApart(low: v128, high: v128, otherLow: v128, otherHigh: v128): bool {
  return (i32x4.bitmask(v128.or(f32x4.gt(low, otherHigh), f32x4.gt(otherLow, high))) & 7) != 0;
}

/** In a further look: whether a node of the triangle moves otherwise than before. */
function isToLookAt(t: i32): bool {
  if (!append) return true;
  const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
  return isMoved(load<i32>(nodes)) || isMoved(load<i32>(nodes, 4)) || isMoved(load<i32>(nodes, 8));
}

let isMesh: bool = false;
let isPlane: bool = false;

function choose(object: i32, collider: i32, body: i32): void {
  const shape = getI32(column(COLLIDER_SHAPE), collider);
  const kind = getI32(column(SHAPE_KIND), shape);
  isMesh = isOneOf(kind, TRIANGLE_KINDS);
  isPlane = kind == SHAPE_PLANE;
  chooseBody(collider, body, radiusOf(object));
  chooseCollider(collider, body, shape);
  if (crossing) beginWatching(collider, radiusOf(object), isMesh ? shape : -1);
  if (isMesh) chooseMesh(shape, collider);
  else chooseShape(shape);
}

function lookAt(t: i32): void {
  const nodes = column(TRIANGLE_NODE) + ((<usize>t) << 4);
  if (crossing) {
    watch(t, nodes);
    return;
  }
  for (let k: usize = 0; k < 12; k += 4) {
    const node = load<i32>(nodes + k);
    if (getI32(nodeStamps, node) == stamp) continue;
    setI32(nodeStamps, node, stamp);
    if (isMesh) lookAtMeshNode(node);
    else lookAtNode(node);
  }
  // No part of a triangle is lower over a plane than its nodes.
  if (isPlane) return;
  const edges = column(TRIANGLE_EDGE) + ((<usize>t) << 4);
  for (let k: usize = 0; k < 12; k += 4) {
    const edge = load<i32>(edges + k);
    if (getI32(edgeStamps, edge) == stamp) continue;
    setI32(edgeStamps, edge, stamp);
    const ends = column(MESH_EDGE_NODE) + ((<usize>edge) << 4);
    if (isMesh) lookAtMeshEdge(edge, load<i32>(ends), load<i32>(ends, 4));
    else lookAtEdge(edge, load<i32>(ends), load<i32>(ends, 4));
  }
  if (isMesh) lookAtMeshTriangle(t);
  else lookAtTriangle(t);
}

/** As `lookAt`, where only what would get into the body counts. */
function watch(t: i32, nodes: usize): void {
  for (let k: usize = 0; k < 12; k += 4) {
    const node = load<i32>(nodes + k);
    if (getI32(nodeStamps, node) == stamp) continue;
    setI32(nodeStamps, node, stamp);
    if (isMesh) watchMeshNode(node);
    else watchNode(node);
  }
  if (isPlane) return;
  const edges = column(TRIANGLE_EDGE) + ((<usize>t) << 4);
  for (let k: usize = 0; k < 12; k += 4) {
    const edge = load<i32>(edges + k);
    if (getI32(edgeStamps, edge) == stamp) continue;
    setI32(edgeStamps, edge, stamp);
    const ends = column(MESH_EDGE_NODE) + ((<usize>edge) << 4);
    if (isMesh) watchMeshEdge(load<i32>(ends), load<i32>(ends, 4));
    else watchEdge(edge, load<i32>(ends), load<i32>(ends, 4));
  }
  if (isMesh) watchMeshTriangle(t);
  else watchTriangle(t);
}
