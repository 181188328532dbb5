/** A frame: x y z of all points of the hair, strand after strand, then of the ball [m]. */
export interface Frame {
  /** Steps taken, from 1. */
  readonly number: number;
  readonly points: Float32Array;
}

/** From the worker, once, before any frame. */
export interface Begin {
  readonly strands: number;
  readonly vertices: number; // of a strand
  readonly radius: number; // of the ball [m]
  readonly timeStep: number; // [s]
  /** Where frames are to be found; null where the page is not isolated: each is a message then. */
  readonly memory: SharedArrayBuffer | null;
}

/** From the worker, once its threads are there or will not be. */
export interface Threads {
  readonly threads: number;
  readonly reason: string; // why they are fewer than there are cores, '' if they are not
}

/** To the worker: where the ball is to go. */
export interface Goal {
  readonly position: readonly [number, number, number]; // [m]
}

/** Frames that the memory holds: the worker writes one while the page reads the two before. */
const SLOTS = 4;
const HEADER = 16; // bytes

/** Bytes of a memory for frames of so many numbers. */
export const memoryBytes = (length: number): number => HEADER + 4 * SLOTS * length;

/** The number of the last frame that is whole. */
export const numberIn = (memory: SharedArrayBuffer): Int32Array => new Int32Array(memory, 0, 1);

/** The points of a frame. */
export function pointsOf(memory: SharedArrayBuffer, number: number): Float32Array {
  const length = (memory.byteLength - HEADER) / (4 * SLOTS);
  return new Float32Array(memory, HEADER + 4 * length * (number % SLOTS), length);
}
