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
  return passesRival(1, 'One pass a step, as in most engines', why);
}

/** Sheets by four passes over all that they touch a step. */
export function fourPassRival(why: string): Rival {
  return passesRival(4, 'Four passes a step, as in most engines', why);
}

function passesRival(passes: number, label: string, why: string): Rival {
  return { label, color: PALETTE.terracotta, settings: { elastic: { iterations: passes, sweeps: passes } }, why };
}
