// State hash of a world: bits of pose and velocity of every body, in slot order.

import { createStateHash, formatStateHash, hashWords } from '../core/state-hash';
import * as L from '../state/layout';
import type { Engine } from './engine';

/** Equal states give equal hashes on every machine. */
export function hashState(engine: Engine): string {
  const { arena, tables } = engine;
  const { bodies } = tables;
  const hash = createStateHash();
  for (let slot = 0; slot < arena.i32[L.BODY_COUNT >> 2]; slot++) {
    if (!(bodies.flags[slot] & L.BODY_ALIVE)) continue;
    for (const column of [bodies.position, bodies.rotation, bodies.linearVelocity, bodies.angularVelocity]) {
      hashWords(hash, arena.i32, (column.byteOffset >> 2) + 8 * slot, 8);
    }
  }
  return formatStateHash(hash);
}
