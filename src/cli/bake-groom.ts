// Bakes a groom part by part, over worker threads, keeping finished parts on disk.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BAKED_NODE, BAKED_STRAND } from '../state/baked-strands';
import { type BakedNumbers, type BakeJob, bakeStrands } from '../static-equilibrium/bake-strands';
import { openParts } from './bake-parts';

/** Strands a part: some 50 ms of work. */
const PART = 16;

export interface GroomPoints {
  readonly counts: Int32Array;
  readonly positions: Float64Array;
}

export interface BakeProgress {
  /** Strands that an earlier, killed bake had finished. */
  resumed(strands: number): void;
  done(strands: number): void;
}

/** Bakes all strands; the same numbers whatever the workers. `path` keeps the finished parts, to be removed by the caller's `finish`. */
export async function bakeGroom(
  strands: GroomPoints,
  job: BakeJob,
  workers: number,
  path: string,
  progress: BakeProgress,
): Promise<{ numbers: BakedNumbers; finish(): void }> {
  const { counts, positions } = strands;
  const firsts = new Int32Array(counts.length + 1);
  for (let s = 0; s < counts.length; s++) firsts[s + 1] = firsts[s] + counts[s];
  const numbers: BakedNumbers = {
    nodes: new Float64Array(BAKED_NODE * firsts[counts.length]),
    strands: new Float64Array(BAKED_STRAND * counts.length),
  };
  const isDone = new Uint8Array(counts.length);
  const take = (first: number, count: number, part: BakedNumbers): void => {
    numbers.nodes.set(part.nodes, BAKED_NODE * firsts[first]);
    numbers.strands.set(part.strands, BAKED_STRAND * first);
    isDone.fill(1, first, first + count);
  };

  // What an earlier bake of the same left.
  const parts = openParts(path, hashOf(strands, job));
  let done = 0;
  for (const { first, count, numbers: part } of parts.found) {
    take(first, count, part);
    done += count;
  }
  if (done > 0) progress.resumed(done);

  const rest: number[] = [];
  for (let first = 0; first < counts.length; first += PART) if (isDone[first] === 0) rest.push(first);
  const bake = await openWorkers(workers);
  const work = async (first: number): Promise<void> => {
    const count = Math.min(PART, counts.length - first);
    const piece = {
      counts: counts.slice(first, first + count),
      positions: positions.slice(3 * firsts[first], 3 * firsts[first + count]),
    };
    const part = await bake.run(piece, job);
    take(first, count, part);
    parts.add({ first, count, numbers: part });
    done += count;
    progress.done(done);
  };
  try {
    // As many parts under way as there are workers: a kill loses no more.
    const queue = rest[Symbol.iterator]();
    const lane = async (): Promise<void> => {
      for (const first of queue) await work(first);
    };
    await Promise.all(Array.from({ length: workers }, lane));
  } finally {
    await bake.close();
  }
  return { numbers, finish: () => parts.remove() };
}

function hashOf({ counts, positions }: GroomPoints, job: BakeJob): Buffer {
  const hash = createHash('sha256');
  const bounds = Object.entries(job.settings.bounds).map(([name, value]) => [name, String(value)]);
  hash.update(JSON.stringify([job.for, bounds, job.settings.stiffness, job.settings.stabilise, job.clampEnd]));
  for (const { buffer, byteOffset, byteLength } of [counts, positions]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest();
}

/** By a name that type checks do not look up. */
const PACKAGE = 'tinypool';

/** What is used of it. */
interface TinypoolPackage {
  readonly Tinypool: new (options: {
    filename: string;
    minThreads: number;
    maxThreads: number;
    runtime: 'worker_threads';
  }) => { run(task: unknown): Promise<BakedNumbers>; destroy(): Promise<void> };
}

interface Workers {
  run(strands: GroomPoints, job: BakeJob): Promise<BakedNumbers>;
  close(): Promise<void>;
}

/** Threads of tinypool; with one worker, or where the program is not built, this thread. */
async function openWorkers(count: number): Promise<Workers> {
  const worker = join(dirname(fileURLToPath(import.meta.url)), 'bake-worker.js');
  if (count < 2 || !existsSync(worker)) {
    // A pause after every part lets the bar be drawn and signals come through.
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    return { run: (strands, job) => pause().then(() => bakeStrands(strands, job)), close: async () => {} };
  }
  const { Tinypool }: TinypoolPackage = await import(/* @vite-ignore */ PACKAGE);
  const pool = new Tinypool({ filename: worker, minThreads: count, maxThreads: count, runtime: 'worker_threads' });
  return { run: (strands, job) => pool.run({ strands, job }), close: () => pool.destroy() };
}
