// What the contact solver reports, and how the sizes of its colours, some steps old, set
// the dispatches of the coming ones.
//
// Everything here is about time, nothing about the answer: a colour that has grown takes a few rounds more a thread.

import * as C from '../constants';

/** Of one step, all looks together. */
export interface SolverReport {
  /** Of the last look. */
  contacts: number;
  iterations: number;
  sweeps: number;
  looks: number;
  /** Rows solved in all sweeps. */
  solved: number;
  /** Contacts that found no colour, the crowd, in all looks. */
  uncoloured: number;
  /** Share of the forces that the last look started from [-]. */
  share: number;
  /** Strands that came out too fast or too long and were held back, in all looks. */
  limited: number;
  /** Of the fastest strand at the end of the step, where it was asked for, else 0 [m/s]. */
  speed: number;
  /** δ∞ by iteration, the first 128 [m]. */
  deltas: Float64Array;
  /** δ∞ of the last of these [m]. */
  delta: number;
  /** Contacts of each colour, and of the crowd, last look. */
  sizes: Uint32Array;
}

/** The words of the report buffer as numbers. */
export function unpackReport(words: Uint32Array, timeStep: number): SolverReport {
  const bits = new Float32Array(words.buffer, words.byteOffset, words.length);
  const count = Math.min(words[C.REPORT_ITERATIONS], C.REPORT_SLOTS);
  const deltas = Float64Array.from(
    { length: count },
    (_, k) => timeStep * (bits[C.REPORT_MOVED + k] + bits[C.REPORT_GAPS + k]),
  );
  return {
    contacts: words[C.REPORT_CONTACTS],
    iterations: words[C.REPORT_ITERATIONS],
    sweeps: words[C.REPORT_SWEEPS],
    looks: words[C.REPORT_LOOKS],
    solved: words[C.REPORT_SOLVED],
    uncoloured: words[C.REPORT_UNCOLOURED],
    share: bits[C.REPORT_SHARE],
    limited: words[C.REPORT_LIMITED],
    speed: bits[C.REPORT_SPEED],
    deltas,
    delta: count > 0 ? deltas[count - 1] : 0,
    sizes: words.slice(C.REPORT_SIZES, C.REPORT_SIZES + C.COLOURS),
  };
}

/**
 * In which dispatches a walk (admm-sweep.wgsl) takes its turns: colours, crowd, nodes of
 * the crowd; empty ones do not count.
 */
export interface ColourPlan {
  /** Workgroups of each dispatch: even numbers, the last one odd. `settles`: the nodes of the crowd have a turn. */
  walk(capacity: number, settles: boolean): readonly number[];
  learn(report: SolverReport, nodes: number): void;
}

/**
 * A turn of more has a dispatch of its own: four rounds of one workgroup take about as
 * long as a dispatch takes to start.
 */
const LARGE = 1024;
/** Room for growth since the report. */
const GENEROUS = 1.25;
const MOST_GROUPS = 1024;
const FIRST_TURNS = 8;

export function createColourPlan(): ColourPlan {
  let sizes: number[] | null = null;
  let turnsOfContacts = 0;
  let hasCrowd = true;

  const turnsOf = (capacity: number, settles: boolean): readonly number[] => {
    if (sizes) return settles ? sizes : sizes.slice(0, turnsOfContacts);
    const count = capacity < C.MANY_CONTACTS ? 0 : FIRST_TURNS - (settles ? 0 : 1);
    return new Array(count).fill(capacity / FIRST_TURNS);
  };

  return {
    walk(capacity, settles) {
      const turns = turnsOf(capacity, settles);
      const own = 1 + turns.findLastIndex((size) => size > LARGE);
      const groups = turns.slice(0, own).map(groupsOf);
      // A turn of its own is the end only where no other can have come after it: colours come before the crowd.
      const isEnd = own > 0 && own === turns.length && hasCrowd;
      if (isEnd) groups[own - 1]++;
      else groups.push(1);
      return groups;
    },
    learn(report, nodes) {
      sizes = [...report.sizes.filter((size) => size > 0)];
      turnsOfContacts = sizes.length;
      hasCrowd = report.sizes[C.COLOURS - 1] > 0;
      if (hasCrowd) sizes.push(nodes);
    },
  };
}

/** Workgroups of a turn of its own: an even number. */
function groupsOf(size: number): number {
  return 2 * Math.max(1, Math.min(MOST_GROUPS / 2, Math.ceil((GENEROUS * size) / (2 * C.SWEEP_THREADS))));
}
