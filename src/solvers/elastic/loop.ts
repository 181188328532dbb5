/**
 * ADMM between the elastic equations and the contacts (Daviet 2020, Algorithms 2 and 4): the one loop of all backends.
 *
 * Rounds of solve, look, project, update (plan.ts) until δ∞ = dt (‖vˡ − vˡ⁻¹‖∞ + ‖vˡ −
 * p‖∞) [m] is below the tolerance or the iterations are spent; objects that have converged rest meanwhile
 * (resting.ts), contacts that no longer change sleep (§6.3.3), and the last word is with a round that all take
 * part in and a look that finds nothing new.
 */
import { LAST_LOOKS, LAST_SWEEPS, planRound, type Round, type RoundSettings } from './plan';
import type { ContactSide, ElasticSide } from './ports';
import { beginRounds, mayRest, nextRound } from './resting';

/** What the loop is told. */
export interface LoopSettings extends RoundSettings {
  /** ADMM iterations at most, of an object on average [-]. */
  readonly iterations: number;
  /** δ∞ to reach [m]. */
  readonly tolerance: number;
  /** Objects that have converged rest; never with momentum. */
  readonly resting: boolean;
  /** Contacts whose velocity changes by less than a share of δ∞ sleep for the rest of a projection. */
  readonly sleeping: boolean;
  readonly sleepShare: number;
  /** Whether a solve that was cut off ends with looks along the projection. */
  readonly geometricCorrection: boolean;
  /** Not in the paper's profile. */
  readonly isPaper: boolean;
}

/** What the loop says. */
export interface LoopReport {
  status: 'converged' | 'iteration-limit';
  iterations: number;
  sweeps: number;
  /** Contacts solved in all sweeps together. */
  contactSolves: number;
  /** δ∞ of the last iteration [m]. */
  delta: number;
  /** Contacts that were added on the way. */
  added: number;
}

/**
 * The problem's own: dt, whether the velocities obey the elastic equations at the start, and
 * whether contacts may be looked for.
 */
export interface LoopStart {
  /** [s] */
  readonly timeStep: number;
  readonly isSolved: boolean;
  readonly looks: boolean;
}

const round: Round = { ahead: false, solve: false, look: false, sweeps: 0 };

/** Runs the rounds. v of the answer is that of one more `elastic.solve(true)`, which is left to the caller. */
export function runRounds(
  elastic: ElasticSide,
  contacts: ContactSide,
  settings: LoopSettings,
  { timeStep, isSolved, looks }: LoopStart,
  report: LoopReport,
): void {
  report.status = 'iteration-limit';
  report.iterations = report.sweeps = report.contactSolves = report.added = 0;
  report.delta = 0;

  const mayLook = looks && settings.newCollisionsEvery > 0;
  const tolerance = settings.tolerance / timeStep;
  // A solve that reaches the tolerance stops: no δ∞ to come is smaller.
  const leastSleep = settings.sleeping ? settings.sleepShare * tolerance : 0;
  let sleepBelow = leastSleep;
  const rounds = beginRounds(settings.iterations, tolerance, settings.resting && !settings.acceleration);
  let isSeen = false;
  contacts.rouse();

  for (let resting = 0; nextRound(rounds, contacts.movingCount(), resting); resting = contacts.restingCount()) {
    planRound(round, rounds.done, settings, isSolved);
    if (round.ahead) elastic.moveAhead();
    if (round.solve) elastic.solve(false);
    if (mayLook && round.look) report.added += contacts.look(false);
    report.contactSolves += contacts.project(round.sweeps, sleepBelow);
    const reached = contacts.update(mayRest(rounds) ? rounds.rest : 0);
    report.iterations = Math.ceil(rounds.spent);
    report.sweeps += round.sweeps;
    report.delta = timeStep * reached;
    if (settings.sleeping) sleepBelow = Math.max(leastSleep, settings.sleepShare * reached);
    // Also where a number went bad.
    if (!(reached < tolerance)) continue;

    // The last word is with a round that all take part in.
    contacts.rouse();
    if (resting > 0) continue;
    // What no detection has seen yet may be in its way.
    const added = mayLook ? contacts.look(false) : 0;
    report.added += added;
    isSeen = added === 0;
    if (isSeen) {
      report.status = 'converged';
      break;
    }
  }

  if (mayLook && settings.geometricCorrection && !settings.isPaper && !isSeen)
    lookAlong(elastic, contacts, settings, report);
}

/** Cut off before it converged, the answer is the projection, which no detection has seen yet. */
function lookAlong(elastic: ElasticSide, contacts: ContactSide, { sweeps }: LoopSettings, report: LoopReport): void {
  for (let k = 0; k < LAST_LOOKS; k++) {
    const added = contacts.look(true);
    report.added += added;
    if (added === 0) return;
    elastic.solve(true);
    report.contactSolves += contacts.project(LAST_SWEEPS * sweeps, 0);
    report.sweeps += LAST_SWEEPS * sweeps;
    contacts.update(0);
  }
}
