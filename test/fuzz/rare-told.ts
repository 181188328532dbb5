// Whoever writes to what snapshots share has to tell it: src/dynamics/rare-memory.

import type { Physics } from '../../src/index';

/** Whether what the next snapshot shares, if anything, is what the memory has. */
export function isRareTold({ internal }: Physics): boolean {
  const { arena, rare } = internal.engine;
  if (rare.kept === null || rare.keptAt !== arena.rareStamp) return true;
  const { ranges, bytes } = rare.kept;
  let at = 0;
  for (let k = 0; k < ranges.length; k += 2) {
    for (let from = ranges[k]; from < ranges[k + 1]; from++) if (arena.u8[from] !== bytes[at++]) return false;
  }
  return at === bytes.length;
}
