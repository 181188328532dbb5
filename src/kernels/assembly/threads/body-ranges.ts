// What a thread does of the kernels of bodies, by number.

import { setOwnScratch } from './fork';

/** Works on a range of the job `kind`. */
export function runRange(kind: i32, begin: i32, end: i32, scratch: usize): void {
  setOwnScratch(scratch);
  unreachable();
}
