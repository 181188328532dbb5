// A bake in parts, several under way at a time: in threads, in workers of a page, or on
// this thread with pauses between.
//
// Strands are independent of each other, so the numbers are the same wherever and in
// whatever order the parts are baked.

import { BAKED_NODE, BAKED_STRAND } from '../state/baked-strands';
import type { BakedNumbers, BakeJob } from './bake-strands';

/** Strands a part: some 50 ms of work. */
export const STRANDS_A_PART = 16;

/** A groom as it is baked. */
export interface GroomPoints {
  readonly counts: Int32Array;
  readonly positions: Float64Array;
}

/** A finished part: strands from `first` on. */
export interface BakedPart {
  readonly first: number;
  readonly count: number;
  readonly numbers: BakedNumbers;
}

/** Bakes the strands that it is given; anywhere. */
export type BakePart = (strands: GroomPoints, job: BakeJob) => Promise<BakedNumbers>;

/**
 * Bakes all strands but those `found`, `lanes` parts at a time: who is stopped loses no more. `note` hears of every
 * finished part and of the strands done by then.
 */
export async function bakeByParts(
  { counts, positions }: GroomPoints,
  job: BakeJob,
  lanes: number,
  bake: BakePart,
  note: (part: BakedPart, done: number) => void,
  found: readonly BakedPart[] = [],
): Promise<BakedNumbers> {
  const firsts = new Int32Array(counts.length + 1);
  for (let s = 0; s < counts.length; s++) firsts[s + 1] = firsts[s] + counts[s];
  const numbers: BakedNumbers = {
    nodes: new Float64Array(BAKED_NODE * firsts[counts.length]),
    strands: new Float64Array(BAKED_STRAND * counts.length),
  };
  const isDone = new Uint8Array(counts.length);
  let done = 0;
  const take = ({ first, count, numbers: part }: BakedPart): void => {
    numbers.nodes.set(part.nodes, BAKED_NODE * firsts[first]);
    numbers.strands.set(part.strands, BAKED_STRAND * first);
    isDone.fill(1, first, first + count);
    done += count;
  };
  for (const part of found) take(part);

  const work = async (first: number): Promise<void> => {
    const count = Math.min(STRANDS_A_PART, counts.length - first);
    const [from, to] = [3 * firsts[first], 3 * firsts[first + count]];
    const piece = { counts: counts.slice(first, first + count), positions: positions.slice(from, to) };
    const { settings } = job;
    const own =
      settings.forces === null ? job : { ...job, settings: { ...settings, forces: settings.forces.slice(from, to) } };
    const part = { first, count, numbers: await bake(piece, own) };
    take(part);
    note(part, done);
  };
  const waiting: number[] = [];
  for (let first = 0; first < counts.length; first += STRANDS_A_PART) if (isDone[first] === 0) waiting.push(first);
  const queue = waiting[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const first of queue) await work(first);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, Math.max(1, waiting.length)) }, lane));
  return numbers;
}
