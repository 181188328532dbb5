// What a thread does of the kernels of bodies, by number.

import { collideRange } from '../narrow/narrowphase';
import { RANGE_MANIFOLDS, setOwnScratch } from './fork';

/** Works on a range of the job `kind`; `scratch`: the thread's own memory, 0 on the thread that called the kernel. */
export function runRange(kind: i32, begin: i32, end: i32, scratch: usize): void {
  setOwnScratch(scratch);
  if (kind == RANGE_MANIFOLDS) collideRange(begin, end);
}
