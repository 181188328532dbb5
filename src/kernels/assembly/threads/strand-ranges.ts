// What a thread does of the kernels of strands, by number.

import { meetStrandRange } from '../proximity/bodies';
import { writeRows } from '../proximity/contacts';
import { testMovedRange } from '../proximity/filter';
import { walkRange } from '../proximity/walk';
import { predictGroups, solveGroups, weighGroups } from '../rod/rods';
import {
  RANGE_ROD_PREDICT,
  RANGE_ROD_SOLVE,
  RANGE_ROD_WEIGH,
  RANGE_STRAND_BODIES,
  RANGE_STRAND_MOVED,
  RANGE_STRAND_ROWS,
  RANGE_STRAND_WALK,
  setOwnScratch,
} from './fork';

/** Works on a range of the job `kind`; `scratch`: the thread's own memory, 0 on the thread that called the kernel. */
export function runRange(kind: i32, begin: i32, end: i32, scratch: usize): void {
  setOwnScratch(scratch);
  if (kind == RANGE_ROD_PREDICT) predictGroups(begin, end);
  else if (kind == RANGE_ROD_WEIGH) weighGroups(begin, end);
  else if (kind == RANGE_ROD_SOLVE) solveGroups(begin, end);
  else if (kind == RANGE_STRAND_ROWS) writeRows(begin, end);
  else if (kind == RANGE_STRAND_WALK) walkRange(begin, end);
  else if (kind == RANGE_STRAND_MOVED) testMovedRange(begin, end);
  else if (kind == RANGE_STRAND_BODIES) meetStrandRange(begin, end);
}
