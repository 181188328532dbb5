// Convex shapes as the generic narrowphase sees them: two slots in one working frame, the local frame of
// collider B. A slot answers four questions: farthest point of the core, extent of the full shape, best face
// along a direction, and the core's rounding radius.
//
// The core is the shape moved inwards by its rounding: a point for a sphere, a segment for a capsule, the
// smaller cylinder or cone inside a cylinder or cone. Distances between cores stay well away from zero for
// touching shapes, so that the direction between them is well conditioned (see narrow/collide-generic.ts). Boxes,
// hulls and triangles are their own cores.
//
// In: shape and collider tables. Out: module variables named at each function. State lives for one call only.

import {
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  COLLIDER_SHAPE,
  HULL_EDGE_COUNT,
  HULL_EDGES,
  HULL_FACE_COUNT,
  HULL_PLANES,
  HULL_VERTICES,
  RIMMED_KINDS,
  ROUND_KINDS,
  SHAPE_BOX_KIND,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_DATA,
  SHAPE_HULL,
  SHAPE_KIND,
  SHAPE_PARAMETER,
  SHAPE_SPHERE,
} from '../../../state/layout';
import { dot3 } from '../math/vector';
import { column, copy24, getI32 } from '../memory';
import { farthestCorner } from './hull-scan';
import { isOneOf } from './kinds';

/** Kind of a slot that holds a triangle; beside the SHAPE_* kinds. */
export const TRIANGLE: i32 = 16;

// Slot layout in bytes. A triangle keeps its three corners, already in the working frame, in CORNERS.
const KIND: usize = 0; // i32
const DATA: usize = 4; // i32: hull record
const ROTATION: usize = 8; // f64×9, rows: working = R · local + POSITION
const POSITION: usize = 80; // f64×3
const SIZE: usize = 104; // f64×3: SHAPE_PARAMETER
const CORE: usize = 128; // f64×3: core radius, core top, core bottom
const ROUNDING: usize = 152; // f64: full shape = core + ball of this radius (cylinder, cone: contained in the shape)
const CORNERS: usize = 160; // f64×9
const NORMAL: usize = 232; // f64×3: triangle's unit normal

export const SLOT_A: usize = memory.data(256, 16);
export const SLOT_B: usize = memory.data(256, 16);

/** How far the core of a cylinder or cone lies inside it, as a share of its inner radius. */
const CORE_SHARE: f64 = 0.02;

// Rotation of B and its position: working frame → world.
let r00: f64 = 1;
let r01: f64 = 0;
let r02: f64 = 0;
let r10: f64 = 0;
let r11: f64 = 1;
let r12: f64 = 0;
let r20: f64 = 0;
let r21: f64 = 0;
let r22: f64 = 1;
let originX: f64 = 0;
let originY: f64 = 0;
let originZ: f64 = 0;

/** Results of `toWorld`, `turnToWorld`, `toWorking`. */
export let ox: f64 = 0;
export let oy: f64 = 0;
export let oz: f64 = 0;
/** Result of `supportCore`. */
export let sx: f64 = 0;
export let sy: f64 = 0;
export let sz: f64 = 0;
/** Result of `findFace`, `readFace`: outward unit normal, number, and offset (n·x = d) of the face. */
export let faceX: f64 = 0;
export let faceY: f64 = 0;
export let faceZ: f64 = 0;
export let faceOffset: f64 = 0;
export let faceIndex: i32 = 0;

function readRotation(collider: i32): void {
  const q = column(COLLIDER_ROTATION) + ((<usize>collider) << 5);
  const x = load<f64>(q);
  const y = load<f64>(q, 8);
  const z = load<f64>(q, 16);
  const w = load<f64>(q, 24);
  r00 = 1 - 2 * (y * y + z * z);
  r01 = 2 * (x * y - w * z);
  r02 = 2 * (x * z + w * y);
  r10 = 2 * (x * y + w * z);
  r11 = 1 - 2 * (x * x + z * z);
  r12 = 2 * (y * z - w * x);
  r20 = 2 * (x * z - w * y);
  r21 = 2 * (y * z + w * x);
  r22 = 1 - 2 * (x * x + y * y);
}

