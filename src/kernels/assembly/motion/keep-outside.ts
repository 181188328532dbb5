// Keeps bodies out of what stands still or is driven: no centre of a convex part goes into it, or through a mesh.
//
// In: the poses of colliders at the start of the step, those of bodies at its end, the active pairs. Out: BODY_POSITION
// of bodies that would have gone in, moved back so that this centre goes along the surface instead.
//
// Contacts are made before bodies meet (speculative distance) and nearly always suffice. They miss what changes its
// way within a step: a small ball that bounces in a crease, a stick whose end hits and whose middle is thrown down.
// Behind the middle of a thin wall, or wholly behind a triangle, contacts push on or not at all, so nothing must
// get there. Velocities are left alone: the overlap that remains is a contact of the next step, as any other.
//
// Limits: the centre's way is taken as straight, relative to the other collider; what lies between two moving bodies
// is left to the contacts, and so is what the game changes itself (modifyContacts).

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
  PAIR_BODY_A,
  PAIR_BODY_B,
  PAIR_COLLIDER_A,
  PAIR_COLLIDER_B,
  PAIR_DISABLED,
  PAIR_EXTRA,
  PAIR_FLAGS,
  PAIR_MODIFIED,
  PAIR_SENSOR,
} from '../../../state/layout';
import { placeCollider, row4 } from '../math/boxes';
import { dot3 } from '../math/vector';
import { cell, column, getI32 } from '../memory';
import { thinnestHalf } from '../narrow/manifold';
import { enterFrame, moveToWorld, tx, ty, tz } from '../queries/frame';
import { hitDistance, hitNormalX, hitNormalY, hitNormalZ, rayEntersShape } from '../queries/ray';

/** Ways below this share of the thinnest half extent are not looked at: contacts have many steps to act. */
const SLIGHT: f64 = 0.02;
/** How far before the surface the centre is left, as a share of the thinnest half extent. */
const BEFORE: f64 = 0.01;
/** Most faces along which a centre is led in one step; then it stays. */
const TURNS: i32 = 4;

const POSITION: usize = memory.data(32, 16);
const ROTATION: usize = memory.data(32, 16);

/**
 * Looks at every pair of a dynamic body and one that is not, once the bodies have moved;
 * what stands still has the last word.
 */
export function keepOutside(): void {
  keepOutsideOf(false);
  keepOutsideOf(true);
}

/** The same for all that stands still, or all that is driven. */
function keepOutsideOf(still: bool): void {
  const list = column(ACTIVE_LIST);
  const count = cell(ACTIVE_COUNT);
  const bodyA = column(PAIR_BODY_A);
  const bodyB = column(PAIR_BODY_B);
  const bodyFlags = column(BODY_FLAGS);
  const pairFlags = column(PAIR_FLAGS);
  const colliderA = column(PAIR_COLLIDER_A);
  const colliderB = column(PAIR_COLLIDER_B);
  for (let i = 0; i < count; i++) {
    const pair = getI32(list, i);
    const isDynamicA = getI32(bodyFlags, getI32(bodyA, pair)) & BODY_DYNAMIC;
    const isDynamicB = getI32(bodyFlags, getI32(bodyB, pair)) & BODY_DYNAMIC;
    if (isDynamicA == isDynamicB) continue;
    if (getI32(pairFlags, pair) & (PAIR_EXTRA | PAIR_SENSOR | PAIR_DISABLED | PAIR_MODIFIED)) continue;
    const a = getI32(colliderA, pair);
    const b = getI32(colliderB, pair);
    const other = getI32(isDynamicA ? bodyB : bodyA, pair);
    if (((getI32(bodyFlags, other) & BODY_STATIC) != 0) != still) continue;
    if (isDynamicA) keepCentre(a, b);
    else keepCentre(b, a);
  }
}

