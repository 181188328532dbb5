// What a game does to sleeping strands between steps: their STRAND_ASLEEP is cleared, and the next step wakes the ring
// that they still name (sleep.ts). Imports no strand code: bodies.ts calls it, and a game without rods carries it.

import type { Arena } from '../../core/arena';
import { SIDE_COLLIDER } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';

/**
 * The strand was changed: it wakes with its ring, or stays awake for another delay. What
 * the device advances has neither.
 */
export function touchStrand({ strands }: Tables, strand: number): void {
  if (strands.flags[strand] & L.STRAND_AWAY) return;
  strands.flags[strand] &= ~L.STRAND_ASLEEP;
  strands.calm[strand] = 0;
}

/** The same for all strands of a rod. */
export function touchRod(tables: Tables, rod: number): void {
  const { strandStart, strandCount } = tables.rods;
  for (let s = strandStart[rod]; s < strandStart[rod] + strandCount[rod]; s++) touchStrand(tables, s);
}

/** A body is moved by hand, or goes: what touches it, is clamped or joined to it wakes. */
export function touchStrandsOf({ arena, tables }: { arena: Arena; tables: Tables }, body: number): void {
  if (arena.i32[L.STRAND_ASLEEP_COUNT >> 2] === 0) return;
  const { nodeContacts, strands, nodes, rods, attachments, colliders } = tables;
  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const collider = nodeContacts.side[4 * c + SIDE_COLLIDER];
    if (collider < 0 || colliders.body[collider] !== body) continue;
    touchStrand(tables, nodeContacts.side[4 * c]);
  }
  for (let end = 0; end < 2 * arena.i32[L.STRAND_COUNT >> 2]; end++) {
    if (strands.attach[end] === body) touchStrand(tables, end >> 1);
  }
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE) || attachments.body[a] !== body) continue;
    touchStrand(tables, nodes.strand[rods.nodeStart[attachments.rod[a]] + attachments.node[a]]);
  }
}
