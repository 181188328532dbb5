// Keeps bodies in front of the meshes they come from: no centre of a convex part goes through a triangle.
//
// In: the poses of colliders at the start of the step, those of bodies at its end, the active pairs. Out: BODY_POSITION
// of bodies that would have gone through, moved back along the way of this centre to just before the triangle.
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
  SHAPE_BOX,
  SHAPE_DATA,
  SHAPE_KIND,
  SHAPE_MESH,
} from '../../state/layout';
import { boxRow, placeCollider, row4 } from './boxes';
import { cell, column, getI32 } from './memory';
import { rayEntersMesh } from './queries-mesh';
import { dot3 } from './vector';

/** Ways below this share of the thinnest half extent are not looked at: contacts have many steps to act. */
const SLIGHT: f64 = 0.02;
/** How far before the triangle the centre is left, as a share of the thinnest half extent. */
const BEFORE: f64 = 0.01;

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
  const oldPosition = row4(COLLIDER_POSITION, a);
  let meshPosition = row4(COLLIDER_POSITION, b);
  let meshRotation = row4(COLLIDER_ROTATION, b);
  toLocal(oldPosition, meshPosition, meshRotation);
  const ox = lx;
  const oy = ly;
  const oz = lz;
  if (!(getI32(column(BODY_FLAGS), ground) & BODY_STATIC)) {
    placeCollider(b, ground, MESH_POSITION, MESH_ROTATION);
    meshPosition = MESH_POSITION;
    meshRotation = MESH_ROTATION;
  }
  toLocal(NEW_POSITION, meshPosition, meshRotation);
  const dx = lx - ox;
  const dy = ly - oy;
  const dz = lz - oz;
  const way = Math.sqrt(dot3(dx, dy, dz, dx, dy, dz));
  const thin = thinnest(getI32(column(COLLIDER_SHAPE), a));
  if (!(way > SLIGHT * thin)) return;

  // Back to just before the first triangle that the centre enters from its front.
  const mesh = <usize>getI32(column(SHAPE_DATA), getI32(column(COLLIDER_SHAPE), b));
  const hit = rayEntersMesh(mesh, ox, oy, oz, dx / way, dy / way, dz / way, way);
  if (hit < 0) return;
  const back = way - Math.max(0, hit - BEFORE * thin);
  toWorldTurn((dx / way) * back, (dy / way) * back, (dz / way) * back, meshRotation);
  const position = row4(BODY_POSITION, body);
  store<f64>(position, load<f64>(position) - lx);
  store<f64>(position, load<f64>(position, 8) - ly, 8);
  store<f64>(position, load<f64>(position, 16) - lz, 16);
}

/** Least half extent of a shape's local box [m]. */
function thinnest(shape: i32): f64 {
  const box = boxRow(SHAPE_BOX, shape);
  const x = load<f64>(box, 24) - load<f64>(box);
  const y = load<f64>(box, 32) - load<f64>(box, 8);
  const z = load<f64>(box, 40) - load<f64>(box, 16);
  return 0.5 * Math.min(x, Math.min(y, z));
}

// Result of `toLocal` and `toWorldTurn`.
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
function toWorldTurn(x: f64, y: f64, z: f64, rotation: usize): void {
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
