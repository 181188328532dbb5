// Fills the step report: counts, deepest penetration, quarantined entities. In place, nothing allocated.

import { usedBytes } from '../src/core/arena';
import type { Engine } from '../src/dynamics/engine';
import { REAL } from '../src/dynamics/report';
import { tellOverlaps } from '../src/dynamics/tell-overlaps';
import * as L from '../src/state/layout';
import type { Step } from './physics';
import { noteThreads } from './threads';

export function reportStep({ physics }: Step): void {
  const { engine } = physics.internal;
  const { arena, tables, report } = engine;
  const { bodies } = tables;
  const header = arena.i32;
  report.awake = header[L.AWAKE_COUNT >> 2];
  report.pairs = header[L.ACTIVE_COUNT >> 2];
  report.contacts = header[L.TOUCHING_COUNT >> 2];
  report.points = header[L.POINT_COUNT >> 2];
  report.scratchBytes = engine.kernelScratch.highWater();
  report.memoryBytes = usedBytes(arena);
  engine.reals[REAL.PENETRATION] = -arena.f64[L.DEEPEST_GAP >> 3];
  tellOverlaps(engine);
  for (let i = 0; i < header[L.QUARANTINE_COUNT >> 2]; i++) {
    const eid = bodies.entity[bodies.quarantineList[i]];
    if (eid !== 0 && !report.quarantined.includes(eid)) report.quarantined.push(eid);
  }
  header[L.QUARANTINE_COUNT >> 2] = 0;
  if (engine.movable) noteThreads(physics.internal);
  if (header[L.STRAND_BAD_COUNT >> 2] > 0) reportBadStrands(engine);
}

/** Who is quarantined in the tables as they are: some may be gone, made anew, or back as they were before. */
export function relistQuarantined(engine: Engine): void {
  const { arena, tables, report } = engine;
  const { bodies } = tables;
  report.quarantined.length = 0;
  const wanted = L.BODY_ALIVE | L.BODY_QUARANTINED;
  for (let slot = 0; slot < arena.i32[L.BODY_COUNT >> 2]; slot++) {
    const eid = bodies.entity[slot];
    if ((bodies.flags[slot] & wanted) === wanted && eid !== 0) report.quarantined.push(eid);
  }
  reportBadStrands(engine);
}

/** Entities of the strands whose numbers went bad. */
function reportBadStrands({ arena, tables, report }: Engine): void {
  const { strands, rods } = tables;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (!(strands.flags[s] & L.STRAND_QUARANTINED)) continue;
    const eid = rods.entity[strands.rod[s]];
    if (eid !== 0 && !report.quarantined.includes(eid)) report.quarantined.push(eid);
  }
  arena.i32[L.STRAND_BAD_COUNT >> 2] = 0;
}
