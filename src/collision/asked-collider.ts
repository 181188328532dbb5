// The collider that a shape asks about: its pose now in the frame of the question, and its convex pieces.
//
// In: tables, a collider slot, the asked position (origin of the frame). Out: `asked`, and of meshes the triangles
// that a moving box may meet, as pieces. Nothing of the simulation is written.

import type { Arena } from '../core/arena';
import { multiplyQuaternion, rotateVector } from '../math/quaternion';
import * as L from '../state/layout';
import { isMesh } from '../state/shape-traits';
import type { Tables } from '../state/tables';
import { type Convex, createConvex, extentAlong, normalOf, readConvex, setCorners, turnConvex } from './convex';
import { createWay, enterBox } from './way';

/** Where colliders are looked up. */
interface ColliderWorld {
  readonly arena: Arena;
  readonly tables: Tables;
}

/** The collider in hand. Of a plane the size is its outward normal in world axes. */
export const asked: Convex = createConvex();
/** The triangle in hand, and its outward unit normal in the frame. */
export const triangle: Convex = createConvex();
export const triangleNormal: Float64Array = new Float64Array(3);

const corners = new Float64Array(9);
setCorners(triangle, corners);

const rotation = new Float64Array(4);
let mesh = 0;
/** Bounds of the shape in hand in its own frame. */
const box = new Float64Array(6);

/** Takes a collider in hand where it is; `origin` is where the frame of the question lies in the world [m]. */
export function takeCollider(world: ColliderWorld, collider: number, origin: ArrayLike<number>): void {
  const { colliders, bodies } = world.tables;
  const at = 4 * colliders.body[collider];
  placeCollider(world, collider, origin, bodies.position, at, bodies.rotation, at);
}

/** Takes a collider in hand as if its body were at another pose: place [m] and rotation, each with an offset. */
export function placeCollider(
  { arena, tables }: ColliderWorld,
  collider: number,
  origin: ArrayLike<number>,
  position: Float64Array,
  at: number,
  turn: Float64Array,
  turnAt: number,
): void {
  const { colliders, shapes } = tables;
  const row = colliders.shape[collider];
  multiplyQuaternion(rotation, 0, turn, turnAt, colliders.localRotation, 4 * collider);
  rotateVector(asked.position, 0, turn, turnAt, colliders.localPosition, 4 * collider);
  for (let k = 0; k < 3; k++) asked.position[k] += position[at + k] - origin[k];
  turnConvex(asked, rotation);
  readConvex(asked, arena, { shapes }, row);
  for (let k = 0; k < 6; k++) box[k] = shapes.box[6 * row + k];
  if (asked.kind === L.SHAPE_PLANE) rotateVector(asked.size, 0, rotation, 0, asked.size, 0);
  mesh = isMesh(asked.kind) ? shapes.data[row] : 0;
}

/** A shape on its way, in the own axes of the collider in hand: bounds at the start, direction. */
const way = createWay();

/** Looks at the way of a shape in the axes of the collider in hand; it stands where its position says. */
export function setWay(shape: Convex, direction: ArrayLike<number>): void {
  const { turn, position } = asked;
  const { low, high, along } = way;
  for (let k = 0; k < 3; k++) {
    const x = turn[k];
    const y = turn[3 + k];
    const z = turn[6 + k];
    const at = x * position[0] + y * position[1] + z * position[2];
    high[k] = extentAlong(shape, x, y, z) - at;
    low[k] = -extentAlong(shape, -x, -y, -z) - at;
    along[k] = x * direction[0] + y * direction[1] + z * direction[2];
  }
}

/** Where the way enters the bounds of the collider in hand, infinite where it does not by `limit`. */
export function enterBounds(limit: number, slack: number): number {
  return enterBox(way, box, 0, limit, slack);
}

const stack: number[] = [];

/**
 * Puts the triangles whose boxes, widened by `slack` [m], the way enters in hand, one after the other; `visit` gets
 * where it enters, and returns up to where the way still counts.
 */
export function visitTriangles(
  arena: Arena,
  limit: number,
  slack: () => number,
  visit: (enter: number) => number,
): void {
  const { f64, i32 } = arena;
  const nodes = mesh + i32[(mesh + L.MESH_NODES) >> 2];
  let reach = limit;
  stack.length = 0;
  stack.push(0);
  while (stack.length > 0) {
    const index = stack.pop() as number;
    const node = nodes + index * L.MESH_NODE_BYTES;
    if (enterBox(way, f64, node >> 3, reach, slack()) > reach) continue;
    const first = i32[(node >> 2) + 12];
    const link = i32[(node >> 2) + 13];
    if (first < 0) {
      stack.push(link, index + 1);
      continue;
    }
    for (let t = first; t < first + link; t++) {
      takeTriangle(arena, t);
      const enter = enterBox(way, bounds, 0, reach, slack());
      if (enter <= reach) reach = visit(enter);
    }
  }
}

const bounds = new Float64Array(6);
const normal = new Float64Array(3);

function takeTriangle({ f64, i32 }: Arena, number: number): void {
  const record = (mesh + i32[(mesh + L.MESH_TRIANGLES) >> 2] + 16 * number) >> 2;
  const vertices = (mesh + i32[(mesh + L.MESH_VERTICES) >> 2]) >> 3;
  for (let c = 0; c < 3; c++) {
    const at = vertices + 3 * i32[record + c];
    for (let k = 0; k < 3; k++) corners[3 * c + k] = f64[at + k];
  }
  for (let k = 0; k < 3; k++) {
    bounds[k] = Math.min(corners[k], corners[3 + k], corners[6 + k]);
    bounds[3 + k] = Math.max(corners[k], corners[3 + k], corners[6 + k]);
  }
  triangle.turn.set(asked.turn);
  triangle.position.set(asked.position);
  normalOf(normal, corners);
  for (let k = 0; k < 3; k++) {
    const { turn } = asked;
    triangleNormal[k] = turn[3 * k] * normal[0] + turn[3 * k + 1] * normal[1] + turn[3 * k + 2] * normal[2];
  }
}
