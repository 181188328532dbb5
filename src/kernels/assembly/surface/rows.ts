// The list of primitives that would cross (surface/crossings): rows of SURFACE_ROW_*.

import { SURFACE_ROW_BYTES, SURFACE_ROW_COLLIDER } from '../../../state/rod-layout';

let rows: usize = 0;
let room: i32 = 0;

/** Rows listed, also those that had no room. */
export let rowCount: i32 = 0;

export function beginRows(address: usize, capacity: i32): void {
  rows = address;
  room = capacity;
  rowCount = 0;
}

/** Takes the rows from number `count` on off the list. */
export function keepRows(count: i32): void {
  rowCount = count;
}

/** Address of the rows. */
export function rowAddress(): usize {
  return rows;
}

/** Adds nodes (−1 where there are fewer) and a collider, −1 none. */
export function listRow(a: i32, b: i32, c: i32, d: i32, collider: i32): void {
  const i = rowCount++;
  if (i >= room) return;
  const at = rows + <usize>i * SURFACE_ROW_BYTES;
  store<i32>(at, a);
  store<i32>(at, b, 4);
  store<i32>(at, c, 8);
  store<i32>(at, d, 12);
  store<i32>(at, collider, SURFACE_ROW_COLLIDER << 2);
}
