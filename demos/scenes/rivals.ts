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

/** Sheets by four iterations, of four sweeps over their contacts each, a step. */
export function fourIterationsRival(why: string): Rival {
  return passesRival(4, 'Four iterations of four sweeps a step', why);
}

/** So many iterations a step, of as many sweeps each. */
function passesRival(passes: number, label: string, why: string): Rival {
  return { label, color: PALETTE.terracotta, settings: { elastic: { iterations: passes, sweeps: passes } }, why };
}
