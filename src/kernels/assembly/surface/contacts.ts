// Contacts of surfaces with themselves, each other, rods and bodies: the calls.
//
// In: objects with triangles, nodes, colliders (find-pairs has placed them), the contacts of the last step.
// `findSurfaceContacts` keeps what it finds in its scratch and leaves the table alone, so that the detection of rods
// can follow and write it afresh; then `writeSurfaceContacts` appends, ordered by feature. With too little room nothing
// is good but the number that `findSurfaceContacts` returns; TypeScript makes more and calls again
// (collision/surfaces).

import { DETECT_RETRY } from '../../../state/rod-layout';
import { continuous } from '../proximity/work';
import { findBodyContacts } from './bodies';
import { isClear, prepareBoxes } from './boxes';
import { hitCount, matchHits, readOld, writeHits } from './hits';
import { findPairContacts } from './pairs';
import { metResting } from './resting';
import { append, beginSurfaces, hitCapacity, keepLooked, makeFans, movedCount, readHolders, wasClear } from './work';

export { surfaceScratchSize } from './work';

/** Whether the detection before this one was clear of all. */
let wasAllClear: bool = false;

/**
 * Finds all contacts of surfaces. `scratch` has surfaceScratchSize(capacity) bytes, `capacity` is the number of
 * contacts there is room for; the rest as for findStrandContacts. Returns how many contacts were found: all, if no more
 * than `capacity`; −1: there are far too many pairs to look at. A further look that had too little room is called
 * again with DETECT_RETRY, and finds what it had marked.
 */
export function findSurfaceContacts(
  scratch: usize,
  capacity: i32,
  timeStep: f64,
  velocities: usize,
  share: f64,
  question: i32,
  still: f64,
): i32 {
  if ((question & DETECT_RETRY) == 0) wasAllClear = wasClear(scratch);
  beginSurfaces(scratch, capacity, timeStep, velocities, share, question, still);
  readOld();
  if (movedCount == 0) {
    keepLooked(scratch, append && wasAllClear);
    return 0;
  }
  readHolders();
  makeFans();
  prepareBoxes(false, false);
  if (!findPairContacts()) return -1;
  findBodyContacts();
  if (hitCount <= hitCapacity) {
    matchHits();
    const isOpen = hitCount == 0 && continuous && !metResting;
    keepLooked(scratch, isOpen && (append ? wasAllClear : isClear()));
  }
  return hitCount;
}

/** Writes what was found behind the rows of the table, which has room for it. */
export function writeSurfaceContacts(): void {
  writeHits();
}
