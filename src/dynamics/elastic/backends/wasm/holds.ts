// Prescribed velocities of clamped ends, for the kernels (kernels/assembly/rod/holds.ts).

import { clampTarget } from '../../../../mechanics/rod/clamps';
import * as L from '../../../../state/layout';
import { TWIST } from '../../../../state/node-places';
import * as R from '../../../../state/rod-layout';
import type { Engine } from '../../../engine';
import { isClampJoint } from '../../collect-contacts';
import { jointSpin } from '../../joint-spin';
import type { Wasm } from './wasm';

/** Of the start and of the end. */
const CLAMPS = [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END] as const;
const CLAMPED = L.STRAND_CLAMP_START | L.STRAND_CLAMP_END;
const HOLD_NODES = [R.HOLD_START, R.HOLD_END] as const;
const HOLD_TWIST = [R.HOLD_START_TWIST, R.HOLD_END_TWIST] as const;
const HOLD_OF = [R.HOLD_OF_START, R.HOLD_OF_END] as const;

const target = new Float64Array(8);

/** Writes the holds of all strands; ends that hang on dynamic bodies are held by joints, but for their twist. */
export function writeHolds({ engine, at }: Wasm): void {
  const { arena, tables } = engine;
  const { f64 } = arena;
  const { flags } = tables.strands;
  const count = arena.i32[L.STRAND_COUNT >> 2];
  for (let strand = 0; strand < count; strand++) {
    if (flags[strand] & L.STRAND_ASLEEP) continue;
    const base = (at.holds >> 3) + R.HOLD_NUMBERS * strand;
    f64[base] = 0;
    if ((flags[strand] & CLAMPED) === 0) continue;
    f64[base] = writeEnd(engine, f64, base, strand, 0) | writeEnd(engine, f64, base, strand, 1);
  }
}

/** Writes the hold of an end; returns its bits. */
function writeEnd(engine: Engine, out: Float64Array, base: number, strand: number, end: 0 | 1): number {
  if ((engine.tables.strands.flags[strand] & CLAMPS[end]) === 0) return 0;
  const to = base + HOLD_OF[end];
  if (isClampJoint(engine, strand, end)) {
    out[to + 6] = jointSpin(engine, strand, end);
    return HOLD_TWIST[end];
  }
  holdEnd(engine, out, to, strand, end);
  return HOLD_TWIST[end] | HOLD_NODES[end];
}

/** Velocities of the clamped node, its neighbour and the twist between them. */
function holdEnd({ tables, settings }: Engine, out: Float64Array, to: number, strand: number, end: 0 | 1): void {
  const { strands, nodes } = tables;
  const dt = settings.timeStep;
  clampTarget(target, tables, strand, end, dt);
  const n = strands.nodes[strand];
  const first = strands.first[strand];
  const outer = 4 * (end === 0 ? first : first + n - 1);
  const inner = 4 * (end === 0 ? first + 1 : first + n - 2);
  const edge = 4 * (end === 0 ? first : first + n - 2);
  for (let k = 0; k < 3; k++) {
    out[to + k] = (target[k] - nodes.position[outer + k]) / dt;
    out[to + 3 + k] = (target[4 + k] - nodes.position[inner + k]) / dt;
  }
  out[to + 6] = (target[3] - nodes.position[edge + TWIST]) / dt;
}
