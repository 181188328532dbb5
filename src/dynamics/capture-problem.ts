// Takes down the contact problem of an island, for problem files: so that a user can send a hard one.

import type { ContactProblem } from '../solvers/contact-problem';
import * as L from '../state/layout';
import { assembleContacts, createAssembledContacts } from './assemble-contacts';
import type { Engine } from './engine';
import { writeMotionTerms } from './solve-contacts';

/**
 * The problem u = W r + b of this step's island with the most contact points, as the exact solver would get it;
 * null if nothing touches. To be called between build-islands and solve-contacts.
 */
export function captureProblem(engine: Engine): ContactProblem | null {
  const { arena, tables } = engine;
  const { islandPointCount } = tables.bodies;
  let largest = -1;
  for (let island = 0; island < arena.i32[L.ISLAND_COUNT >> 2]; island++) {
    if (islandPointCount[island] > (largest < 0 ? 0 : islandPointCount[largest])) largest = island;
  }
  if (largest < 0) return null;
  const contacts = createAssembledContacts();
  assembleContacts(engine, largest, contacts);
  writeMotionTerms(engine, contacts);
  return contacts.problem;
}
