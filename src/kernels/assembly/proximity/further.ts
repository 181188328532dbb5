// The pairs of edges that a further look within a step works on: those kept, and those of edges that left their boxes.
//
// In: velocities; what the detections before left in the block. Out: the list of candidates, flags of edges. A look
// that has too little room, for candidates or for what comes of them, is made once more with DETECT_RETRY: it finds
// nodes looked at, boxes replaced and edges flagged, and repeats only what had no room, so that it ends with the same
// bits as one that had room at once.

import { hasRoom } from './candidates';
import { lookAtAll, lookAtNodes } from './looks';
import { findCandidates, findStrays, listStraysAgain, looseCount } from './walk';
import { adaptReserve, hasKept, nodes, setKept } from './work';

/** Whether all boxes were made for this look: nothing is known of its candidates. */
export let isFresh: bool = false;
/** Whether all candidates of this look have had room. */
let isListed: bool = false;

/**
 * Lists the pairs; `isRetry`: of the same look again; `adapts`: the reserve of the next boxes by how many left theirs.
 * False: candidates have no room. What is kept is good again when the look has come to its end (`setKept`).
 */
export function listFurther(isRetry: bool, adapts: bool): bool {
  if (!isRetry) beginFurther(adapts);
  else if (isListed) return true;
  else if (isFresh) findCandidates(false);
  else listStraysAgain();
  isListed = hasRoom();
  return isListed;
}

function beginFurther(adapts: bool): void {
  isFresh = !hasKept();
  setKept(false);
  if (!isFresh) {
    lookAtNodes();
    isFresh = !findStrays();
    if (adapts) adaptReserve(isFresh ? nodes : looseCount);
  }
  if (!isFresh) return;
  findCandidates(false);
  lookAtAll();
}
