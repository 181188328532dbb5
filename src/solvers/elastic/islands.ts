/**
 * Islands of an elastic solve: what is in one has no contact, joint or body in common with anything in another. Each
 * has its own effort, stops when it has converged or spent it, and then waits, neither solved nor swept, for the
 * others: separate things cost what they cost alone. Contacts that are found on the way link islands, which are one
 * from then on.
 */
import { beginRounds, mayRest, nextRound, type Rounds } from './resting';

/** How much is done for an island at most, and what is enough. */
export interface Effort {
  /** ADMM iterations, of an object on average [-]. */
  iterations: number;
  /** Sweeps a projection [-]. */
  sweeps: number;
  /** δ∞ to reach [m]. */
  tolerance: number;
}

/** Takes no part yet; goes on; has converged; has spent its iterations. */
export type IslandState = 'idle' | 'going' | 'converged' | 'spent';

export interface Island extends Effort {
  state: IslandState;
  rounds: Rounds;
  /** Objects that rested in the round that was begun last. */
  rested: number;
  /** Sweeps so far. */
  swept: number;
  /** What the projection lets sleep, and below what objects rest [m/s]. */
  sleepBelow: number;
  rest: number;
  /** ‖vˡ − vˡ⁻¹‖∞ + ‖vˡ − p‖∞ of the last round [m/s]. */
  reached: number;
  /** Whether that was below the tolerance, and nothing rested. */
  isDone: boolean;
  /** Objects in it. */
  size: number;
  /** First and last object, −1 none: Islands.next leads on. */
  first: number;
  last: number;
  /** First and last body, −1 none: Islands.nextBody leads on. */
  firstBody: number;
  lastBody: number;
}

export interface Islands {
  /** All is one island: objects and bodies are not told apart. */
  isWhole: boolean;
  /** Islands; those that others took in are 'idle', and without objects. */
  readonly list: Island[];
  count: number;
  /** By island: the one that took it in, or itself. */
  leader: Int32Array;
  /** By object, by body of the problem: the island that it was in at first, −1 none; the next one in its island. */
  ofObject: Int32Array;
  ofBody: Int32Array;
  next: Int32Array;
  nextBody: Int32Array;
}

/** Whether an object (−1 none), or else a body of the problem, is left out. */
export type Leaves = (object: number, body: number) => boolean;

/**
 * What a look has roused of islands that had been done and waited. p and λ have moved on since it was solved last: it
 * has to be solved before it is projected again, or λ takes the same step twice.
 */
export interface Stale {
  readonly objects: Set<number>;
  readonly bodies: Set<number>;
}

export function createIslands(): Islands {
  const none = new Int32Array(0);
  return {
    isWhole: true,
    list: [],
    count: 0,
    leader: none,
    ofObject: none,
    ofBody: none,
    next: none,
    nextBody: none,
  };
}

/** No islands, of so many objects and bodies at most. */
export function resetIslands(islands: Islands, objects: number, bodies: number): void {
  islands.count = 0;
  islands.isWhole = false;
  if (islands.leader.length < objects + bodies) islands.leader = new Int32Array(2 * (objects + bodies));
  if (islands.ofObject.length < objects) {
    islands.ofObject = new Int32Array(2 * objects);
    islands.next = new Int32Array(2 * objects);
  }
  if (islands.ofBody.length < bodies) {
    islands.ofBody = new Int32Array(2 * bodies);
    islands.nextBody = new Int32Array(2 * bodies);
  }
  islands.ofObject.fill(-1, 0, objects);
  islands.ofBody.fill(-1, 0, bodies);
}

/** A further island, without objects; returns its number. */
export function addIsland(islands: Islands, effort: Effort, state: IslandState): number {
  const number = islands.count++;
  if (islands.leader.length <= number) islands.leader = new Int32Array(1);
  islands.leader[number] = number;
  const { iterations, sweeps, tolerance } = effort;
  if (islands.list.length <= number) islands.list.push(createIsland());
  const island = islands.list[number];
  island.iterations = iterations;
  island.sweeps = sweeps;
  island.tolerance = tolerance;
  island.state = state;
  island.rested = island.swept = island.sleepBelow = island.rest = island.reached = 0;
  island.isDone = false;
  island.size = 0;
  island.first = island.last = island.firstBody = island.lastBody = -1;
  return number;
}

function createIsland(): Island {
  return {
    iterations: 0,
    sweeps: 0,
    tolerance: 0,
    state: 'idle',
    rounds: beginRounds(0, 0, false),
    rested: 0,
    swept: 0,
    sleepBelow: 0,
    rest: 0,
    reached: 0,
    isDone: false,
    size: 0,
    first: -1,
    last: -1,
    firstBody: -1,
    lastBody: -1,
  };
}

/** One island of everything. */
export function makeWhole(islands: Islands, effort: Effort): Islands {
  islands.count = 0;
  islands.isWhole = true;
  addIsland(islands, effort, 'going');
  return islands;
}

/** An object joins an island. */
export function addObject({ list, ofObject, next }: Islands, island: number, object: number): void {
  const own = list[island];
  own.size++;
  ofObject[object] = island;
  next[object] = -1;
  if (own.last < 0) own.first = object;
  else next[own.last] = object;
  own.last = object;
}

