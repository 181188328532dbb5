// The frame of the collider a query looks at: its pose now, and the ways there and back.
//
// Queries come between steps, when bodies have moved on since find-pairs wrote the collider poses; so the pose is
// made from the body each time, and nothing of the simulation is written.

import { COLLIDER_BODY, COLLIDER_SHAPE, SHAPE_DATA, SHAPE_KIND, SHAPE_PARAMETER } from '../../../state/layout';
import { placeCollider, row4 } from '../math/boxes';
import { column, getI32 } from '../memory';

/** World pose of the collider (rows of four f64). */
export const FRAME_POSITION: usize = memory.data(32);
export const FRAME_ROTATION: usize = memory.data(32);

/** Shape of the collider: slot, kind, first three parameters [m], address of the hull or mesh record. */
export let shape: i32 = 0;
export let kind: i32 = 0;
export let size0: f64 = 0;
export let size1: f64 = 0;
export let size2: f64 = 0;
export let record: usize = 0;

/** Rotation matrix, local → world. */
export let m00: f64 = 1;
export let m01: f64 = 0;
export let m02: f64 = 0;
export let m10: f64 = 0;
export let m11: f64 = 1;
export let m12: f64 = 0;
export let m20: f64 = 0;
export let m21: f64 = 0;
export let m22: f64 = 1;

/** Results of the turns below. */
export let tx: f64 = 0;
export let ty: f64 = 0;
export let tz: f64 = 0;

/** Chooses the collider that the shape tests work on. */
export function enterFrame(collider: i32): void {
  placeCollider(collider, getI32(column(COLLIDER_BODY), collider), FRAME_POSITION, FRAME_ROTATION);
  shape = getI32(column(COLLIDER_SHAPE), collider);
  kind = getI32(column(SHAPE_KIND), shape);
  const size = row4(SHAPE_PARAMETER, shape);
  size0 = load<f64>(size);
  size1 = load<f64>(size, 8);
  size2 = load<f64>(size, 16);
  record = <usize>getI32(column(SHAPE_DATA), shape);
  const x = load<f64>(FRAME_ROTATION);
  const y = load<f64>(FRAME_ROTATION, 8);
  const z = load<f64>(FRAME_ROTATION, 16);
  const w = load<f64>(FRAME_ROTATION, 24);
  m00 = 1 - 2 * (y * y + z * z);
  m01 = 2 * (x * y - w * z);
  m02 = 2 * (x * z + w * y);
  m10 = 2 * (x * y + w * z);
  m11 = 1 - 2 * (x * x + z * z);
  m12 = 2 * (y * z - w * x);
  m20 = 2 * (x * z - w * y);
  m21 = 2 * (y * z + w * x);
  m22 = 1 - 2 * (x * x + y * y);
}

/** World direction → local, into tx ty tz. */
export function turnToLocal(x: f64, y: f64, z: f64): void {
  tx = m00 * x + m10 * y + m20 * z;
  ty = m01 * x + m11 * y + m21 * z;
  tz = m02 * x + m12 * y + m22 * z;
}

/** World point → local, into tx ty tz. */
export function moveToLocal(x: f64, y: f64, z: f64): void {
  turnToLocal(x - load<f64>(FRAME_POSITION), y - load<f64>(FRAME_POSITION, 8), z - load<f64>(FRAME_POSITION, 16));
}

/** Local direction → world, into tx ty tz. */
export function turnToWorld(x: f64, y: f64, z: f64): void {
  tx = m00 * x + m01 * y + m02 * z;
  ty = m10 * x + m11 * y + m12 * z;
  tz = m20 * x + m21 * y + m22 * z;
}

/** Local point → world, into tx ty tz. */
export function moveToWorld(x: f64, y: f64, z: f64): void {
  turnToWorld(x, y, z);
  tx += load<f64>(FRAME_POSITION);
  ty += load<f64>(FRAME_POSITION, 8);
  tz += load<f64>(FRAME_POSITION, 16);
}
