// What the filter knows of the leaves of the trees of edges and triangles: four a record, in the order of the tree, so
// that one leaf is tested against a block of four without gathering anything (filter.ts).
//
// In: leaves as tree.ts has sorted them; places and displacements of the nodes in f32, less origin and mean of all
// (boxes.ts). Out: records, four lanes a number.

import { MESH_EDGE_NODE, TRIANGLE_NODE } from '../../../state/layout';
import { column, getI32 } from '../memory';
import { EDGES, leafCount, TRIANGLES } from './tree';
import {
  EDGE_RECORD,
  edgeLeaves,
  edgeRecords,
  isMoved,
  NODE_RECORD,
  nodeRecords,
  objectOf,
  radiusOf,
  TRIANGLE_RECORD,
  triangleLeaves,
  triangleRecords,
} from './work';

// Fields of a record of four [B]: 16 a number, 48 a vector. Of both kinds:
export const OBJECT: usize = 0;
/** −1 where any node is to be looked at. */
export const MOVED: usize = 16;
export const RADIUS: usize = 32;
/** Farthest motion beyond the mean. */
export const STRAY: usize = 48;
export const NODE: usize = 64;
// Of edges: middle, half of the way from end to end, displacement of the middle, half the difference of the ends'.
export const MIDDLE: usize = 112;
export const HALF: usize = 160;
export const MEAN: usize = 208;
export const BEND: usize = 256;
/** −1 for the edge of a rod, in the place of a third node. */
export const ROD: usize = 96;
// Of triangles: the first corner, the ways from there to the others, and their displacements alike.
export const CORNER: usize = 112;
export const SIDE_B: usize = 160;
export const SIDE_C: usize = 208;
export const WAY: usize = 256;
export const WAY_B: usize = 304;
export const WAY_C: usize = 352;

/** Place x y z and 0; displacement x y z and its length, rounded up. */
export function nodeRecord(node: i32): usize {
  return nodeRecords + <usize>node * NODE_RECORD;
}

function placeOf(node: i32): v128 {
  return v128.load(nodeRecord(node));
}

function wayOf(node: i32): v128 {
  return v128.load(nodeRecord(node), 16);
}

/** How far a node moves beyond the mean of all, at most [m]. */
export function strayOf(node: i32): f32 {
  return load<f32>(nodeRecord(node), 28);
}

function storeVector(at: usize, v: v128): void {
  v128.store32_lane(at, v, 0);
  v128.store32_lane(at, v, 1, 16);
  v128.store32_lane(at, v, 2, 32);
}

function storeCommon(at: usize, object: i32, isAnyMoved: bool, stray: f32): void {
  store<i32>(at, object, OBJECT);
  store<i32>(at, isAnyMoved ? -1 : 0, MOVED);
  store<f32>(at, <f32>radiusOf(object), RADIUS);
  store<f32>(at, stray, STRAY);
}

/** Writes the records of all leaves. */
export function writeRecords(): void {
  const edges = leafCount(EDGES);
  for (let leaf = 0; leaf < edges; leaf++) writeEdge(leaf);
  const triangles = leafCount(TRIANGLES);
  for (let leaf = 0; leaf < triangles; leaf++) writeTriangle(leaf);
}

function writeEdge(leaf: i32): void {
  const name = getI32(edgeLeaves, leaf);
  const ends = column(MESH_EDGE_NODE);
  const a = name < 0 ? ~name : getI32(ends, 4 * name);
  const b = name < 0 ? ~name + 1 : getI32(ends, 4 * name + 1);
  const at = edgeRecords + <usize>(leaf >> 2) * EDGE_RECORD + ((<usize>(leaf & 3)) << 2);
  storeCommon(at, objectOf(a), isMoved(a) || isMoved(b), max(strayOf(a), strayOf(b)));
  store<i32>(at, a, NODE);
  store<i32>(at, b, NODE + 16);
  store<i32>(at, name < 0 ? -1 : 0, ROD);
  const half = f32x4.splat(0.5);
  storeVector(at + MIDDLE, f32x4.mul(half, f32x4.add(placeOf(b), placeOf(a))));
  storeVector(at + HALF, f32x4.mul(half, f32x4.sub(placeOf(b), placeOf(a))));
  storeVector(at + MEAN, f32x4.mul(half, f32x4.add(wayOf(b), wayOf(a))));
  storeVector(at + BEND, f32x4.mul(half, f32x4.sub(wayOf(b), wayOf(a))));
}

function writeTriangle(leaf: i32): void {
  const corners = column(TRIANGLE_NODE) + ((<usize>getI32(triangleLeaves, leaf)) << 4);
  const a = load<i32>(corners);
  const b = load<i32>(corners, 4);
  const c = load<i32>(corners, 8);
  const at = triangleRecords + <usize>(leaf >> 2) * TRIANGLE_RECORD + ((<usize>(leaf & 3)) << 2);
  const isAnyMoved = isMoved(a) || isMoved(b) || isMoved(c);
  storeCommon(at, load<i32>(corners, 12), isAnyMoved, max(strayOf(a), max(strayOf(b), strayOf(c))));
  store<i32>(at, a, NODE);
  store<i32>(at, b, NODE + 16);
  store<i32>(at, c, NODE + 32);
  storeVector(at + CORNER, placeOf(a));
  storeVector(at + SIDE_B, f32x4.sub(placeOf(b), placeOf(a)));
  storeVector(at + SIDE_C, f32x4.sub(placeOf(c), placeOf(a)));
  storeVector(at + WAY, wayOf(a));
  storeVector(at + WAY_B, f32x4.sub(wayOf(b), wayOf(a)));
  storeVector(at + WAY_C, f32x4.sub(wayOf(c), wayOf(a)));
}