function readShape(slot: usize, collider: i32): void {
  const shape = getI32(column(COLLIDER_SHAPE), collider);
  const kind = getI32(column(SHAPE_KIND), shape);
  const size = column(SHAPE_PARAMETER) + ((<usize>shape) << 5);
  const p0 = load<f64>(size);
  const p1 = load<f64>(size, 8);
  store<i32>(slot, kind, KIND);
  store<i32>(slot, getI32(column(SHAPE_DATA), shape), DATA);
  store<f64>(slot, p0, SIZE);
  store<f64>(slot, p1, SIZE + 8);
  store<f64>(slot, load<f64>(size, 16), SIZE + 16);
  let rounding: f64 = 0;
  let coreRadius: f64 = 0;
  let top: f64 = p1;
  let bottom: f64 = -p1;
  if (isOneOf(kind, ROUND_KINDS)) {
    rounding = p0;
  } else if (kind == SHAPE_CYLINDER) {
    rounding = CORE_SHARE * Math.min(p0, p1);
    coreRadius = p0 - rounding;
    top = p1 - rounding;
    bottom = -top;
  } else if (kind == SHAPE_CONE) {
    // The cross-section triangle moved inwards by a share of its inner radius.
    const height = 2 * p1;
    const slant = Math.sqrt(p0 * p0 + height * height);
    rounding = (CORE_SHARE * p0 * height) / (p0 + slant);
    bottom = rounding - p1;
    top = p1 - (rounding * slant) / p0;
    coreRadius = (p0 * (top - bottom)) / height;
  }
  store<f64>(slot, coreRadius, CORE);
  store<f64>(slot, top, CORE + 8);
  store<f64>(slot, bottom, CORE + 16);
  store<f64>(slot, rounding, ROUNDING);
}

/** Fills SLOT_B with collider `b` at the origin of the working frame. */
export function placeB(b: i32): void {
  readRotation(b);
  const p = column(COLLIDER_POSITION) + ((<usize>b) << 5);
  originX = load<f64>(p);
  originY = load<f64>(p, 8);
  originZ = load<f64>(p, 16);
  for (let i: usize = 0; i < 96; i += 8) store<f64>(SLOT_B + i, 0, ROTATION);
  store<f64>(SLOT_B, 1, ROTATION);
  store<f64>(SLOT_B, 1, ROTATION + 32);
  store<f64>(SLOT_B, 1, ROTATION + 64);
  readShape(SLOT_B, b);
}

/** Fills SLOT_A with collider `a`, seen from the working frame that `placeB` set. */
export function placeA(a: i32): void {
  const b00 = r00;
  const b01 = r01;
  const b02 = r02;
  const b10 = r10;
  const b11 = r11;
  const b12 = r12;
  const b20 = r20;
  const b21 = r21;
  const b22 = r22;
  readRotation(a);
  // Rᵇᵀ Rᵃ, row by row.
  store<f64>(SLOT_A, b00 * r00 + b10 * r10 + b20 * r20, ROTATION);
  store<f64>(SLOT_A, b00 * r01 + b10 * r11 + b20 * r21, ROTATION + 8);
  store<f64>(SLOT_A, b00 * r02 + b10 * r12 + b20 * r22, ROTATION + 16);
  store<f64>(SLOT_A, b01 * r00 + b11 * r10 + b21 * r20, ROTATION + 24);
  store<f64>(SLOT_A, b01 * r01 + b11 * r11 + b21 * r21, ROTATION + 32);
  store<f64>(SLOT_A, b01 * r02 + b11 * r12 + b21 * r22, ROTATION + 40);
  store<f64>(SLOT_A, b02 * r00 + b12 * r10 + b22 * r20, ROTATION + 48);
  store<f64>(SLOT_A, b02 * r01 + b12 * r11 + b22 * r21, ROTATION + 56);
  store<f64>(SLOT_A, b02 * r02 + b12 * r12 + b22 * r22, ROTATION + 64);
  r00 = b00;
  r01 = b01;
  r02 = b02;
  r10 = b10;
  r11 = b11;
  r12 = b12;
  r20 = b20;
  r21 = b21;
  r22 = b22;
  const p = column(COLLIDER_POSITION) + ((<usize>a) << 5);
  toWorking(load<f64>(p), load<f64>(p, 8), load<f64>(p, 16));
  store<f64>(SLOT_A, ox, POSITION);
  store<f64>(SLOT_A, oy, POSITION + 8);
  store<f64>(SLOT_A, oz, POSITION + 16);
  readShape(SLOT_A, a);
}

