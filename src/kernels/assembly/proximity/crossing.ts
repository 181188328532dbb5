// Which edges would go through each other in a step, along the velocities that a solve ended with.
//
// In: what a detection of the step left in its scratch (boxes and candidates; made anew when there is none);
// velocities. Out: rows of 64 bytes: normal from B to A (3 × f64), distance at the start of the step [m], places on A
// and B where they would meet (f64), edges A and B (i32).

import { DETECT_AGAIN, DETECT_APPEND, DETECT_CONTINUOUS, DETECT_RETRY } from '../../../state/rod-layout';
import { testCrossings, testFlaggedCrossings } from './filter';
import { isFresh, listFurther } from './further';
import { beginCrossings, crossingCount } from './hits';
import { lookClosely } from './looks';
import { beginMeeting } from './pairs';
import { beginWork, hits, setKept } from './work';

/**
 * Finds them; arguments as those of findStrandContacts, whose kept scratch this is. question: DETECT_AGAIN,
 * only where velocities have changed since the call before; DETECT_RETRY. Returns how many there are (rows beyond
 * `capacity` are not written: it is to be called again), −1 when candidates have no room: MISSING_STRAND_CANDIDATES.
 */
export function findStrandCrossings(
  scratch: usize,
  capacity: i32,
  timeStep: f64,
  velocities: usize,
  share: f64,
  still: f64,
  question: i32,
): i32 {
  beginWork(scratch, capacity, timeStep, velocities, share, question | DETECT_CONTINUOUS | DETECT_APPEND, still);
  if (!listFurther((question & DETECT_RETRY) != 0, false)) return -1;
  beginMeeting();
  beginCrossings();
  const isPart = (question & DETECT_AGAIN) != 0 && !isFresh;
  if (isPart) testFlaggedCrossings();
  else testCrossings(isFresh);
  if (crossingCount > capacity) return crossingCount;
  if (!isPart) lookClosely();
  setKept(true);
  return crossingCount;
}

/** Address of the rows. */
export function strandCrossings(): usize {
  return hits;
}
