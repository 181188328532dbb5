// Bakes a groom in a page, in workers, while the page goes on: for grooms too large to be baked inside addGroom.
//
// The workers' program is text within the library, started from a Blob: no file beside the bundle, so it works the same
// from source, from the package and with every bundler. Where no worker can be started (a content security policy
// without `worker-src blob:`, Node), the strands are baked on this thread, one at a time with a pause after each.

import { refuse, refuseAs } from '../src/core/errors';
import { type BakedFor, unpackRest } from '../src/state/baked-strands';
import type { StrandRest } from '../src/state/strand-rest';
import { type BakePart, bakeByParts, STRANDS_A_PART } from '../src/static-equilibrium/bake-by-parts';
import {
  type BakedNumbers,
  type BakeJob,
  bakeStrands,
  reportStrands,
  requireBakeable,
  type SagFreeReport,
} from '../src/static-equilibrium/bake-strands';
import type { PageAnswer } from '../src/static-equilibrium/page-worker';
import { resolveSagFree } from '../src/static-equilibrium/sag-free-options';
import { readBakeOptions } from './bake-options';
import { type GroomSpec, readGroomSpec } from './grooms';
import { type Physics, requirePhysics } from './physics';

export interface BakeOptions {
  /** Workers. Default the cores. The result is the same for any number. */
  workers?: number;
  /** Hears how many strands are done, after every few. */
  onProgress?: (done: number, strands: number) => void;
  /** Ends the bake early; the promise is then rejected with its reason. */
  signal?: AbortSignal;
}

/** Strands as `addGroom` takes them, with the rest shape and stiffness that hold them. */
export interface BakedGroom {
  readonly counts: Int32Array;
  readonly positions: Float64Array;
  readonly rest: StrandRest;
  /** What they were baked for; addGroom refuses other material or gravity. */
  readonly baked: BakedFor;
  /** Which strands are not in equilibrium, or not in a stable one. */
  readonly report: SagFreeReport;
}

/**
 * Bakes the strands of a groom that `addGroom` would take, without adding it: give the result as its `strands`, and
 * leave `sagFree` out then. Throws UsageError on wrong input, as a rejected promise.
 */
export async function bakeGroom(physics: Physics, spec: GroomSpec, options: BakeOptions = {}): Promise<BakedGroom> {
  const where = 'bakeGroom';
  requirePhysics(physics, where);
  const { counts, positions, options: own, sagFree } = readGroomSpec(where, spec);
  if (spec.strands.rest !== undefined)
    refuseAs(where, 'strands must not have rest, which is what a bake finds', 'both');
  if (spec.restPositions !== undefined) refuse(where, 'restPositions must not be given', spec.restPositions);
  requireBakeable(where, counts);
  const settings = resolveSagFree(where, sagFree === false ? true : sagFree, positions.length / 3);
  const job: BakeJob = { for: readBakeOptions(physics, where, own, true), settings };
  const workers = readWorkers(where, options.workers);
  const { signal, onProgress } = options;
  signal?.throwIfAborted();

  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  stopped.catch(() => {});
  const crew = await hireWorkers(Math.min(workers, Math.ceil(counts.length / STRANDS_A_PART)));
  const bake: BakePart = (strands, part) => Promise.race([crew.bake(strands, part, signal), stopped]);
  let numbers: BakedNumbers;
  try {
    numbers = await bakeByParts({ counts, positions }, job, crew.lanes, bake, (_, done) =>
      onProgress?.(done, counts.length),
    );
  } finally {
    crew.leave();
  }
  return { counts, positions, rest: unpackRest(numbers.nodes), baked: job.for, report: reportStrands(numbers.strands) };
}

/** Beyond this many workers a page spends more on starting them than they bring. */
const MOST_WORKERS = 16;

function readWorkers(where: string, given: unknown): number {
  if (given === undefined) return Math.min(MOST_WORKERS, globalThis.navigator?.hardwareConcurrency ?? 1);
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 1 || given > 256) {
    refuse(where, 'workers must be a whole number 1..256', given);
  }
  return given;
}

interface Crew {
  readonly lanes: number;
  bake(strands: Parameters<BakePart>[0], job: BakeJob, signal?: AbortSignal): Promise<BakedNumbers>;
  leave(): void;
}

async function hireWorkers(count: number): Promise<Crew> {
  const idle: Worker[] = [];
  const all: Worker[] = [];
  if (typeof Worker === 'function') {
    const { default: PageWorker } = await import('../src/static-equilibrium/page-worker?worker&inline');
    try {
      for (let k = 0; k < count; k++) all.push(new PageWorker());
    } catch {
      // Not allowed here.
    }
    idle.push(...all);
  }
  return {
    lanes: Math.max(1, all.length),
    async bake(strands, job, signal) {
      const worker = idle.pop();
      const numbers = worker && (await ask(worker, strands, job));
      // A worker that cannot be started says so by an event, and is not asked again.
      if (!worker || !numbers) return bakeHere(strands, job, signal);
      idle.push(worker);
      return numbers;
    },
    leave() {
      for (const worker of all) worker.terminate();
    },
  };
}

/** One part from a worker; null from one that did not start. */
function ask(worker: Worker, strands: Parameters<BakePart>[0], job: BakeJob): Promise<BakedNumbers | null> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<PageAnswer>) => {
      if ('error' in data) reject(new Error(`bakeGroom: ${data.error}`));
      else resolve(data.numbers);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(null);
    };
    worker.postMessage({ strands, job });
  });
}

/** On this thread, strand by strand. */
async function bakeHere(
  strands: Parameters<BakePart>[0],
  job: BakeJob,
  signal: AbortSignal | undefined,
): Promise<BakedNumbers> {
  const parts: BakedNumbers[] = [];
  for (let s = 0; s < strands.counts.length; s++) {
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    parts.push(bakeStrands(strands, job, s, s + 1));
  }
  const joined = (name: keyof BakedNumbers): Float64Array => {
    const out = new Float64Array(parts.reduce((sum, part) => sum + part[name].length, 0));
    let at = 0;
    for (const part of parts) {
      out.set(part[name], at);
      at += part[name].length;
    }
    return out;
  };
  return { nodes: joined('nodes'), strands: joined('strands') };
}