/**
 * Makes SLOT_B a triangle with corners at `p`, `q`, `r` (addresses of f64×3, working frame). False if it has no area.
 */
export function placeTriangle(p: usize, q: usize, r: usize): bool {
  store<i32>(SLOT_B, TRIANGLE, KIND);
  store<f64>(SLOT_B, 0, ROUNDING);
  copy24(SLOT_B + CORNERS, p);
  copy24(SLOT_B + CORNERS + 24, q);
  copy24(SLOT_B + CORNERS + 48, r);
  const ux = load<f64>(q) - load<f64>(p);
  const uy = load<f64>(q, 8) - load<f64>(p, 8);
  const uz = load<f64>(q, 16) - load<f64>(p, 16);
  const vx = load<f64>(r) - load<f64>(p);
  const vy = load<f64>(r, 8) - load<f64>(p, 8);
  const vz = load<f64>(r, 16) - load<f64>(p, 16);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const area = Math.sqrt(dot3(nx, ny, nz, nx, ny, nz));
  if (!(area > 1e-12 * (dot3(ux, uy, uz, ux, uy, uz) + dot3(vx, vy, vz, vx, vy, vz)))) return false;
  store<f64>(SLOT_B, nx / area, NORMAL);
  store<f64>(SLOT_B, ny / area, NORMAL + 8);
  store<f64>(SLOT_B, nz / area, NORMAL + 16);
  // The middle: a good guess of where the triangle lies.
  for (let i: usize = 0; i < 24; i += 8) {
    store<f64>(SLOT_B + i, (load<f64>(p + i) + load<f64>(q + i) + load<f64>(r + i)) / 3, POSITION);
  }
  return true;
}

/** Working frame → world, a point; into ox oy oz. */
export function toWorld(x: f64, y: f64, z: f64): void {
  ox = originX + (r00 * x + r01 * y + r02 * z);
  oy = originY + (r10 * x + r11 * y + r12 * z);
  oz = originZ + (r20 * x + r21 * y + r22 * z);
}

/** Working frame → world, a direction; into ox oy oz. */
export function turnToWorld(x: f64, y: f64, z: f64): void {
  ox = r00 * x + r01 * y + r02 * z;
  oy = r10 * x + r11 * y + r12 * z;
  oz = r20 * x + r21 * y + r22 * z;
}

/** World → working frame, a direction; into ox oy oz. */
export function turnToWorking(x: f64, y: f64, z: f64): void {
  ox = r00 * x + r10 * y + r20 * z;
  oy = r01 * x + r11 * y + r21 * z;
  oz = r02 * x + r12 * y + r22 * z;
}

/** World → working frame, a point; into ox oy oz. */
export function toWorking(px: f64, py: f64, pz: f64): void {
  const x = px - originX;
  const y = py - originY;
  const z = pz - originZ;
  ox = r00 * x + r10 * y + r20 * z;
  oy = r01 * x + r11 * y + r21 * z;
  oz = r02 * x + r12 * y + r22 * z;
}

/**
 * Makes the core of a cylinder or cone the shape itself: distances round its rim become
 * exact, directions ill-conditioned.
 */
export function sharpenCore(slot: usize): void {
  const kind = load<i32>(slot, KIND);
  if (!isOneOf(kind, RIMMED_KINDS)) return;
  store<f64>(slot, load<f64>(slot, SIZE), CORE);
  store<f64>(slot, load<f64>(slot, SIZE + 8), CORE + 8);
  store<f64>(slot, -load<f64>(slot, SIZE + 8), CORE + 16);
  store<f64>(slot, 0, ROUNDING);
}

