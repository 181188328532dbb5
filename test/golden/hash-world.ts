// What a golden hash is of: the bits of pose and velocity of every body in slot order, of
// every node and edge in table order.
//
// Its own function, not `physics.hash()`: the same numbers give the same hash whatever else the state comes to hold.

import { createStateHash, formatStateHash, hashWords } from '../../src/core/state-hash';
import type { Physics } from '../../src/index';
import * as L from '../../src/state/layout';

export function hashWorld({ internal: { engine } }: Physics): string {
  const { arena, tables } = engine;
  const { bodies, nodes } = tables;
  const hash = createStateHash();
  for (let slot = 0; slot < arena.i32[L.BODY_COUNT >> 2]; slot++) {
    if (!(bodies.flags[slot] & L.BODY_ALIVE)) continue;
    for (const column of [bodies.position, bodies.rotation, bodies.linearVelocity, bodies.angularVelocity])
      hashWords(hash, arena.i32, (column.byteOffset >> 2) + 8 * slot, 8);
  }
  const count = arena.i32[L.NODE_COUNT >> 2];
  for (const column of [nodes.position, nodes.velocity, nodes.frame])
    hashWords(hash, arena.i32, column.byteOffset >> 2, 8 * count);
  return formatStateHash(hash);
}
