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
const HOLD_NODES = [R.HOLD_START, R.HOLD_END] as const;
const HOLD_TWIST = [R.HOLD_START_TWIST, R.HOLD_END_TWIST] as const;
const HOLD_OF = [R.HOLD_OF_START, R.HOLD_OF_END] as const;

const target = new Float64Array(8);

/** Writes the holds of all strands; ends that hang on dynamic bodies are held by joints, but for their twist. */
export function writeHolds({ engine, at }: Wasm): void {
  const { arena, tables } = engine;
  const { f64 } = arena;
  const { flags, attach } = tables.strands;
  const count = arena.i32[L.STRAND_COUNT >> 2];
  const first = at.holds >> 3;
  for (let strand = 0; strand < count; strand++) {
    const bits = flags[strand];
    if (bits & L.STRAND_ASLEEP) continue;
    const base = first + R.HOLD_NUMBERS * strand;
    let held = 0;
    for (let end = 0; end < 2; end++) {
      if ((bits & CLAMPS[end]) === 0) continue;
      const to = base + HOLD_OF[end];
      held |= HOLD_TWIST[end];
      // Most hang on the world.
      if (attach[2 * strand + end] >= 0 && isClampJoint(engine, strand, end as 0 | 1)) {
        f64[to + R.HELD_TWIST] = jointSpin(engine, strand, end as 0 | 1);
        continue;
      }
      holdEnd(engine, f64, to, strand, end as 0 | 1);
      held |= HOLD_NODES[end];
    }
    f64[base] = held;
  }
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
    out[to + R.HELD_OUTER + k] = (target[k] - nodes.position[outer + k]) / dt;
    out[to + R.HELD_INNER + k] = (target[4 + k] - nodes.position[inner + k]) / dt;
  }
  out[to + R.HELD_TWIST] = (target[3] - nodes.position[edge + TWIST]) / dt;
}
