// What the contact solver reports, and how the sizes of its colours, some steps old, set the dispatches of the coming ones.
//
// Everything here is about time, nothing about the answer: a colour that has grown takes a few rounds more a thread.

import { COLOURS } from './solver-buffers';

/** Places of the report: ITERATIONS to APART in solver.wgsl. */
const PLACE = {
  iterations: 0,
  sweeps: 1,
  solved: 4,
  uncoloured: 5,
  looks: 6,
  share: 7,
  contacts: 8,
  limited: 10,
} as const;
const SIZES = 16;
const MOVED = 80;
const APART = 208;
const SLOTS = 128;

/** Of one step, all looks together. */
export interface SolverReport {
  /** Of the last look. */
  contacts: number;
  iterations: number;
  sweeps: number;
  looks: number;
  /** Rows solved in all sweeps. */
  solved: number;
  /** Contacts that found no colour, in all looks. */
  uncoloured: number;
  /** Share of the forces that the last look started from [-]. */
  share: number;
  /** Strands that came out too fast or too long and were held back, in all looks. */
  limited: number;
  /** δ∞ by iteration, the first 128 [m]. */
  deltas: Float64Array;
  /** δ∞ of the last of these [m]. */
  delta: number;
  /** Contacts of each colour, last look. */
  sizes: Uint32Array;
}

/** The words of the report buffer as numbers. */
export function unpackReport(words: Uint32Array, timeStep: number): SolverReport {
  const bits = new Float32Array(words.buffer, words.byteOffset, words.length);
  const count = Math.min(words[PLACE.iterations], SLOTS);
  const deltas = Float64Array.from({ length: count }, (_, k) => timeStep * (bits[MOVED + k] + bits[APART + k]));
  return {
    contacts: words[PLACE.contacts],
    iterations: words[PLACE.iterations],
    sweeps: words[PLACE.sweeps],
    looks: words[PLACE.looks],
    solved: words[PLACE.solved],
    uncoloured: words[PLACE.uncoloured],
    share: bits[PLACE.share],
    limited: words[PLACE.limited],
    deltas,
    delta: count > 0 ? deltas[count - 1] : 0,
    sizes: words.slice(SIZES, SIZES + COLOURS),
  };
}

export interface ColourPlan {
  /** First colour of the tail. */
  tailFrom(capacity: number): number;
  /** Workgroups of a large colour. */
  groups(colour: number, capacity: number): number;
  learn(report: SolverReport): void;
}

/** A colour of more contacts gets a dispatch of its own: below, one workgroup is done about as soon as a dispatch starts. */
const LARGE = 512;
const THREADS = 64;
/** Room for growth since the report. */
const GENEROUS = 1.25;
const MOST_GROUPS = 4096;
/** As long as nothing is known: colours with dispatches of their own, where there is room for many contacts. */
const FIRST_TAIL = 12;
const MANY = 16384;

export function createColourPlan(): ColourPlan {
  let sizes: Uint32Array | null = null;
  return {
    tailFrom(capacity) {
      if (!sizes) return capacity < MANY ? 0 : FIRST_TAIL;
      let from = 0;
      for (let colour = 0; colour < COLOURS - 1; colour++) if (sizes[colour] > LARGE) from = colour + 1;
      return from;
    },
    groups(colour, capacity) {
      const expected = sizes ? GENEROUS * sizes[colour] : capacity / FIRST_TAIL;
      return Math.max(1, Math.min(MOST_GROUPS, Math.ceil(expected / THREADS)));
    },
    learn(report) {
      sizes = report.sizes;
    },
  };
}
