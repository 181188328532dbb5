/**
 * Scratch memory for solvers: arrays that a solve borrows and never keeps.
 *
 * A solver asks for its arrays in the same order each time; the owner hands them out and takes all
 * back at once with `reset`. The pool below keeps one array per place in that order and lets it grow,
 * so that after warm-up a solve allocates nothing (handing out fresh views of one block would leave
 * a view object behind per call). They are ordinary arrays, not views of the world's one memory: nothing
 * in them outlives a solve, and such views would detach when the memory grows in the middle of one.
 */

/** Lends arrays of at least `count` numbers, contents undefined. */
export interface Scratch {
  f64(count: number): Float64Array;
  i32(count: number): Int32Array;
  /** Takes everything back. Called by the owner between solves, never by a solver. */
  reset(): void;
}

/** A pool by order of request. The two makers let a test see what is allocated. */
export function createScratch(
  makeF64: (count: number) => Float64Array = (count) => new Float64Array(count),
  makeI32: (count: number) => Int32Array = (count) => new Int32Array(count),
): Scratch {
  const f64s: Float64Array[] = [];
  const i32s: Int32Array[] = [];
  let f64Next = 0;
  let i32Next = 0;
  return {
    f64(count) {
      const k = f64Next++;
      if (k === f64s.length) f64s.push(makeF64(grownSize(count)));
      else if (f64s[k].length < count) f64s[k] = makeF64(grownSize(count));
      return f64s[k];
    },
    i32(count) {
      const k = i32Next++;
      if (k === i32s.length) i32s.push(makeI32(grownSize(count)));
      else if (i32s[k].length < count) i32s[k] = makeI32(grownSize(count));
      return i32s[k];
    },
    reset() {
      f64Next = 0;
      i32Next = 0;
    },
  };
}

/** Half as much again, so that islands that grow by a few contacts do not allocate each time. */
function grownSize(count: number): number {
  return Math.ceil(count * 1.5) + 16;
}
