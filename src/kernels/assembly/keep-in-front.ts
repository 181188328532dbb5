// Keeps bodies in front of the meshes they come from: no centre of a convex part goes through a triangle.
//
// In: the poses of colliders at the start of the step, those of bodies at its end, the active pairs. Out: BODY_POSITION
// of bodies that would have gone through, moved back so that this centre goes along the triangle instead.
//
// Contacts are made before bodies meet (speculative distance) and nearly always suffice. They miss what changes its
// way within a step: a small ball that bounces in a crease, a stick whose end hits and whose middle is thrown down.
// A body that is wholly behind a triangle is not touched by it any more (collide-mesh), so it must not get there.
// Velocities are left alone: the overlap that remains is a contact of the next step, as any other.
//
// Limits: the centre's way is taken as straight, relative to the mesh; parts without their centre (a ring of parts)
// are kept part by part.

import {
  ACTIVE_COUNT,
  ACTIVE_LIST,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_POSITION,
  BODY_STATIC,
  COLLIDER_BODY,
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  COLLIDER_SHAPE,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_DISABLED,
  PAIR_EXTRA,
  PAIR_FLAGS,
  PAIR_NEXT,
  PAIR_SENSOR,
  SHAPE_DATA,
  SHAPE_KIND,
  SHAPE_MESH,
} from '../../state/layout';
import { placeCollider, row4 } from './boxes';
import { thinnestHalf } from './manifold';
import { cell, column, getI32 } from './memory';
import { meshNormalX, meshNormalY, meshNormalZ, rayEntersMesh } from './queries-mesh';
import { dot3 } from './vector';

/** Ways below this share of the thinnest half extent are not looked at: contacts have many steps to act. */
const SLIGHT: f64 = 0.02;
/** How far before the triangle the centre is left, as a share of the thinnest half extent. */
const BEFORE: f64 = 0.01;
/** Most triangles along which a centre is led in one step; then it stays. */
const TURNS: i32 = 4;

const NEW_POSITION: usize = memory.data(32, 16);
const NEW_ROTATION: usize = memory.data(32, 16);
const MESH_POSITION: usize = memory.data(32, 16);
const MESH_ROTATION: usize = memory.data(32, 16);

/** Looks at every pair of a moving body and a mesh, once the bodies have moved. */
export function keepInFront(): void {
  const list = column(ACTIVE_LIST);
  const count = cell(ACTIVE_COUNT);
  const colliderB = column(PAIR_COLLIDER_B);
  const shapes = column(COLLIDER_SHAPE);
  const kinds = column(SHAPE_KIND);
  for (let i = 0; i < count; i++) {
    const pair = getI32(list, i);
    if (getI32(kinds, getI32(shapes, getI32(colliderB, pair))) == SHAPE_MESH) keepPair(pair);
  }
}

function keepPair(pair: i32): void {
  const flags = column(PAIR_FLAGS);
  if (getI32(flags, pair) & (PAIR_EXTRA | PAIR_SENSOR)) return;
  // What the game lets through may go through.
  const next = column(PAIR_NEXT);
  for (let slot = pair; slot >= 0; slot = getI32(next, slot)) if (getI32(flags, slot) & PAIR_DISABLED) return;
  const a = getI32(column(PAIR_COLLIDER_A), pair);
  const b = getI32(column(PAIR_COLLIDER_B), pair);
  const bodies = column(COLLIDER_BODY);
  const body = getI32(bodies, a);
  const ground = getI32(bodies, b);
  if (!(getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC)) return;

  // Both ends of the centre's way, in the frame of the mesh.
  placeCollider(a, body, NEW_POSITION, NEW_ROTATION);
  let meshPosition = row4(COLLIDER_POSITION, b);
  let meshRotation = row4(COLLIDER_ROTATION, b);
  toLocal(row4(COLLIDER_POSITION, a), meshPosition, meshRotation);
  const startX = lx;
  const startY = ly;
  const startZ = lz;
  if (!(getI32(column(BODY_FLAGS), ground) & BODY_STATIC)) {
    placeCollider(b, ground, MESH_POSITION, MESH_ROTATION);
    meshPosition = MESH_POSITION;
    meshRotation = MESH_ROTATION;
  }
  toLocal(NEW_POSITION, meshPosition, meshRotation);
  const thin = thinnestHalf(a);
  const mesh = <usize>getI32(column(SHAPE_DATA), getI32(column(COLLIDER_SHAPE), b));
  const targetX = lx;
  const targetY = ly;
  const targetZ = lz;
  if (!walk(mesh, startX, startY, startZ, lx - startX, ly - startY, lz - startZ, thin)) return;
  turnToWorld(wx - targetX, wy - targetY, wz - targetZ, meshRotation);
  const position = row4(BODY_POSITION, body);
  store<f64>(position, load<f64>(position) + lx);
  store<f64>(position, load<f64>(position, 8) + ly, 8);
  store<f64>(position, load<f64>(position, 16) + lz, 16);
}

