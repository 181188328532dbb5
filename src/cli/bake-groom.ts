// Bakes a groom part by part, over worker threads, keeping finished parts on disk.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BakedPart, type BakePart, bakeByParts, type GroomPoints } from '../static-equilibrium/bake-by-parts';
import { type BakedNumbers, type BakeJob, bakeStrands } from '../static-equilibrium/bake-strands';
import { openParts } from './bake-parts';

export interface BakeProgress {
  /** Strands that an earlier, killed bake had finished. */
  resumed(strands: number): void;
  done(strands: number): void;
}

/**
 * Bakes all strands; the same numbers whatever the workers. `path` keeps the finished parts, to be
 * removed by the caller's `finish`.
 */
export async function bakeGroom(
  strands: GroomPoints,
  job: BakeJob,
  workers: number,
  path: string,
  progress: BakeProgress,
): Promise<{ numbers: BakedNumbers; finish(): void }> {
  const parts = openParts(path, hashOf(strands, job));
  const resumed = parts.found.reduce((sum, { count }) => sum + count, 0);
  if (resumed > 0) progress.resumed(resumed);
  const note = (part: BakedPart, done: number): void => {
    parts.add(part);
    progress.done(done);
  };
  const { run, close } = await openWorkers(workers);
  try {
    // As many parts under way as there are workers: a kill loses no more.
    const numbers = await bakeByParts(strands, job, workers, run, note, parts.found);
    return { numbers, finish: () => parts.remove() };
  } finally {
    await close();
  }
}

function hashOf({ counts, positions }: GroomPoints, job: BakeJob): Buffer {
  const hash = createHash('sha256');
  const bounds = Object.entries(job.settings.bounds).map(([name, value]) => [name, String(value)]);
  hash.update(JSON.stringify([job.for, bounds, job.settings.stiffness, job.settings.stabilise]));
  for (const { buffer, byteOffset, byteLength } of [counts, positions, job.settings.forces ?? new Float64Array(0)]) {
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
  readonly run: BakePart;
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
