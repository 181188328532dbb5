// The vectors of ADMM in double precision.

import { grown } from './problem';

/**
 * Vectors over all unknowns; `v` and `lambda` are the warm start in and the answer out. Where the answer is v, `last`
 * ends as the v before it, which was projected.
 */
export interface AdmmState {
  v: Float64Array;
  p: Float64Array;
  lambda: Float64Array;
  last: Float64Array;
  right: Float64Array;
  /** p̂, λ̂ of Algorithm 4 and p, λ of the iteration before. */
  pAhead: Float64Array;
  lambdaAhead: Float64Array;
  pLast: Float64Array;
  lambdaLast: Float64Array;
  /** 1 for each object that does not rest; its own ‖vˡ − vˡ⁻¹‖∞ and ‖vˡ − p‖∞ [m/s]. */
  moving: Uint8Array;
  moved: Float64Array;
  apart: Float64Array;
}

export function createAdmmState(): AdmmState {
  const none = new Float64Array(0);
  return {
    v: none,
    p: none,
    lambda: none,
    last: none,
    right: none,
    pAhead: none,
    lambdaAhead: none,
    pLast: none,
    lambdaLast: none,
    moving: new Uint8Array(0),
    moved: none,
    apart: none,
  };
}

const VECTORS = ['v', 'p', 'lambda', 'last', 'right', 'pAhead', 'lambdaAhead', 'pLast', 'lambdaLast'] as const;

/** Makes room for `count` unknowns of `objects`; contents undefined where the room was too small. */
export function resizeAdmmState(state: AdmmState, count: number, objects = 0): void {
  if (state.v.length < count) for (const name of VECTORS) state[name] = grown(state[name], count);
  if (state.moving.length >= objects) return;
  state.moving = grown(state.moving, objects);
  state.moved = grown(state.moved, objects);
  state.apart = grown(state.apart, objects);
}
