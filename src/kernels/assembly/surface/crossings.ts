// Which primitives of surfaces would go through something in a step, along the velocities that a solve ended with.
//
// In: places and velocities, as for findSurfaceContacts. Out: rows of 32 bytes: up to four nodes (i32, −1 where there
// are fewer), the collider or −1. A pair is listed when its distance sinks below half of what it is now, or an eighth
// of the contact distance: what is never listed keeps a distance, so what starts without crossings stays without any.
// Distances to bodies are those of the surface's middle. What is inside already, or crosses, is let go, but nodes
// inside a body may not go deeper. After a detection of contacts that was clear of all only what moves otherwise since
// is asked for.

import {
  DETECT_AGAIN,
  DETECT_APPEND,
  DETECT_CONTINUOUS,
  DETECT_RETRY,
  SURFACE_ROW_BYTES,
} from '../../../state/rod-layout';
import { watchBodies } from './bodies';
import { prepareBoxes } from './boxes';
import { areTangled, isAnyInside } from './inside';
import { findPairCrossings, markInsides } from './pairs';
import { beginRows, keepRows, rowAddress, rowCount } from './rows';
import {
  beginSurfaces,
  hitCapacity,
  hits,
  keepLooked,
  lookAtAll,
  makeFans,
  markAgain,
  objectOf,
  readHolders,
  wasClear,
  wasKept,
} from './work';

/** Whether only what moves otherwise is asked for. */
let isPart: bool = false;
/** Whether it is known, from this call or the one before, what has points inside solids. */
let areMarked: bool = false;

/** Lists the pairs; false: there are far too many to look at. */
function listPairs(): bool {
  beginRows(hits, hitCapacity);
  if (areMarked) markAgain();
  prepareBoxes(true, false);
  if (!findPairCrossings()) return false;
  if (areMarked || rowCount == 0 || rowCount > hitCapacity || !isAnyInside()) return true;

  // What gets out of a solid is not to be kept from it: only now is it asked for, with boxes as wide as for contacts.
  prepareBoxes(true, true);
  markInsides();
  areMarked = true;
  let kept = 0;
  for (let row = 0; row < rowCount; row++) {
    const at = rowAddress() + <usize>row * SURFACE_ROW_BYTES;
    // Its first node is of one primitive and its last of the other.
    const a = objectOf(load<i32>(at));
    const b = objectOf(load<i32>(at, 12));
    if (a != b && areTangled(a, b)) continue;
    memory.copy(rowAddress() + <usize>kept * SURFACE_ROW_BYTES, at, SURFACE_ROW_BYTES);
    kept++;
  }
  keepRows(kept);
  return true;
}

/**
 * Finds them; arguments as those of findSurfaceContacts; question: DETECT_AGAIN, only where velocities have
 * changed since the call before; DETECT_RETRY. Returns how many there are (rows beyond `capacity` are not written: it
 * is to be called again); with far too many pairs to look at only those with bodies.
 */
export function findSurfaceCrossings(
  scratch: usize,
  capacity: i32,
  timeStep: f64,
  velocities: usize,
  share: f64,
  question: i32,
): i32 {
  const again = (question & DETECT_AGAIN) != 0;
  const retry = question & DETECT_RETRY;
  if (retry == 0) isPart = again || wasClear(scratch);
  const asked = isPart ? DETECT_CONTINUOUS | DETECT_APPEND : DETECT_CONTINUOUS;
  beginSurfaces(scratch, capacity, timeStep, velocities, share, asked | retry, 0);
  readHolders();
  makeFans();
  areMarked = areMarked && again && wasKept;
  // Far too many pairs to look at: bodies at least are kept.
  if (!listPairs()) beginRows(hits, hitCapacity);
  if (!again) lookAtAll();
  watchBodies();
  if (rowCount <= hitCapacity) keepLooked(scratch, false);
  return rowCount;
}

/** Address of the rows. */
export function surfaceCrossings(): usize {
  return rowAddress();
}
