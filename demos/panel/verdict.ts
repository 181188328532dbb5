// What the card says of a scene's promise, as it stands now.

import type { Player } from '../app/player';

export type Verdict = { state: 'waiting' | 'holds' | 'fails'; text: string } | null;

/** What is said of a scene's promise; null: nothing. */
export function verdictOf(player: Pick<Player, 'demo' | 'verdict'>): Verdict {
  const { demo } = player;
  if (!demo) return null;
  const verdict = player.verdict();
  // What others do as well is no claim: nothing is said of it, unless it fails.
  if (!demo.rival && (!verdict?.failure || verdict.isTouched)) return null;
  if (!verdict) {
    return { state: 'waiting', text: `promised: ${demo.promise} (checked from ${demo.seconds} s on)` };
  }
  const time = `${verdict.time.toFixed(1)} s`;
  if (verdict.isTouched) {
    const { failure } = verdict;
    return failure
      ? { state: 'waiting', text: `with your hand in it, at ${time}: ${failure}` }
      : { state: 'holds', text: `with your hand in it, too, at ${time}: ${demo.promise}` };
  }
  if (verdict.failure) return { state: 'fails', text: `at ${time}: ${verdict.failure}` };
  return { state: 'holds', text: `as promised after ${time}: ${demo.promise}` };
}