export function slotKind(slot: usize): i32 {
  return load<i32>(slot, KIND);
}

export function slotData(slot: usize): usize {
  return <usize>load<i32>(slot, DATA);
}

/** SHAPE_PARAMETER number `i` of the slot's shape [m]. */
export function slotSize(slot: usize, i: i32): f64 {
  return load<f64>(slot + ((<usize>i) << 3), SIZE);
}

/** Radius by which the core is smaller than the shape [m]. */
export function slotRounding(slot: usize): f64 {
  return load<f64>(slot, ROUNDING);
}

/** Row `row`, column `axis` of the slot's rotation: component `row` of its local axis. */
export function slotAxis(slot: usize, row: i32, axis: i32): f64 {
  return load<f64>(slot + ((<usize>(row * 3 + axis)) << 3), ROTATION);
}

/** Component `i` of the slot's position [m]. */
export function slotPosition(slot: usize, i: i32): f64 {
  return load<f64>(slot + ((<usize>i) << 3), POSITION);
}

/** Component `i` of corner `k` of a triangle slot [m]. */
export function slotCorner(slot: usize, k: i32, i: i32): f64 {
  return load<f64>(slot + ((<usize>(k * 3 + i)) << 3), CORNERS);
}

/** Local point of the slot's shape → working frame; into sx sy sz. */
export function placePoint(slot: usize, x: f64, y: f64, z: f64): void {
  sx = load<f64>(slot, ROTATION) * x + load<f64>(slot, ROTATION + 8) * y + load<f64>(slot, ROTATION + 16) * z;
  sy = load<f64>(slot, ROTATION + 24) * x + load<f64>(slot, ROTATION + 32) * y + load<f64>(slot, ROTATION + 40) * z;
  sz = load<f64>(slot, ROTATION + 48) * x + load<f64>(slot, ROTATION + 56) * y + load<f64>(slot, ROTATION + 64) * z;
  sx += load<f64>(slot, POSITION);
  sy += load<f64>(slot, POSITION + 8);
  sz += load<f64>(slot, POSITION + 16);
}

/** Component along the slot's local x, y or z axis of a direction of the working frame. */
export function alongAxis(slot: usize, axis: i32, dx: f64, dy: f64, dz: f64): f64 {
  const at = slot + ((<usize>axis) << 3);
  return load<f64>(at, ROTATION) * dx + load<f64>(at, ROTATION + 24) * dy + load<f64>(at, ROTATION + 48) * dz;
}

/** Farthest point of the slot's core along (dx, dy, dz), any length; into sx sy sz. */
export function supportCore(slot: usize, dx: f64, dy: f64, dz: f64): void {
  const kind = load<i32>(slot, KIND);
  if (kind == TRIANGLE) {
    const da = load<f64>(slot, CORNERS) * dx + load<f64>(slot, CORNERS + 8) * dy + load<f64>(slot, CORNERS + 16) * dz;
    const db =
      load<f64>(slot, CORNERS + 24) * dx + load<f64>(slot, CORNERS + 32) * dy + load<f64>(slot, CORNERS + 40) * dz;
    const dc =
      load<f64>(slot, CORNERS + 48) * dx + load<f64>(slot, CORNERS + 56) * dy + load<f64>(slot, CORNERS + 64) * dz;
    const at = slot + CORNERS + (da >= db && da >= dc ? 0 : db >= dc ? 24 : 48);
    sx = load<f64>(at);
    sy = load<f64>(at, 8);
    sz = load<f64>(at, 16);
    return;
  }
  const x = alongAxis(slot, 0, dx, dy, dz);
  const y = alongAxis(slot, 1, dx, dy, dz);
  const z = alongAxis(slot, 2, dx, dy, dz);
  if (kind == SHAPE_BOX_KIND) {
    const hx = load<f64>(slot, SIZE);
    const hy = load<f64>(slot, SIZE + 8);
    const hz = load<f64>(slot, SIZE + 16);
    placePoint(slot, x < 0 ? -hx : hx, y < 0 ? -hy : hy, z < 0 ? -hz : hz);
  } else if (kind == SHAPE_HULL) {
    const v = farthestCorner(<usize>load<i32>(slot, DATA), x, y, z);
    placePoint(slot, load<f64>(v), load<f64>(v, 8), load<f64>(v, 16));
  } else if (kind == SHAPE_CAPSULE) {
    placePoint(slot, 0, y < 0 ? load<f64>(slot, CORE + 16) : load<f64>(slot, CORE + 8), 0);
  } else if (kind == SHAPE_SPHERE) {
    placePoint(slot, 0, 0, 0);
  } else {
    const radial = Math.sqrt(x * x + z * z);
    const radius = load<f64>(slot, CORE);
    const top = load<f64>(slot, CORE + 8);
    const bottom = load<f64>(slot, CORE + 16);
    // Straight along the axis every point of the cap is farthest: the middle is the neutral choice.
    const out = radial > 1e-14 * Math.abs(y) ? radius / radial : 0;
    if (kind == SHAPE_CYLINDER) placePoint(slot, x * out, y < 0 ? bottom : top, z * out);
    else if (y * top >= y * bottom + radial * radius) placePoint(slot, 0, top, 0);
    else placePoint(slot, x * out, bottom, z * out);
  }
}

