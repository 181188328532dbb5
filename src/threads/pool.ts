// The pool of one world: hands ranges of kernels to workers, works on them itself, and joins.
//
// The main thread never parks. It takes tickets like any worker; when none is left it waits for those that workers
// still have, and no longer than PATIENCE: then they are ended, it does what is not done itself, and the world goes on
// on one thread. The same happens when a worker throws, once the others have left the job: the range throws once more,
// where somebody sees it. Where there is no memory for a job, the caller works alone from then on.
// What workers need of the memory lies above all that the arena hands out (and above the image of snapshots), and is
// good for one job: snapshots and hashes never see it.

import { type Arena, refreshArena, usedBytes } from '../core/arena';
import { clock } from '../core/profile';
import type { SharedExports } from '../kernels/shared-kernels';
import * as C from './control';
import type { Thread } from './workers';

/** Longest that a step waits for a worker that has begun a range [ms]. */
const PATIENCE = 1000;
/** Looks at the counter between two at the clock. */
const LOOKS = 1000;
const PAGE = 65536;

export interface Pool {
  /** Threads that work, the caller's included; 1 once the workers are gone. */
  readonly count: number;
  /** Why there are no workers (any more), or why they rest; '' if they work. */
  readonly reason: string;
  /** Jobs that were handed out. */
  readonly jobs: number;
  /** Works on 0 to `count` of the job `kind` of a module. Called through this object: a bench may replace it. */
  fork: (module: number, kind: number, count: number, grain: number, scratch: number) => void;
  /** How long each thread has worked on ranges since the last call, the caller's first, into `out` [ms]. */
  takeTimes(out: number[]): void;
  /** Address of memory outside the arena, good until the kernel that asks returns [B]; 0: there is none. */
  lend(bytes: number): number;
  /** Ends the workers; what runs goes on on one thread. */
  stop(reason: string): void;
}

export interface PoolParts {
  readonly arena: Arena;
  readonly control: Int32Array;
  readonly threads: readonly Thread[];
  /** The main thread's instances, by module. */
  readonly instances: readonly SharedExports[];
  /** Bytes of a thread's static data. */
  readonly staticBytes: number;
  /** Bytes of the largest state. */
  readonly stateBytes: () => number;
  /** End of what else lies above the arena's top [B]. */
  readonly end: () => number;
  /** Told once, when workers are given up. */
  readonly tell: (reason: string) => void;
  /** Whether threads note how long they work. */
  readonly isTimed: boolean;
}

function lineUp(bytes: number): number {
  return 64 * Math.ceil(bytes / 64);
}

/** Whether the page is one that its browser may slow down. */
function isHidden(): boolean {
  return (globalThis as { document?: { hidden?: boolean } }).document?.hidden === true;
}

/** Memory above what the arena hands out, and above what else lies there (`end`). */
interface Zone {
  /** Address of so many bytes behind what is lent. */
  take(bytes: number): number;
  lend(bytes: number): number;
}

function createZone(arena: Arena, end: () => number): Zone {
  let start = 0;
  let lent = 0;

  /** Once placed it stays, as long as nothing grows into it: workers make new instances when it moves. */
  const begin = () => {
    const used = Math.max(usedBytes(arena), end());
    if (start < used) start = lineUp(1.25 * used + 2 ** 20);
  };

  /** Makes the memory reach to byte `to`. Throws RangeError where there is no more. */
  const reach = (to: number) => {
    const missing = to - arena.memory.buffer.byteLength;
    if (missing <= 0) return;
    arena.memory.grow(Math.ceil((1.25 * missing) / PAGE));
    refreshArena(arena);
  };

  return {
    take(bytes) {
      begin();
      reach(start + lent + bytes);
      return start + lent;
    },
    lend(bytes) {
      begin();
      if (bytes > lent) lent = lineUp(1.25 * bytes);
      reach(start + lent);
      return start;
    },
  };
}

/** Waits for those that still work, once there are no more tickets; no longer than PATIENCE. */
function clear(control: Int32Array, epoch: number): void {
  Atomics.store(control, C.NEXT, C.closed(epoch));
  const until = clock() + PATIENCE;
  while (Atomics.load(control, C.BUSY) > 0 && clock() < until);
}

