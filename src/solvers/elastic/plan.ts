/**
 * The order of work in an elastic solve, as data: a loop on the CPU follows it round by round and stops where it may
 * (loop.ts), a device records it once for all rounds and lets the rounds after the end do nothing.
 */

/** One round: what is done in it, in this order; then λ is updated. */
export interface Round {
  /** p and λ move on by their momentum (Algorithm 4). */
  ahead: boolean;
  /** Velocities from the elastic equations. */
  solve: boolean;
  /** A look for contacts that they would bring. */
  look: boolean;
  /** Sweeps of the projection. */
  sweeps: number;
}

/** What of the settings decides on it. */
export interface RoundSettings {
  /** Sweeps a projection. */
  readonly sweeps: number;
  /** Momentum. */
  readonly acceleration: boolean;
  /** Rounds between looks for new contacts; 0: none. */
  readonly newCollisionsEvery: number;
}

/**
 * out := round number `number`, from 1. `isSolved`: the velocities at the start obey the elastic equations with the
 * forces there are, so that nothing moves before the first projection.
 */
export function planRound(out: Round, number: number, settings: RoundSettings, isSolved: boolean): Round {
  const { sweeps, acceleration, newCollisionsEvery } = settings;
  out.ahead = acceleration && number > 1;
  out.solve = number > 1 || !isSolved;
  out.look = newCollisionsEvery > 0 && number % newCollisionsEvery === 0;
  out.sweeps = sweeps;
  return out;
}

/**
 * A solve that was cut off ends with looks along the projection, which no detection has seen yet: what it would run
 * into is added and projected once more, so many times at most, with so many times the usual sweeps.
 */
export const LAST_LOOKS = 3;
export const LAST_SWEEPS = 4;
