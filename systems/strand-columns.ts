// The packed arrays of all strands for rendering: filled in place, remade only when strands come or go.

import { written } from '../components/columns';
import * as L from '../src/state/layout';
import { RADIUS } from '../src/state/material-places';
import type { Physics } from './physics';

/** Writes positions between the last two steps at `alpha` in 0..1. */
export function interpolateStrands(physics: Physics, alpha: number): void {
  const { engine, rods } = physics.internal;
  const { nodeCount, positions } = rods.strands;
  if (nodeCount === 0 || rods.source?.isRead === false) return;
  const { position, previous } = engine.tables.nodes;
  const rest = 1 - alpha;
  for (let at = 0; at < 4 * nodeCount; at += 4) {
    positions[at] = rest * previous[at] + alpha * position[at];
    positions[at + 1] = rest * previous[at + 1] + alpha * position[at + 1];
    positions[at + 2] = rest * previous[at + 2] + alpha * position[at + 2];
  }
}

/** Brings ranges, radii and the entities' columns up to date after strands came, went or were restored. */
export function refreshStrands(physics: Physics): void {
  const { engine, rods: state } = physics.internal;
  const { arena, tables } = engine;
  const { rods, strands } = tables;
  const view = state.strands;
  view.nodeCount = arena.i32[L.NODE_COUNT >> 2];
  view.strandCount = arena.i32[L.STRAND_COUNT >> 2];
  view.version++;
  if (view.positions.length < 4 * view.nodeCount) view.positions = new Float32Array(8 * view.nodeCount);
  if (view.first.length < view.strandCount) {
    view.first = new Int32Array(2 * view.strandCount);
    view.counts = new Int32Array(2 * view.strandCount);
  }
  for (let s = 0; s < view.strandCount; s++) {
    view.first[s] = strands.first[s];
    // What is no strand has nothing to draw here.
    view.counts[s] = strands.kind[s] === L.KIND_ROD ? strands.nodes[s] : 0;
  }
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if (!(rods.flags[rod] & L.ROD_ALIVE)) continue;
    const start = rods.nodeStart[rod];
    const radius = rods.parameter[8 * rod + RADIUS];
    for (let i = start; i < start + rods.nodeCount[rod]; i++) view.positions[4 * i + 3] = radius;
    const eid = rods.entity[rod];
    if (eid !== 0 && strands.kind[rods.strandStart[rod]] === L.KIND_ROD) writeRanges(physics, rod, eid);
  }
  interpolateStrands(physics, 1);
}

function writeRanges(physics: Physics, rod: number, eid: number): void {
  const { rods } = physics.internal.engine.tables;
  const { Rod, Groom } = physics.components;
  const columns = written(rods.flags[rod] & L.ROD_GROOM ? Groom : Rod);
  columns.firstStrand[eid] = rods.strandStart[rod];
  columns.strandCount[eid] = rods.strandCount[rod];
  columns.firstNode[eid] = rods.nodeStart[rod];
  columns.nodeCount[eid] = rods.nodeCount[rod];
}
