// How many ADMM iterations fit into a time budget: learnt from the last steps, within
// one step never asked of the clock.
//
// One running mean, the time of an iteration, is all that is kept. With a budget steps depend on the machine; without
// one (the default) nothing here is called and runs repeat bit for bit.

import { clock } from '../../core/profile';

/** Share of the newest step in the running means [-]. */
const NEWEST = 0.2;
/** What a solve takes beside its iterations (gathering, weights, factor, residual), in iterations [-]. */
const BESIDE = 2;

export interface IterationBudget {
  /** [ms] */
  perIteration: number;
  /** Clock at the start of this step's solve [ms]. */
  started: number;
}

export function createIterationBudget(): IterationBudget {
  return { perIteration: 0, started: 0 };
}

/** Starts a step's solve; returns the iterations that fit into `budget` [ms], at least one and at most `most`. */
export function openBudget(state: IterationBudget, budget: number, most: number): number {
  state.started = clock();
  if (state.perIteration === 0) return most;
  return Math.max(1, Math.min(most, Math.floor(budget / state.perIteration) - BESIDE));
}

/** Learns from the solve that ends now; what a step takes beside its iterations is counted as two of them. */
export function closeBudget(state: IterationBudget, iterations: number): void {
  const each = (clock() - state.started) / (Math.max(1, iterations) + BESIDE);
  const share = state.perIteration === 0 ? 1 : NEWEST;
  state.perIteration += share * (each - state.perIteration);
}
