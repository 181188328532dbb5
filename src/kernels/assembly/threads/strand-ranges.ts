// What a thread does of the kernels of strands, by number.

import { writeRows } from '../proximity/contacts';
import { testNearRange } from '../proximity/filter';
import { meetRange } from '../proximity/pairs';
import { predictGroups, solveGroups, weighGroups } from '../rod/rods';
import {
  RANGE_ROD_PREDICT,
  RANGE_ROD_SOLVE,
  RANGE_ROD_WEIGH,
  RANGE_STRAND_FILTER,
  RANGE_STRAND_MEET,
  RANGE_STRAND_ROWS,
  setOwnScratch,
} from './fork';

/** Works on a range of the job `kind`; `scratch`: the thread's own memory, 0 on the thread that called the kernel. */
export function runRange(kind: i32, begin: i32, end: i32, scratch: usize): void {
  setOwnScratch(scratch);
  if (kind == RANGE_ROD_PREDICT) predictGroups(begin, end);
  else if (kind == RANGE_ROD_WEIGH) weighGroups(begin, end);
  else if (kind == RANGE_ROD_SOLVE) solveGroups(begin, end);
  else if (kind == RANGE_STRAND_FILTER) testNearRange(begin, end);
  else if (kind == RANGE_STRAND_MEET) meetRange(begin, end);
  else if (kind == RANGE_STRAND_ROWS) writeRows(begin, end);
}
