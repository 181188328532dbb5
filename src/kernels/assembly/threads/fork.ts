// Ranges that several threads may work on: how a kernel hands them out.
//
// A kernel splits a loop over `count` things that do not depend on each other into a function of [begin, end). In the
// build for one thread (ASC_FEATURE_THREADS is false) it calls that function once. In the shared build `forkRanges`
// (imported, with `lendMemory`, from the module `fork`) calls it, by its RANGE_* number, on all threads, and returns
// when all is done: a thread begins with the globals and static data of the caller (share-kernels), shares all other
// memory, and must write only what belongs to its range. Results never depend on where ranges begin and end, nor on who
// worked on them.

/** What a range needs beside its numbers: memory that is the thread's own; 0 on the caller's thread. */
export let ownScratch: usize = 0;

export function setOwnScratch(address: usize): void {
  ownScratch = address;
}

/**
 * Works on ranges 0 to `count`, `grain` at a time; `scratch`: bytes of ownScratch. Only where ASC_FEATURE_THREADS.
 */
export declare function forkRanges(kind: i32, count: i32, grain: i32, scratch: usize): void;

/** Memory outside the world's, good until the kernel that was called from outside returns; 0: there is none. */
export declare function lendMemory(bytes: usize): usize;

// The jobs of a module, by number. Bodies:
export const RANGE_MANIFOLDS: i32 = 0;
// Strands:
export const RANGE_ROD_PREDICT: i32 = 0;
export const RANGE_ROD_WEIGH: i32 = 1;
export const RANGE_ROD_SOLVE: i32 = 2;
export const RANGE_STRAND_ROWS: i32 = 3;
export const RANGE_STRAND_WALK: i32 = 4;
export const RANGE_STRAND_MOVED: i32 = 5;
export const RANGE_STRAND_BODIES: i32 = 6;