// Where `walk` ended.
let wx: f64 = 0;
let wy: f64 = 0;
let wz: f64 = 0;

/**
 * Takes the centre from x y z along d as far as no triangle is entered from its front, then along that triangle.
 * True when something was in the way; the end is in wx wy wz.
 */
function walk(mesh: usize, x: f64, y: f64, z: f64, dx: f64, dy: f64, dz: f64, thin: f64): bool {
  wx = x;
  wy = y;
  wz = z;
  for (let turns = 0; turns < TURNS; turns++) {
    const way = Math.sqrt(dot3(dx, dy, dz, dx, dy, dz));
    if (!(way > (turns == 0 ? SLIGHT * thin : 0))) return turns > 0;
    const hit = rayEntersMesh(mesh, wx, wy, wz, dx / way, dy / way, dz / way, way);
    if (hit < 0) {
      wx += dx;
      wy += dy;
      wz += dz;
      return turns > 0;
    }
    // To just before the triangle; what is left of the way goes on along it, at a small height.
    const share = Math.max(0, hit - BEFORE * thin) / way;
    wx += share * dx;
    wy += share * dy;
    wz += share * dz;
    const into = dot3(dx, dy, dz, meshNormalX, meshNormalY, meshNormalZ);
    const height = -into * (hit / way - share);
    const lift = Math.max(0, BEFORE * thin - height) - (1 - share) * into;
    dx = (1 - share) * dx + lift * meshNormalX;
    dy = (1 - share) * dy + lift * meshNormalY;
    dz = (1 - share) * dz + lift * meshNormalZ;
  }
  return true;
}

// Result of `toLocal` and `turnToWorld`.
let lx: f64 = 0;
let ly: f64 = 0;
let lz: f64 = 0;

/** Point at `p` in the frame with the given position and rotation. */
function toLocal(p: usize, position: usize, rotation: usize): void {
  turn(
    load<f64>(p) - load<f64>(position),
    load<f64>(p, 8) - load<f64>(position, 8),
    load<f64>(p, 16) - load<f64>(position, 16),
    -load<f64>(rotation),
    -load<f64>(rotation, 8),
    -load<f64>(rotation, 16),
    load<f64>(rotation, 24),
  );
}

/** Vector of the frame with the given rotation, in world axes. */
function turnToWorld(x: f64, y: f64, z: f64, rotation: usize): void {
  turn(x, y, z, load<f64>(rotation), load<f64>(rotation, 8), load<f64>(rotation, 16), load<f64>(rotation, 24));
}

/** v turned by the unit quaternion (q, w): v + 2 (w (q × v) + q × (q × v)). */
function turn(x: f64, y: f64, z: f64, qx: f64, qy: f64, qz: f64, w: f64): void {
  const cx = 2 * (qy * z - qz * y);
  const cy = 2 * (qz * x - qx * z);
  const cz = 2 * (qx * y - qy * x);
  lx = x + w * cx + qy * cz - qz * cy;
  ly = y + w * cy + qz * cx - qx * cz;
  lz = z + w * cz + qx * cy - qy * cx;
}
