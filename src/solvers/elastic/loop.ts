/**
 * ADMM between the elastic equations and the contacts (Daviet 2020, Algorithms 2 and 4): the one loop of all backends.
 *
 * Rounds of solve, look, project, update (plan.ts) until δ∞ = dt (‖vˡ − vˡ⁻¹‖∞ + ‖vˡ −
 * p‖∞) [m] of each island (islands.ts) is below its tolerance or its iterations are spent; objects that have
 * converged rest meanwhile (resting.ts), contacts that no longer change sleep (§6.3.3), and the last word is with a
 * round that all of an island take part in and a look that finds nothing new.
 */
import { beginRound, type Island, type Islands, leaderOf, linkIslands, openIsland } from './islands';
import { LAST_LOOKS, LAST_SWEEPS, planRound, type Round, type RoundSettings } from './plan';
import type { ContactSide, ElasticSide } from './ports';

/** What the loop is told. */
export interface LoopSettings extends RoundSettings {
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

/** What the loop says; iterations and sweeps are those of the island that took most. */
export interface LoopReport {
  status: 'converged' | 'iteration-limit';
  iterations: number;
  sweeps: number;
  /** Contacts solved in all sweeps together. */
  contactSolves: number;
  /** δ∞ of the last iteration, of the island that is farthest off [m]. */
  delta: number;
  /** Contacts that were added on the way. */
  added: number;
}

/**
 * The problem's own: dt, whether the velocities obey the elastic equations at the start, whether contacts may be looked
 * for, and the islands.
 */
export interface LoopStart {
  /** [s] */
  readonly timeStep: number;
  readonly isSolved: boolean;
  readonly looks: boolean;
  readonly islands: Islands;
}

/**
 * Share of its tolerance below which an island waits while others go on [-]. What forces alone give differs from v by
 * A⁻¹W of what is left, for stiff ropes a thousandfold: with 1, as if alone, a belt's residual is 12 mm/s at the
 * 95th percentile, with 0.3 4, with 0.1 2.3, which it is where all go on to the end; the time is the same.
 */
const WAIT_SHARE = 0.1;

/** Whether an island has converged where no detection has seen it yet: what is in its way may be new. */
interface Sight {
  isUnseen: boolean;
}

const round: Round = { ahead: false, solve: false, look: false, sweeps: 0 };

/** Runs the rounds. v of the answer is that of one more `elastic.solve(true)`, which is left to the caller. */
export function runRounds(
  elastic: ElasticSide,
  contacts: ContactSide,
  settings: LoopSettings,
  start: LoopStart,
  report: LoopReport,
): void {
  const { timeStep, isSolved, islands } = start;
  report.iterations = report.sweeps = report.contactSolves = report.added = 0;
  report.delta = 0;

  const mayLook = start.looks && settings.newCollisionsEvery > 0;
  // A solve that reaches the tolerance stops: no δ∞ to come is smaller.
  const sleepShare = settings.sleeping ? settings.sleepShare : 0;
  for (let i = 0; i < islands.count; i++) {
    openIsland(islands.list[i], timeStep, settings.resting && !settings.acceleration, sleepShare);
    if (islands.list[i].state === 'going') contacts.rouse(i);
  }
  const sight: Sight = { isUnseen: false };
  const look = () => {
    sight.isUnseen = false;
    if (!mayLook) return;
    const added = contacts.look(false);
    report.added += added;
    // Nothing else tells of one island of everything that it goes on.
    if (added > 0 && islands.isWhole) linkIslands(islands, 0, 0);
  };

  for (let number = 0; ; ) {
    if (!beginAll(islands, contacts, sight)) {
      if (!sight.isUnseen) break;
      look();
      continue;
    }
    planRound(round, ++number, settings, isSolved);
    if (round.ahead) elastic.moveAhead();
    if (round.solve) elastic.solve(false);
    if (round.look) look();
    report.contactSolves += contacts.project(1, true);
    contacts.update();
    endRounds(islands, contacts, timeStep, sleepShare, sight);
  }

  const isCutOff = islands.list.some((island, i) => i < islands.count && island.state === 'spent');
  report.status = isCutOff ? 'iteration-limit' : 'converged';
  if (mayLook && settings.geometricCorrection && !settings.isPaper && isCutOff)
    lookAlong(elastic, contacts, islands, report);
  for (let i = 0; i < islands.count; i++) {
    // Of what others took in their numbers tell.
    if (leaderOf(islands, i) !== i) continue;
    const { rounds, swept, reached } = islands.list[i];
    report.iterations = Math.max(report.iterations, Math.ceil(rounds.spent));
    report.sweeps = Math.max(report.sweeps, swept);
    // Also where a number went bad: the largest of NaN and others is NaN.
    report.delta = Math.max(report.delta, timeStep * reached);
  }
}

/** Begins a round of all islands that go on; returns whether there are any. */
function beginAll({ list, count }: Islands, contacts: ContactSide, sight: Sight): boolean {
  let any = false;
  for (let i = 0; i < count; i++) {
    const island = list[i];
    if (island.state !== 'going') continue;
    if (beginRound(island, contacts.movingCount(i), contacts.restingCount(i))) {
      any = true;
      continue;
    }
    // It may have been done, and only gone on as others did.
    if (list[i].state === 'converged') sight.isUnseen = true;
    contacts.leave(i);
  }
  return any;
}

/** What a round has brought the islands that go on, and which of them wait from now on. */
function endRounds(
  { list, count }: Islands,
  contacts: ContactSide,
  timeStep: number,
  sleepShare: number,
  sight: Sight,
): void {
  let all = true;
  for (let i = 0; i < count; i++)
    if (list[i].state === 'going' && !endRound(list[i], i, contacts, timeStep, sleepShare)) all = false;
  for (let i = 0; i < count; i++) {
    const island = list[i];
    if (island.state !== 'going' || !island.isDone) continue;
    if (!all && !(timeStep * island.reached < WAIT_SHARE * island.tolerance)) continue;
    island.state = 'converged';
    contacts.leave(i);
    sight.isUnseen = true;
  }
}

/** What a round has brought an island; returns whether that is enough. */
function endRound(island: Island, i: number, contacts: ContactSide, timeStep: number, sleepShare: number): boolean {
  const tolerance = island.tolerance / timeStep;
  island.sleepBelow = sleepShare * Math.max(tolerance, island.reached);
  // Also where a number went bad.
  island.isDone = island.reached < tolerance && island.rested === 0;
  // The last word is with a round that all take part in.
  if (island.reached < tolerance) contacts.rouse(i);
  return island.isDone;
}

/** Of what was cut off before it converged the answer is the projection, which no detection has seen yet. */
function lookAlong(elastic: ElasticSide, contacts: ContactSide, islands: Islands, report: LoopReport): void {
  for (let i = 0; i < islands.count; i++) {
    const island = islands.list[i];
    if (island.state !== 'spent') continue;
    island.state = 'going';
    if (!islands.isWhole) contacts.rouse(i);
  }
  for (let k = 0; k < LAST_LOOKS; k++) {
    const added = contacts.look(true);
    report.added += added;
    if (added === 0) return;
    elastic.solve(true);
    report.contactSolves += contacts.project(LAST_SWEEPS, false);
    for (let i = 0; i < islands.count; i++) {
      const island = islands.list[i];
      island.rest = 0;
      if (island.state === 'going') island.swept += LAST_SWEEPS * island.sweeps;
    }
    contacts.update();
  }
}
