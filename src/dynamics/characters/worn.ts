// What a character wears: a cape pinned to its body, a rope or hair clamped to it.

import * as L from '../../state/layout';
import { ATTACH_END } from '../../state/node-places';
import type { Engine } from '../engine';

/** Whether something elastic hangs on a body. */
export function isWorn({ arena, tables }: Engine, body: number): boolean {
  const { attachments, strands } = tables;
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (attachments.flags[a] & L.ATTACHMENT_ALIVE && attachments.body[a] === body) return true;
  }
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (strands.flags[s] & L.STRAND_CLAMP_START && strands.attach[2 * s] === body) return true;
    if (strands.flags[s] & L.STRAND_CLAMP_END && strands.attach[2 * s + ATTACH_END] === body) return true;
  }
  return false;
}