/** Keeps the centre of `collider` out of `other`. */
function keepCentre(collider: i32, other: i32): void {
  const bodies = column(COLLIDER_BODY);
  const body = getI32(bodies, collider);
  const isStill = (getI32(column(BODY_FLAGS), getI32(bodies, other)) & BODY_STATIC) != 0;
  placeCollider(collider, body, POSITION, ROTATION);
  const toX = load<f64>(POSITION);
  const toY = load<f64>(POSITION, 8);
  const toZ = load<f64>(POSITION, 16);
  const from = row4(COLLIDER_POSITION, collider);
  wx = load<f64>(from);
  wy = load<f64>(from, 8);
  wz = load<f64>(from, 16);
  const slight = SLIGHT * thinnestHalf(collider);
  if (isStill) {
    const squared = dot3(toX - wx, toY - wy, toZ - wz, toX - wx, toY - wy, toZ - wz);
    if (!(squared > slight * slight)) return;
    enterFrame(other);
  } else {
    // Where the way would have begun, had the other collider been where it is now.
    toLocal(row4(COLLIDER_POSITION, other), row4(COLLIDER_ROTATION, other));
    enterFrame(other);
    moveToWorld(wx, wy, wz);
    wx = tx;
    wy = ty;
    wz = tz;
  }
  if (!walk(toX - wx, toY - wy, toZ - wz, thinnestHalf(collider))) return;
  const position = row4(BODY_POSITION, body);
  store<f64>(position, load<f64>(position) + (wx - toX));
  store<f64>(position, load<f64>(position, 8) + (wy - toY), 8);
  store<f64>(position, load<f64>(position, 16) + (wz - toZ), 16);
}

// The centre on its way, world coordinates.
let wx: f64 = 0;
let wy: f64 = 0;
let wz: f64 = 0;

/**
 * Takes the centre along d as far as it does not enter the shape of the frame, then along the surface.
 * True when something was in the way.
 */
function walk(dx: f64, dy: f64, dz: f64, thin: f64): bool {
  for (let turns = 0; turns < TURNS; turns++) {
    const way = Math.sqrt(dot3(dx, dy, dz, dx, dy, dz));
    if (!(way > (turns == 0 ? SLIGHT * thin : 0))) return turns > 0;
    if (!rayEntersShape(wx, wy, wz, dx / way, dy / way, dz / way, way)) {
      wx += dx;
      wy += dy;
      wz += dz;
      return turns > 0;
    }
    // To just before the surface; what is left of the way goes on along it, at a small height.
    const share = Math.max(0, hitDistance - BEFORE * thin) / way;
    wx += share * dx;
    wy += share * dy;
    wz += share * dz;
    const into = dot3(dx, dy, dz, hitNormalX, hitNormalY, hitNormalZ);
    const height = -into * (hitDistance / way - share);
    const lift = Math.max(0, BEFORE * thin - height) - (1 - share) * into;
    dx = (1 - share) * dx + lift * hitNormalX;
    dy = (1 - share) * dy + lift * hitNormalY;
    dz = (1 - share) * dz + lift * hitNormalZ;
  }
  return true;
}

/** The centre in the frame with the given position and rotation: v + 2 (w (q × v) + q × (q × v)), q turned round. */
function toLocal(position: usize, rotation: usize): void {
  const x = wx - load<f64>(position);
  const y = wy - load<f64>(position, 8);
  const z = wz - load<f64>(position, 16);
  const qx = -load<f64>(rotation);
  const qy = -load<f64>(rotation, 8);
  const qz = -load<f64>(rotation, 16);
  const w = load<f64>(rotation, 24);
  const cx = 2 * (qy * z - qz * y);
  const cy = 2 * (qz * x - qx * z);
  const cz = 2 * (qx * y - qy * x);
  wx = x + w * cx + qy * cz - qz * cy;
  wy = y + w * cy + qz * cx - qx * cz;
  wz = z + w * cz + qx * cy - qy * cx;
}