/** Greatest value of d·x over the full shape [m, for unit d]. */
export function extent(slot: usize, dx: f64, dy: f64, dz: f64): f64 {
  const kind = load<i32>(slot, KIND);
  if (kind == TRIANGLE) {
    supportCore(slot, dx, dy, dz);
    return sx * dx + sy * dy + sz * dz;
  }
  const x = alongAxis(slot, 0, dx, dy, dz);
  const y = alongAxis(slot, 1, dx, dy, dz);
  const z = alongAxis(slot, 2, dx, dy, dz);
  const at = load<f64>(slot, POSITION) * dx + load<f64>(slot, POSITION + 8) * dy + load<f64>(slot, POSITION + 16) * dz;
  const p0 = load<f64>(slot, SIZE);
  const p1 = load<f64>(slot, SIZE + 8);
  if (kind == SHAPE_BOX_KIND) {
    return at + Math.abs(x) * p0 + Math.abs(y) * p1 + Math.abs(z) * load<f64>(slot, SIZE + 16);
  }
  if (kind == SHAPE_HULL) {
    const v = farthestCorner(<usize>load<i32>(slot, DATA), x, y, z);
    return at + load<f64>(v) * x + load<f64>(v, 8) * y + load<f64>(v, 16) * z;
  }
  if (kind == SHAPE_SPHERE) return at + p0;
  if (kind == SHAPE_CAPSULE) return at + p0 + Math.abs(y) * p1;
  const radial = Math.sqrt(x * x + z * z);
  if (kind == SHAPE_CYLINDER) return at + p0 * radial + Math.abs(y) * p1;
  return at + Math.max(y * p1, p0 * radial - y * p1);
}

/** Radius of the largest ball about the slot's origin that is inside the shape [m]. Not for triangles. */
export function innerRadius(slot: usize): f64 {
  const kind = load<i32>(slot, KIND);
  const p0 = load<f64>(slot, SIZE);
  const p1 = load<f64>(slot, SIZE + 8);
  if (isOneOf(kind, ROUND_KINDS)) return p0;
  if (kind == SHAPE_BOX_KIND) return Math.min(p0, Math.min(p1, load<f64>(slot, SIZE + 16)));
  if (kind == SHAPE_HULL) {
    const hull = <usize>load<i32>(slot, DATA);
    const planes = hull + <usize>load<i32>(hull, HULL_PLANES);
    let least = Infinity;
    for (let i = 0; i < load<i32>(hull, HULL_FACE_COUNT); i++) {
      least = Math.min(least, load<f64>(planes + ((<usize>i) << 5), 24));
    }
    return least;
  }
  if (kind == SHAPE_CYLINDER) return Math.min(p0, p1);
  // Cone: base, and side at half height.
  return Math.min(p1, (p0 * p1) / Math.sqrt(p0 * p0 + 4 * p1 * p1));
}

