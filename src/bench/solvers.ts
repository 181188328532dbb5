// `stiction bench solvers`: the contact solvers on problems from running scenes and on published ones, as tables.
//
// Unlike the other benchmarks it needs nothing but the program itself; where the repository is at hand the published
// problems join in.

import { cpus, loadavg } from 'node:os';
import { benchContacts, type ContactRow, collectContacts, drawContacts } from './solvers-contacts';
import { benchPivots, benchReach, type PivotRow, type ReachRow } from './solvers-global';
import { benchLocals, type LocalRow, TOLERANCE } from './solvers-local';
import { type BatchProblem, captureBatch, loadPublished } from './solvers-problems';
import { benchStrands, type StrandBenchResult, type StrandBenchSize } from './solvers-strands';
import { ALL_STRAND_PROBLEMS } from './strand-problems';

/** How much is measured. */
export interface SolverBenchSize {
  /** Problems taken of each scene at most. */
  each: number;
  /** Scenes; all when left out. */
  scenes?: readonly string[];
  sweepLimit: number;
  /** The same where an accuracy is to be reached. */
  reachLimit: number;
  rounds: number;
  /** Sweeps from which one-contact problems are taken. */
  contactSweeps: number;
  randomContacts: number;
  /** Problems of strands; every so many of hair are solved by outer loops, too. */
  strands: StrandBenchSize;
}

export const FULL: SolverBenchSize = {
  each: 32,
  sweepLimit: 300,
  reachLimit: 6000,
  rounds: 15,
  contactSweeps: 6,
  randomContacts: 100_000,
  strands: { ...ALL_STRAND_PROBLEMS, outerEvery: 4 },
};
/** Half a minute. */
export const QUICK: SolverBenchSize = {
  each: 2,
  sweepLimit: 100,
  reachLimit: 3000,
  rounds: 5,
  contactSweeps: 3,
  randomContacts: 10_000,
  strands: { seeds: 1, each: 3, outerEvery: 2 },
};

export interface ContactResult {
  count: number;
  /** Contacts with an impulse that f32 cannot hold to 1e-3. */
  beyond: number;
  rows: ContactRow[];
}

export interface SolverBenchResult {
  date: string;
  node: string;
  machine: string;
  load: number[];
  problems: { own: number; published: number; contacts: { median: number; largest: number } };
  tolerance: number;
  sweepLimit: number;
  locals: LocalRow[];
  reach: ReachRow[];
  pivots: PivotRow[];
  real: ContactResult;
  random: ContactResult;
  strands: StrandBenchResult;
}

/** Runs all tables. */
export function benchSolvers(size: SolverBenchSize, progress: (text: string) => void): SolverBenchResult {
  const own = captureBatch(size.each, progress, size.scenes);
  const published = loadPublished();
  const batch: BatchProblem[] = [...own, ...published];
  const contacts = batch.map(({ problem }) => problem.contactCount).sort((a, b) => a - b);
  const processors = cpus();
  // The short tables first: they are the most easily disturbed by what a long run does to the machine.
  progress('time to a given accuracy');
  const reach = benchReach(published, size.reachLimit, size.rounds);
  progress('pivoting against elimination');
  const pivots = benchPivots(batch, Math.min(size.rounds, 5));
  progress('one contact');
  const real = measureContacts(collectContacts(batch, size.contactSweeps));
  const random = measureContacts(drawContacts(size.randomContacts, 1e8, 1));
  const locals = benchLocals(batch, size.sweepLimit, progress);
  const strands = benchStrands(size.strands, progress);
  progress('');
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine:
      `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores, ${process.platform} ` +
      `${process.arch}`,
    load: loadavg().map((x) => Math.round(100 * x) / 100),
    problems: {
      own: own.length,
      published: published.length,
      contacts: { median: contacts[contacts.length >> 1] ?? 0, largest: contacts.at(-1) ?? 0 },
    },
    tolerance: TOLERANCE,
    sweepLimit: size.sweepLimit,
    locals,
    reach,
    pivots,
    real,
    random,
    strands,
  };
}

function measureContacts(contacts: ReturnType<typeof drawContacts>): ContactResult {
  return { count: contacts.count, ...benchContacts(contacts) };
}
