// Which edges would go through each other in a step, along the velocities that a solve ended with.
//
// In: what a search of the step left in its scratch (boxes and candidates; made anew when there is none); velocities.
// Out: rows of 64 bytes: normal from B to A (3 × f64), distance at the start of the step [m], places on A and B where
// they would meet (f64), edges A and B (i32).

import { SEARCH_APPEND, SEARCH_CONTINUOUS } from '../../../state/rod-layout';
import { hasRoom } from './candidates';
import { testCrossings, testFlaggedCrossings } from './filter';
import { beginCrossings, crossingCount } from './hits';
import { lookAtNodes, lookClosely } from './looks';
import { beginMeeting } from './pairs';
import { findCandidates, findStrays } from './walk';
import { beginWork, hasKept, hits, setKept } from './work';

/**
 * Finds them; arguments as those of findStrandContacts, whose kept scratch this is. `again`: only where velocities have
 * changed since the call before. Returns how many there are (rows beyond `capacity` are not written), −1 when
 * candidates have no room: MISSING_STRAND_CANDIDATES.
 */
export function findStrandCrossings(
  scratch: usize,
  capacity: i32,
  timeStep: f64,
  velocities: usize,
  share: f64,
  still: f64,
  again: bool,
): i32 {
  beginWork(scratch, capacity, timeStep, velocities, share, SEARCH_CONTINUOUS | SEARCH_APPEND, still);
  let all = !hasKept();
  setKept(false);
  if (!all) {
    lookAtNodes();
    all = !findStrays();
  }
  if (all) findCandidates(false);
  if (!hasRoom()) return -1;
  beginMeeting();
  beginCrossings();
  if (again && !all) {
    testFlaggedCrossings();
  } else {
    testCrossings(all);
    lookClosely();
  }
  setKept(true);
  return crossingCount;
}

/** Address of the rows. */
export function strandCrossings(): usize {
  return hits;
}