/** Distance between the two shapes along unit n (A → B), negative when they overlap along it [m]. */
export function separationAlong(nx: f64, ny: f64, nz: f64): f64 {
  return -extent(SLOT_A, nx, ny, nz) - extent(SLOT_B, -nx, -ny, -nz);
}

/** Number of flat polygon faces (box, hull, triangle: its front only; others none). */
export function faceCount(slot: usize): i32 {
  const kind = load<i32>(slot, KIND);
  if (kind == SHAPE_BOX_KIND) return 6;
  if (kind == SHAPE_HULL) return load<i32>(<usize>load<i32>(slot, DATA), HULL_FACE_COUNT);
  return kind == TRIANGLE ? 1 : 0;
}

/** Reads polygon face `i` into faceX faceY faceZ faceOffset faceIndex. Faces of a box: 2 · axis + (negative side). */
export function readFace(slot: usize, i: i32): void {
  const kind = load<i32>(slot, KIND);
  faceIndex = i;
  if (kind == TRIANGLE) {
    faceX = load<f64>(slot, NORMAL);
    faceY = load<f64>(slot, NORMAL + 8);
    faceZ = load<f64>(slot, NORMAL + 16);
    faceOffset = slotCorner(slot, 0, 0) * faceX + slotCorner(slot, 0, 1) * faceY + slotCorner(slot, 0, 2) * faceZ;
    return;
  }
  let lx: f64 = 0;
  let ly: f64 = 0;
  let lz: f64 = 0;
  let offset: f64 = 0;
  if (kind == SHAPE_BOX_KIND) {
    const side: f64 = (i & 1) != 0 ? -1 : 1;
    const axis = i >> 1;
    if (axis == 0) lx = side;
    else if (axis == 1) ly = side;
    else lz = side;
    offset = slotSize(slot, axis);
  } else {
    const hull = <usize>load<i32>(slot, DATA);
    const plane = hull + <usize>load<i32>(hull, HULL_PLANES) + ((<usize>i) << 5);
    lx = load<f64>(plane);
    ly = load<f64>(plane, 8);
    lz = load<f64>(plane, 16);
    offset = load<f64>(plane, 24);
  }
  placeFace(slot, lx, ly, lz, offset);
}

function placeFace(slot: usize, lx: f64, ly: f64, lz: f64, offset: f64): void {
  faceX = load<f64>(slot, ROTATION) * lx + load<f64>(slot, ROTATION + 8) * ly + load<f64>(slot, ROTATION + 16) * lz;
  faceY =
    load<f64>(slot, ROTATION + 24) * lx + load<f64>(slot, ROTATION + 32) * ly + load<f64>(slot, ROTATION + 40) * lz;
  faceZ =
    load<f64>(slot, ROTATION + 48) * lx + load<f64>(slot, ROTATION + 56) * ly + load<f64>(slot, ROTATION + 64) * lz;
  faceOffset =
    offset +
    load<f64>(slot, POSITION) * faceX +
    load<f64>(slot, POSITION + 8) * faceY +
    load<f64>(slot, POSITION + 16) * faceZ;
}

