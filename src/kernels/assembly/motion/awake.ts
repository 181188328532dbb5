// The list of bodies that move, and the step's wake and sleep lists. A body's pairs follow it in and out.

import {
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_AWAKE_INDEX,
  BODY_POSITION,
  BODY_PREVIOUS_POSITION,
  BODY_PREVIOUS_ROTATION,
  BODY_ROTATION,
} from '../../../state/layout';
import { activateBody, deactivateBody } from '../broad/pairs-table';
import { cell, column, getI32, setCell, setI32 } from '../memory';

/** Puts a body that is not in the awake list there, and its pairs into the active list. */
export function enterAwakeList(body: i32): void {
  const count = cell(AWAKE_COUNT);
  setI32(column(AWAKE_LIST), count, body);
  setI32(column(BODY_AWAKE_INDEX), body, count);
  setCell(AWAKE_COUNT, count + 1);
  activateBody(body);
}

/**
 * Takes a body out of the awake list (its last entry takes the place), and the pairs that no other body keeps active.
 */
export function leaveAwakeList(body: i32): void {
  const list = column(AWAKE_LIST);
  const index = column(BODY_AWAKE_INDEX);
  const at = getI32(index, body);
  const count = cell(AWAKE_COUNT) - 1;
  const last = getI32(list, count);
  setI32(list, at, last);
  setI32(index, last, at);
  setI32(index, body, -1);
  setCell(AWAKE_COUNT, count);
  // What no longer moves must not be drawn between two poses.
  const offset = (<usize>body) << 5;
  memory.copy(column(BODY_PREVIOUS_POSITION) + offset, column(BODY_POSITION) + offset, 32);
  memory.copy(column(BODY_PREVIOUS_ROTATION) + offset, column(BODY_ROTATION) + offset, 32);
  deactivateBody(body);
}

/** Appends a body to the list of the given header cells. */
export function appendBody(listCell: i32, countCell: i32, body: i32): void {
  const count = cell(countCell);
  setI32(column(listCell), count, body);
  setCell(countCell, count + 1);
}
