// The words (i32) by which the main thread and its workers agree, in a shared buffer of their own.
//
// A job is split into tickets. NEXT holds the job's number above TICKET_BITS and the next ticket below: who raises it
// by compare-exchange has that ticket. A worker that reads a job's other words and is then overtaken by the next job
// finds another number there, and what it read is of no effect.

import { MOST_THREADS } from '../state/limits';

/** Number of the last job; workers park on it. STOP: the pool is gone. */
export const EPOCH = 0;
export const STOP = -1;
export const NEXT = 1;
/** Tickets done. */
export const DONE = 2;
/** 1 once a worker has thrown. */
export const FAILED = 3;
// The job: module by its place, RANGE_* number, things in all and by ticket, tickets.
export const MODULE = 4;
export const KIND = 5;
export const COUNT = 6;
export const GRAIN = 7;
export const TICKETS = 8;
/** Address of the main thread's state; of the first worker's static data; of the first worker's scratch [B]. */
export const STATE = 9;
export const STATICS = 10;
export const SCRATCH = 11;
export const SCRATCH_SIZE = 12;
/** Workers that may write: each counts itself before it asks for a ticket, until it has none and will ask no more. */
export const BUSY = 13;
/** 1: threads note how long they work on ranges. */
export const TIMED = 14;
/** A word a ticket: 1 once it is done. */
export const MARKS = 16;

export const TICKET_BITS = 10;
const MOST_TICKETS = 2 ** TICKET_BITS - 1;
/** Tickets of a job at most: one more number says that a job has none yet. */
export const TICKET_LIMIT = MOST_TICKETS - 1;
/** Numbers of jobs. */
export const EPOCHS = 2 ** (31 - TICKET_BITS);
/** A word a thread, the caller's first: how long it has worked on ranges since the words were last read [µs]. */
const TIMES = MARKS + TICKET_LIMIT;
/** Length of the buffer with room for so many threads [words]. */
export const WORDS = TIMES + MOST_THREADS;

/** NEXT of a job that is being written. */
export function closed(epoch: number): number {
  return (epoch << TICKET_BITS) | MOST_TICKETS;
}

/** Takes a ticket of the job; −1: there is none left, or the job is over. */
export function claim(control: Int32Array, epoch: number): number {
  for (;;) {
    const next = Atomics.load(control, NEXT);
    const ticket = next & MOST_TICKETS;
    if (next >>> TICKET_BITS !== epoch || ticket >= control[TICKETS]) return -1;
    if (Atomics.compareExchange(control, NEXT, next, next + 1) === next) return ticket;
  }
}

/** Adds what a thread has worked since `start` [ms] to its time; to be called before the ticket is said to be done. */
export function note(control: Int32Array, thread: number, start: number, now: number): void {
  control[TIMES + thread] += Math.round(1000 * (now - start));
}

/** How long each of `count` threads has worked since the last call, into `out` [ms]. */
export function takeTimes(control: Int32Array, count: number, out: number[]): void {
  out.length = count;
  for (let thread = 0; thread < count; thread++) {
    out[thread] = control[TIMES + thread] / 1000;
    control[TIMES + thread] = 0;
  }
}

/** Says that a ticket is done. */
export function finish(control: Int32Array, ticket: number): void {
  control[MARKS + ticket] = 1;
  Atomics.add(control, DONE, 1);
}