/** Finds the flat face most along unit d, caps included; returns the cosine between them, −1 if there is none. */
export function findFace(slot: usize, dx: f64, dy: f64, dz: f64): f64 {
  const kind = load<i32>(slot, KIND);
  if (isOneOf(kind, ROUND_KINDS)) return -1;
  if (kind == TRIANGLE) {
    readFace(slot, 0);
    return faceX * dx + faceY * dy + faceZ * dz;
  }
  const x = alongAxis(slot, 0, dx, dy, dz);
  const y = alongAxis(slot, 1, dx, dy, dz);
  const z = alongAxis(slot, 2, dx, dy, dz);
  if (kind == SHAPE_BOX_KIND) {
    const ax = Math.abs(x);
    const ay = Math.abs(y);
    const az = Math.abs(z);
    if (ax >= ay && ax >= az) readFace(slot, x < 0 ? 1 : 0);
    else if (ay >= az) readFace(slot, y < 0 ? 3 : 2);
    else readFace(slot, z < 0 ? 5 : 4);
    return Math.max(ax, Math.max(ay, az));
  }
  if (kind == SHAPE_HULL) {
    const hull = <usize>load<i32>(slot, DATA);
    const planes = hull + <usize>load<i32>(hull, HULL_PLANES);
    const count = load<i32>(hull, HULL_FACE_COUNT);
    let best = 0;
    let cosine = -Infinity;
    for (let i = 0; i < count; i++) {
      const plane = planes + ((<usize>i) << 5);
      const c = load<f64>(plane) * x + load<f64>(plane, 8) * y + load<f64>(plane, 16) * z;
      if (c > cosine) {
        cosine = c;
        best = i;
      }
    }
    readFace(slot, best);
    return cosine;
  }
  // Caps: face 0 is the top, 1 the bottom; a cone has the bottom only.
  const top = kind == SHAPE_CYLINDER && y >= 0;
  placeFace(slot, 0, top ? 1 : -1, 0, slotSize(slot, 1));
  faceIndex = top ? 0 : 1;
  return top ? y : -y;
}

/** Number of straight edges (box, hull, triangle). */
export function edgeCount(slot: usize): i32 {
  const kind = load<i32>(slot, KIND);
  if (kind == SHAPE_BOX_KIND) return 12;
  if (kind == SHAPE_HULL) return load<i32>(<usize>load<i32>(slot, DATA), HULL_EDGE_COUNT);
  return kind == TRIANGLE ? 3 : 0;
}

/** Vertex `side` (0 or 1) of edge `i`: its position into sx sy sz, its number returned. */
export function edgeVertex(slot: usize, i: i32, side: i32): i32 {
  const kind = load<i32>(slot, KIND);
  if (kind == TRIANGLE) {
    const k = side == 0 ? i : i == 2 ? 0 : i + 1;
    sx = slotCorner(slot, k, 0);
    sy = slotCorner(slot, k, 1);
    sz = slotCorner(slot, k, 2);
    return k;
  }
  if (kind == SHAPE_BOX_KIND) {
    // Edge = 4 · axis + signs of the two other axes.
    const axis = i >> 2;
    const first = axis == 0 ? 1 : 0;
    const second = axis == 2 ? 1 : 2;
    const v = (side << axis) | ((i & 1) << first) | (((i >> 1) & 1) << second);
    placeBoxVertex(slot, v);
    return v;
  }
  const hull = <usize>load<i32>(slot, DATA);
  const v = load<i32>(hull + <usize>load<i32>(hull, HULL_EDGES) + ((<usize>i) << 4) + ((<usize>side) << 2));
  placeHullVertex(slot, v);
  return v;
}

/** Face on the first (0) or second (1) side of edge `i` of a box or hull. */
export function edgeFace(slot: usize, i: i32, side: i32): i32 {
  if (load<i32>(slot, KIND) == SHAPE_BOX_KIND) {
    const axis = i >> 2;
    const other = side == 0 ? (axis == 0 ? 1 : 0) : axis == 2 ? 1 : 2;
    return 2 * other + (((i >> side) & 1) != 0 ? 0 : 1);
  }
  const hull = <usize>load<i32>(slot, DATA);
  return load<i32>(hull + <usize>load<i32>(hull, HULL_EDGES) + ((<usize>i) << 4) + ((<usize>side) << 2), 8);
}

/** Vertex of a box: bit k of `v` set = positive side of axis k; into sx sy sz. */
export function placeBoxVertex(slot: usize, v: i32): void {
  const hx = slotSize(slot, 0);
  const hy = slotSize(slot, 1);
  const hz = slotSize(slot, 2);
  placePoint(slot, (v & 1) != 0 ? hx : -hx, (v & 2) != 0 ? hy : -hy, (v & 4) != 0 ? hz : -hz);
}

export function placeHullVertex(slot: usize, v: i32): void {
  const hull = <usize>load<i32>(slot, DATA);
  const at = hull + <usize>load<i32>(hull, HULL_VERTICES) + <usize>v * 24;
  placePoint(slot, load<f64>(at), load<f64>(at, 8), load<f64>(at, 16));
}