/** A body of the problem joins an island. */
export function addBody({ list, ofBody, nextBody }: Islands, island: number, body: number): void {
  const own = list[island];
  ofBody[body] = island;
  nextBody[body] = -1;
  if (own.lastBody < 0) own.firstBody = body;
  else nextBody[own.lastBody] = body;
  own.lastBody = body;
}

/** The island that has taken in island i by now. */
export function leaderOf({ leader }: Islands, i: number): number {
  let island = i;
  while (leader[island] !== island) island = leader[island];
  return island;
}

/** What is exact enough for an object; of one in no island, which sleeps, that of the first will do [m]. */
export function toleranceOf(islands: Islands, object: number): number {
  const island = islands.isWhole ? 0 : Math.max(0, islands.ofObject[object]);
  return islands.list[leaderOf(islands, island)].tolerance;
}

/** Notes what is in island i, by any number, as stale if it was done. */
export function noteStale(islands: Islands, i: number, stale: Stale): void {
  const { state, first, firstBody } = islands.list[leaderOf(islands, i)];
  if (state !== 'converged' && state !== 'spent') return;
  for (let object = first; object >= 0; object = islands.next[object]) stale.objects.add(object);
  for (let body = firstBody; body >= 0; body = islands.nextBody[body]) stale.bodies.add(body);
}

/** Two islands, by any numbers, become one that goes on; −1: none. Returns its number. */
export function linkIslands(islands: Islands, i: number, j: number): number {
  if (i < 0 || j < 0) return i < 0 && j < 0 ? -1 : resume(islands, leaderOf(islands, Math.max(i, j)));
  const [one, two] = [leaderOf(islands, i), leaderOf(islands, j)];
  const number = Math.min(one, two);
  if (one === two) return resume(islands, number);
  const [a, b] = [islands.list[number], islands.list[Math.max(one, two)]];
  islands.leader[Math.max(one, two)] = number;
  a.iterations = Math.max(a.iterations, b.iterations);
  a.sweeps = Math.max(a.sweeps, b.sweeps);
  a.tolerance = Math.min(a.tolerance, b.tolerance);
  a.sleepBelow = Math.min(a.sleepBelow, b.sleepBelow);
  a.swept = Math.max(a.swept, b.swept);
  a.rested = Math.max(a.rested, b.rested);
  a.rounds = joinRounds(a, b);
  a.size += b.size;
  if (b.first >= 0) {
    if (a.last < 0) a.first = b.first;
    else islands.next[a.last] = b.first;
    a.last = b.last;
  }
  if (b.firstBody >= 0) {
    if (a.lastBody < 0) a.firstBody = b.firstBody;
    else islands.nextBody[a.lastBody] = b.firstBody;
    a.lastBody = b.lastBody;
  }
  b.first = b.last = b.firstBody = b.lastBody = -1;
  b.state = 'idle';
  return resume(islands, number);
}

/**
 * Rounds of two islands that become one. Iterations bound the solves of an object on average: what one has spent is
 * spread over the objects of both. With the less of the two the bound would begin anew with everything that is met.
 */
function joinRounds(a: Island, b: Island): Rounds {
  const [ofA, ofB] = [metOf(a), metOf(b)];
  // Without objects both have bodies alone.
  const weight = ofA + ofB > 0 ? ofA / (ofA + ofB) : 0.5;
  return {
    rest: Math.min(a.rounds.rest, b.rounds.rest),
    iterations: a.iterations,
    // Rounds are limited, too: what has had none gets some.
    done: Math.floor(weight * a.rounds.done + (1 - weight) * b.rounds.done),
    spent: weight * a.rounds.spent + (1 - weight) * b.rounds.spent,
  };
}

/** Objects of an island that take part in its solves from now on: of those that touched nothing only what is met. */
const metOf = ({ state, size }: Island): number => (state === 'idle' ? Math.min(size, 1) : size);

function resume({ list }: Islands, island: number): number {
  list[island].state = 'going';
  list[island].isDone = false;
  return island;
}

/** Begins the rounds of an island; `leastSleep`: share of its tolerance that contacts sleep below at least [-]. */
export function openIsland(island: Island, timeStep: number, resting: boolean, leastSleep: number): void {
  const tolerance = island.tolerance / timeStep;
  island.rounds = beginRounds(island.iterations, tolerance, resting);
  island.sleepBelow = leastSleep * tolerance;
}

/** Begins a round of an island that goes on, of objects that move and rest; false: it has spent its iterations. */
export function beginRound(island: Island, moving: number, resting: number): boolean {
  island.rested = island.rounds.done === 0 ? 0 : resting;
  if (!nextRound(island.rounds, moving, island.rested)) {
    island.state = island.isDone ? 'converged' : 'spent';
    return false;
  }
  island.swept += island.sweeps;
  island.rest = mayRest(island.rounds) ? island.rounds.rest : 0;
  return true;
}

/** Whether an island, by any number, goes on; −1: none, what sleeps. */
export const goesOn = (islands: Islands, island: number): boolean =>
  island >= 0 && islands.list[leaderOf(islands, island)].state === 'going';

/** Of what waits with its island. */
export const waitsIn =
  (islands: Islands): Leaves =>
  (object, body) => {
    const island = object >= 0 ? islands.ofObject[object] : body >= 0 ? islands.ofBody[body] : -1;
    return island >= 0 && !goesOn(islands, island);
  };
