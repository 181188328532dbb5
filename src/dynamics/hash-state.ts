// State hash of a world: bits of pose and velocity of every body, in slot order, then of every node and edge of the
// strands where there are any.

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
  // Clamps and attachments act through the nodes; the directors carry what positions alone do not tell.
  const nodes = arena.i32[L.NODE_COUNT >> 2];
  if (nodes > 0) {
    const { position, velocity, frame } = tables.nodes;
    for (const column of [position, velocity, frame]) hashWords(hash, arena.i32, column.byteOffset >> 2, 8 * nodes);
  }
  return formatStateHash(hash);
}
