// What duels are against: our own engine, cut as short as engines for games cut theirs.

import type { Rival } from './demo-scene';
import { PALETTE } from './palette';

/** Contacts by sweeps instead of exactly; `why`: one line that says why that fails here. */
export function sweepsRival(why: string): Rival {
  return {
    label: 'Sweeps, as in most engines',
    color: PALETTE.terracotta,
    settings: { solver: 'gauss-seidel' },
    why,
  };
}

/** Ropes by one pass over their constraints a step. */
export function onePassRival(why: string): Rival {
  return {
    label: 'One pass a step, as in most engines',
    color: PALETTE.terracotta,
    settings: { elastic: { iterations: 1, sweeps: 1 } },
    why,
  };
}