/** Works on the tickets of a job that others leave. */
function workAlong(control: Int32Array, epoch: number, run: (ticket: number) => void): void {
  for (let ticket = C.claim(control, epoch); ticket >= 0; ticket = C.claim(control, epoch)) {
    const start = control[C.TIMED] !== 0 ? clock() : 0;
    run(ticket);
    if (control[C.TIMED] !== 0) C.note(control, 0, start, clock());
    C.finish(control, ticket);
  }
}

/** Whether all tickets were done in time. */
function join(control: Int32Array, tickets: number): boolean {
  let until = 0;
  while (Atomics.load(control, C.DONE) < tickets) {
    for (let i = 0; i < LOOKS && Atomics.load(control, C.DONE) < tickets; i++);
    if (Atomics.load(control, C.FAILED) !== 0) return false;
    if (until === 0) until = clock() + PATIENCE;
    else if (clock() > until) return Atomics.load(control, C.DONE) === tickets;
  }
  return true;
}

export function createPool({ arena, control, threads, instances, ...sizes }: PoolParts): Pool {
  const staticBytes = lineUp(sizes.staticBytes);
  const zone = createZone(arena, sizes.end);
  control[C.TIMED] = sizes.isTimed ? 1 : 0;
  let reason = '';
  let epoch = 0;
  let jobs = 0;

  /** Says where a job has its memory; returns the first part, for the state. */
  const place = (scratch: number): number => {
    const state = lineUp(sizes.stateBytes());
    const size = lineUp(scratch);
    const base = zone.take(state + threads.length * (staticBytes + size));
    control[C.STATE] = base;
    control[C.STATICS] = base + state;
    control[C.SCRATCH] = base + state + threads.length * staticBytes;
    control[C.SCRATCH_SIZE] = size;
    return base;
  };

  const stop = (why: string) => {
    if (reason !== '') return;
    reason = why;
    Atomics.store(control, C.EPOCH, C.STOP);
    Atomics.notify(control, C.EPOCH);
    for (const thread of threads) thread.terminate();
  };

  /** Gives the workers up, and says so. */
  const giveUp = (why: string) => {
    if (reason !== '') return;
    stop(why);
    sizes.tell(why);
  };

  /** What `ask` returns, or null: there is no memory for it. */
  const tryMemory = (ask: () => number): number | null => {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      giveUp('the shared memory has no room for the work of threads');
      return null;
    }
  };

  return {
    get count() {
      return reason === '' && !isHidden() ? threads.length + 1 : 1;
    },
    get reason() {
      return reason === '' && isHidden() ? 'the page is in the background' : reason;
    },
    get jobs() {
      return jobs;
    },

    fork(module, kind, count, grain, scratch) {
      const instance = instances[module];
      const size = Math.max(grain, Math.ceil(count / C.TICKET_LIMIT));
      const tickets = Math.ceil(count / size);
      if (reason !== '' || tickets < 2 || isHidden()) {
        instance.runRange(kind, 0, count, 0);
        return;
      }
      const state = tryMemory(() => place(scratch));
      if (state === null) {
        instance.runRange(kind, 0, count, 0);
        return;
      }
      jobs++;
      epoch = (epoch + 1) % C.EPOCHS;
      Atomics.store(control, C.NEXT, C.closed(epoch));
      instance.keepState(state);
      control[C.MODULE] = module;
      control[C.KIND] = kind;
      control[C.COUNT] = count;
      control[C.GRAIN] = size;
      control[C.TICKETS] = tickets;
      control[C.DONE] = 0;
      control.fill(0, C.MARKS, C.MARKS + tickets);
      Atomics.store(control, C.NEXT, epoch << C.TICKET_BITS);
      Atomics.store(control, C.EPOCH, epoch);
      Atomics.notify(control, C.EPOCH);
      const run = (ticket: number) => instance.runRange(kind, ticket * size, Math.min(count, (ticket + 1) * size), 0);
      workAlong(control, epoch, run);
      if (join(control, tickets)) return;
      const isFailed = Atomics.load(control, C.FAILED) !== 0;
      if (isFailed) clear(control, epoch);
      giveUp(isFailed ? 'a worker failed' : 'a worker did not answer');
      for (let ticket = 0; ticket < tickets; ticket++) if (control[C.MARKS + ticket] === 0) run(ticket);
    },
    takeTimes: (out) => C.takeTimes(control, reason === '' && sizes.isTimed ? threads.length + 1 : 0, out),
    lend(bytes) {
      return reason === '' ? (tryMemory(() => zone.lend(bytes >>> 0)) ?? 0) : 0;
    },
    stop,
  };
}
