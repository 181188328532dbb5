/**
 * Strands that rest: what converges at once waits, solved and swept no more, for the few that take long.
 *
 * δ∞ is that of the worst strand, and in a tangle most others are a hundred times nearer to their answer. So in
 * the second half of its iterations a solve leaves out strands whose own ‖vˡ − vˡ⁻¹‖∞ + ‖vˡ −
 * p‖∞ is below a share of the tolerance, and contacts between two of them. A contact with a strand that moves on
 * moves p of the one that rests and so ends its rest; a solve ends only with a round that none has rested in. The work
 * saved goes to further rounds: `iterations` bounds the solves of a strand on average. (Sleeping contacts, 6.3.3 of
 * Daviet 2020, save the sweeps of one round.)
 */

/** Share of the tolerance below which a strand rests [-]. Half of it: tangled bundles take a quarter more sweeps. */
const REST_SHARE = 0.3;
/** Rounds at most, as a multiple of the iterations [-]: each costs something even if a single strand is left. */
const MOST_ROUNDS = 4;

/** Where a solve stands. */
export interface Rounds {
  /** Below what a strand rests; 0: none does. In the unit of `tolerance`. */
  readonly rest: number;
  readonly iterations: number;
  /** Rounds begun. */
  done: number;
  /** Solves of a strand so far, on average [-]. */
  spent: number;
}

/** Nothing done yet. `resting` false: a round is an iteration. */
export function beginRounds(iterations: number, tolerance: number, resting: boolean): Rounds {
  return { rest: resting ? REST_SHARE * tolerance : 0, iterations, done: 0, spent: 0 };
}

/** Begins a round in which `moving` strands are solved and `resting` are not; false: there is no more to spend. */
export function nextRound(rounds: Rounds, moving: number, resting: number): boolean {
  const spent = rounds.spent + (resting > 0 ? moving / (moving + resting) : 1);
  if (spent > rounds.iterations || rounds.done === MOST_ROUNDS * rounds.iterations) return false;
  rounds.done++;
  rounds.spent = spent;
  return true;
}

/** Whether strands may rest after this round. */
export const mayRest = (rounds: Rounds): boolean => rounds.rest > 0 && 2 * rounds.done >= rounds.iterations;
