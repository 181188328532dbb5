// The last steps of a world: when each began, what each stage took, what was counted. A system at the end of a step
// notes the counts; times are read from the profile when the step is over. No allocation once the stages are known.
//
// A step is named by its number in `physics.profile`; its row is that number modulo the capacity.

import type { Physics, StepReport } from '../index';

/** Steps kept: ten seconds at 60 Hz. */
export const STEPS_KEPT = 600;

/** What is counted in each step, with its words. */
export const COUNTS: readonly (readonly [key: string, label: string, read: (report: StepReport) => number])[] = [
  ['bodies', 'bodies', (report) => report.bodies],
  ['awake', 'awake', (report) => report.awake],
  ['pairs', 'pairs', (report) => report.pairs],
  ['contacts', 'contacts', (report) => report.contacts],
  ['points', 'points', (report) => report.points],
  ['islands', 'islands', (report) => report.islands],
  ['exact', 'islands by pivoting', ({ solvers }) => solvers.dantzig.islands],
  ['passes', 'passes', ({ solvers }) => solvers.dantzig.passes],
  ['pivots', 'pivots', ({ solvers }) => solvers.dantzig.pivots],
  ['settled', 'islands on a kept factor', ({ solvers }) => solvers.contactAdmm.islands],
  ['factorisations', 'factorisations', ({ solvers }) => solvers.contactAdmm.factorisations],
  ['swept', 'islands by sweeps', ({ solvers }) => solvers.sweeps.islands],
  ['sweeps', 'further sweeps', ({ solvers }) => solvers.sweeps.further],
  ['approximate', 'islands approximate', ({ solvers }) => solvers.approximate],
  ['joints', 'joints', ({ joints }) => joints.active],
  ['elastic', 'strands, sheets, solids', ({ strands }) => strands.strands],
  ['asleep', 'of them asleep', ({ strands }) => strands.asleep],
  ['vertices', 'elastic vertices', ({ strands }) => strands.nodes],
  ['touching', 'elastic contacts', ({ strands }) => strands.contacts],
  ['iterations', 'elastic iterations', ({ strands }) => strands.iterations],
  ['limits', 'limits reached', ({ limits }) => limits.length],
  ['memory', 'memory [B]', (report) => report.memoryBytes],
];

export interface StepLog {
  readonly physics: Physics;
  /** The world's stages in order, then those that it had before. */
  readonly stages: readonly string[];
  /** The next step to be read. */
  readonly end: number;
  /** The last step that is kept; -1 before there is one. */
  readonly last: number;
  /** Whether a step is kept. */
  has(step: number): boolean;
  /** `physics.stepCount` when the step began. */
  numberOf(step: number): number;
  /** When it began, as performance.now() tells [ms]. */
  began(step: number): number;
  /** The whole step [ms]. */
  total(step: number): number;
  /** A stage of it [ms]; 0 if it had none of that name. */
  stage(step: number, name: string): number;
  count(step: number, key: string): number;
  /** Threads that have worked on steps, the page's included; 0: there is one. */
  readonly threads: number;
  /** How long a thread of it worked on what threads share, the page's is number 0 [ms]. */
  busy(step: number, thread: number): number;
  /** The same of all kept steps into `out` [ms]; returns how many. */
  worked(out: Float64Array, thread: number): number;
  /** Reads the steps that have been taken since the last call. */
  read(): void;
  /** Leaves out the steps that have been taken since the last call. */
  skip(): void;
  /** Puts a stage, or the whole step without a name, of all kept steps into `out`; returns how many. */
  times(out: Float64Array, name?: string): number;
  counts(out: Float64Array, key: string): number;
  /** Stops listening to the world. */
  close(): void;
}

/** Listens to a world from now on. */
export function openStepLog(physics: Physics): StepLog {
  const { profile } = physics;
  const rows = () => new Float64Array(STEPS_KEPT);
  const [index, numbers, starts, totals] = [rows().fill(-1), rows(), rows(), rows()];
  const stages: string[] = [];
  const times = new Map<string, Float64Array>();
  const counted = COUNTS.map(([key, , read]) => ({ key, read, values: rows() }));
  const busy: Float64Array[] = [];
  let end = profile.count;
  let last = -1;
  let isSkipping = false;

  const note = () => {
    if (isSkipping) return;
    const row = profile.count % STEPS_KEPT;
    numbers[row] = physics.stepCount;
    for (let i = 0; i < counted.length; i++) counted[i].values[row] = counted[i].read(physics.report);
    const worked = physics.report.threads.busy;
    while (busy.length < worked.length) busy.push(rows());
    for (let thread = 0; thread < busy.length; thread++) busy[thread][row] = worked[thread] ?? 0;
  };
  const stop = physics.schedule.after('copy-out', note, 'panel');

  const readStep = (step: number) => {
    const ago = profile.count - 1 - step;
    const row = step % STEPS_KEPT;
    index[row] = last = step;
    starts[row] = profile.began(undefined, ago);
    totals[row] = profile.stepMilliseconds(ago);
    for (const name of stages) (times.get(name) as Float64Array)[row] = profile.milliseconds(name, ago);
  };
  const learnStages = () => {
    const { stages: now } = profile;
    if (now.every((name, i) => stages[i] === name)) return;
    const gone = stages.filter((name) => !now.includes(name));
    stages.splice(0, stages.length, ...now, ...gone);
    for (const name of now) if (!times.has(name)) times.set(name, rows());
  };
  const countsOf = (key: string) => counted.find((each) => each.key === key)?.values;
  const isKept = (step: number) => step >= 0 && index[step % STEPS_KEPT] === step;
  const gather = (out: Float64Array, from: Float64Array | undefined) => {
    let count = 0;
    for (let step = Math.max(last + 1 - STEPS_KEPT, 0); from && step <= last; step++)
      if (isKept(step)) out[count++] = from[step % STEPS_KEPT];
    return count;
  };

  return {
    physics,
    stages,
    get end() {
      return end;
    },
    get last() {
      return last;
    },
    has: isKept,
    numberOf: (step) => numbers[step % STEPS_KEPT],
    began: (step) => starts[step % STEPS_KEPT],
    total: (step) => totals[step % STEPS_KEPT],
    stage: (step, name) => times.get(name)?.[step % STEPS_KEPT] ?? 0,
    count: (step, key) => countsOf(key)?.[step % STEPS_KEPT] ?? 0,
    get threads() {
      return busy.length;
    },
    busy: (step, thread) => busy[thread]?.[step % STEPS_KEPT] ?? 0,
    read() {
      learnStages();
      // What the profile has lost meanwhile is not kept here, either.
      const from = isSkipping ? profile.count : Math.max(end, profile.count - profile.capacity);
      for (let step = from; step < profile.count; step++) readStep(step);
      end = profile.count;
      isSkipping = false;
    },
    skip() {
      end = profile.count;
      isSkipping = true;
    },
    worked: (out, thread) => gather(out, busy[thread]),
    times: (out, name) => gather(out, name === undefined ? totals : times.get(name)),
    counts: (out, key) => gather(out, countsOf(key)),
    close: stop,
  };
}
