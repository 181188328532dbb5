// Timers of the stages: always on, a ring buffer of the last steps, and user-timing entries so that the
// browser's own profiler shows the stages. No allocation after the stages are known (user timing aside).

import { refuse } from './errors';

/** Milliseconds of a running clock, for those who must keep to a budget; nothing else in a step may look at it. */
export function clock(): number {
  return performance.now();
}

/** Steps kept in the ring. */
const CAPACITY = 240;

export interface Profile {
  /** Names in schedule order, the game's own systems included. */
  readonly stages: readonly string[];
  /** Steps kept. */
  readonly capacity: number;
  /** Steps recorded so far. */
  readonly count: number;
  /** Time of stage `name`, `ago` steps back (0 = last) [ms]; 0 if never recorded. */
  milliseconds(name: string, ago?: number): number;
  /** Time of the whole step [ms]. */
  stepMilliseconds(ago?: number): number;
  /** When the stage began, or the whole step without a name, as performance.now() tells [ms]; 0 if never recorded. */
  began(name?: string, ago?: number): number;
  /** Median over the ring [ms]; of the whole step without a name. */
  median(name?: string): number;
  /** Quantile over the ring, share in 0..1 [ms]. Throws UsageError for another share. */
  percentile(share: number, name?: string): number;
  /** The ring as trace events for chrome://tracing or Perfetto (timestamps in µs). */
  chromeTrace(): { traceEvents: TraceEvent[] };
}

export interface TraceEvent {
  name: string;
  cat: string;
  ph: 'X';
  ts: number;
  dur: number;
  pid: number;
  tid: number;
}

/** The writing side, for the schedule. */
export interface Recorder {
  readonly profile: Profile;
  /** Says which stages there are from now on; keeps the history of those that stay. */
  setStages(names: readonly string[]): void;
  /** Starts a step. */
  beginStep(): void;
  /** Notes the end of stage `index`, which began at the end of the one before. */
  endStage(index: number): void;
  /** Ends the step. */
  endStep(): void;
}

/**
 * `userTiming`: also emit performance.measure entries (cleared at once, so that nothing piles up). Without `isTimed` no
 * clock is read, and all times stay 0.
 */
export function createRecorder(userTiming: boolean, isTimed = true): Recorder {
  let stages: string[] = [];
  let rings: Float64Array[] = [];
  let starts: Float64Array[] = [];
  const whole = new Float64Array(CAPACITY);
  const wholeStart = new Float64Array(CAPACITY);
  const sorted = new Float64Array(CAPACITY);
  let count = 0;
  const mark = new Float64Array(2); // begin of the step, end of the last stage: typed, so that no number is boxed

  const at = (ago: number) => (count - 1 - ago + CAPACITY * 2) % CAPACITY;
  const kept = () => Math.min(count, CAPACITY);
  const isKept = (ago: number) => Number.isInteger(ago) && ago >= 0 && ago < kept();
  const ringOf = (name?: string) => (name === undefined ? whole : rings[stages.indexOf(name)]);

  const profile: Profile = {
    get stages() {
      return stages;
    },
    capacity: CAPACITY,
    get count() {
      return count;
    },
    milliseconds: (name, ago = 0) => (isKept(ago) ? (ringOf(name)?.[at(ago)] ?? 0) : 0),
    stepMilliseconds: (ago = 0) => (isKept(ago) ? whole[at(ago)] : 0),
    began(name, ago = 0) {
      if (!isKept(ago)) return 0;
      return (name === undefined ? wholeStart : starts[stages.indexOf(name)])?.[at(ago)] ?? 0;
    },
    median: (name) => profile.percentile(0.5, name),
    percentile(share, name) {
      if (typeof share !== 'number' || !(share >= 0 && share <= 1))
        refuse('profile.percentile', 'share must be 0..1', share);
      const n = kept();
      const ring = ringOf(name);
      if (n === 0 || !ring) return 0;
      sorted.set(ring);
      const view = sorted.subarray(0, n);
      view.sort((a, b) => a - b);
      return view[Math.min(n - 1, Math.floor(share * n))];
    },
    chromeTrace() {
      const traceEvents: TraceEvent[] = [];
      const add = (name: string, start: number, duration: number) =>
        traceEvents.push({ name, cat: 'physics', ph: 'X', ts: start * 1000, dur: duration * 1000, pid: 1, tid: 1 });
      for (let ago = kept() - 1; ago >= 0; ago--) {
        const i = at(ago);
        add('step', wholeStart[i], whole[i]);
        stages.forEach((name, s) => {
          add(name, starts[s][i], rings[s][i]);
        });
      }
      return { traceEvents };
    },
  };

  // A track of its own in Chrome's performance panel, beside the page's.
  const detail = { devtools: { dataType: 'track-entry', track: 'Physics', trackGroup: 'stiction', color: 'primary' } };

  const measure = (name: string, start: number, end: number) => {
    const label = `physics: ${name}`;
    performance.measure(label, { start, end, detail });
    performance.clearMeasures(label);
  };

  return {
    profile,

    setStages(names) {
      const ring = (old: Float64Array[], name: string) => old[stages.indexOf(name)] ?? new Float64Array(CAPACITY);
      const nextRings = names.map((name) => ring(rings, name));
      const nextStarts = names.map((name) => ring(starts, name));
      rings = nextRings;
      starts = nextStarts;
      stages = [...names];
    },
    beginStep() {
      if (!isTimed) return;
      mark[0] = performance.now();
      mark[1] = mark[0];
    },
    endStage(index) {
      if (!isTimed) return;
      const end = performance.now();
      const i = count % CAPACITY;
      starts[index][i] = mark[1];
      rings[index][i] = end - mark[1];
      if (userTiming) measure(stages[index], mark[1], end);
      mark[1] = end;
    },
    endStep() {
      if (!isTimed) return;
      const i = count % CAPACITY;
      wholeStart[i] = mark[0];
      whole[i] = mark[1] - mark[0];
      if (userTiming) measure('step', mark[0], mark[1]);
      count++;
    },
  };
}
