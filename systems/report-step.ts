// Fills the step report: counts, deepest penetration, quarantined entities. In place, nothing allocated.

import { usedBytes } from '../src/core/arena';
import * as L from '../src/state/layout';
import type { Step } from './physics';

export function reportStep({ physics }: Step): void {
  const { engine } = physics.internal;
  const { arena, tables, report } = engine;
  const { bodies, pairs } = tables;
  const header = arena.i32;
  report.awake = header[L.AWAKE_COUNT >> 2];
  report.pairs = header[L.ACTIVE_COUNT >> 2];
  report.contacts = header[L.TOUCHING_COUNT >> 2];
  report.points = header[L.POINT_COUNT >> 2];
  report.scratchBytes = engine.kernelScratch.highWater();
  report.memoryBytes = usedBytes(arena);
  let deepest = 0;
  for (let i = 0; i < report.pairs; i++) {
    const pair = pairs.activeList[i];
    for (let k = 0; k < pairs.points[pair]; k++) deepest = Math.min(deepest, pairs.point[16 * pair + 4 * k + 3]);
  }
  report.penetration = -deepest;
  for (let i = 0; i < header[L.QUARANTINE_COUNT >> 2]; i++) {
    const eid = bodies.entity[bodies.quarantineList[i]];
    if (eid !== 0 && !report.quarantined.includes(eid)) report.quarantined.push(eid);
  }
  header[L.QUARANTINE_COUNT >> 2] = 0;
}
