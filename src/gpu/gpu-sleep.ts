// Strands on the device that have come to rest: nothing is sent there until something changes.
//
// In: how fast the fastest strand is, as the device reports it (rod-calm.wgsl); bodies and settings at the start of each step. Out: whether
// the strands sleep through it. Coarser than dynamics/rods/sleep.ts, since contacts are not known here: all strands of a world sleep or
// none, and only while no body moves: whatever is awake, driven or a conveyor may be what they lie on.
// A step goes by the report of the one LAG steps before: runs repeat as long as reports come in time, as with impulses on bodies.

import type { Arena } from '../core/arena';
import * as L from '../state/layout';
import type { Tables } from '../state/tables';
import type { GpuBuffer } from './buffers';
import type { GpuContext } from './device';
import { type ComputePass, compileKernels, createBindGroups, dispatch } from './pipelines';
import { BLOCK_BYTES, type StrandBuffers } from './strand-buffers';
import { WORLD_KERNELS } from './world-kernels';

/** Steps after which a report is looked at. */
const LAG = 4;
const KEPT = 16;
/** Speed below which a strand may sleep, as a share of sleepLinearSpeed: as in dynamics/rods/sleep.ts [-]. */
const SPEED_SHARE = 0.25;
/** Size of Block in strand.wgsl [B]. */
const BLOCK_SIZE = 48;
/** Numbers a body in what is compared from step to step, and of the world. */
const [BODY_NUMBERS, WORLD_NUMBERS] = [18, 12];

export interface GpuSleep {
  /** At the start of step `step`, where it is known how bodies move: whether the strands sleep through it. */
  next(arena: Arena, tables: Tables, step: number): boolean;
  /** Something else has changed: they wake. */
  disturb(): void;
  /** Notes how fast the strands are; after they have moved. */
  encode(pass: ComputePass, step: number): void;
  /** Speed of the fastest strand in step `step` [m/s]. */
  receive(step: number, speed: number): void;
}

/** Compiles the kernel. `report`: the solver's. */
export async function createGpuSleep(
  context: GpuContext,
  strands: StrandBuffers,
  report: GpuBuffer,
): Promise<GpuSleep> {
  const { rodCalm } = WORLD_KERNELS;
  const kernels = await compileKernels(context, { rodCalm });
  const groups = createBindGroups(context);
  /** By step: the step whose speed was asked for, and that speed. */
  const asked = new Int32Array(KEPT).fill(-1);
  const speeds = new Float64Array(KEPT).fill(Number.POSITIVE_INFINITY);
  let seen = new Float64Array(0);
  let now = new Float64Array(0);
  let mayRest = false;
  let calm = 0;
  let isAsleep = false;

  const disturb = (): void => {
    calm = 0;
    isAsleep = false;
  };

  /** Whether bodies and settings are what they were in the last step. */
  const isSame = (arena: Arena, tables: Tables): boolean => {
    const count = arena.i32[L.BODY_COUNT >> 2];
    const length = WORLD_NUMBERS + BODY_NUMBERS * count;
    if (now.length !== length) now = new Float64Array(length);
    gatherState(now, arena, tables, count);
    const same = seen.length === length && seen.every((x, k) => x === now[k]);
    [seen, now] = [now, seen];
    return same;
  };

  return {
    next(arena, tables, step) {
      mayRest = arena.i32[L.SLEEP_ENABLED >> 2] !== 0 && !movesAny(arena, tables) && isSame(arena, tables);
      if (!mayRest) disturb();
      if (!mayRest || isAsleep) return isAsleep;
      const place = Math.max(0, step - LAG) % KEPT;
      const isSlow = asked[place] === step - LAG && speeds[place] < SPEED_SHARE * arena.f64[L.SLEEP_LINEAR >> 3];
      calm = isSlow ? calm + arena.f64[L.TIME_STEP >> 3] : 0;
      isAsleep = calm >= arena.f64[L.SLEEP_DELAY >> 3];
      return isAsleep;
    },
    disturb,
    encode(pass, step) {
      if (!mayRest) return;
      asked[step % KEPT] = step;
      speeds[step % KEPT] = Number.POSITIVE_INFINITY;
      groups.forget(strands.pool.generation + strands.version);
      strands.blocks.forEach((block, k) => {
        const group = groups.get(kernels.rodCalm, k, () => {
          const { strands: headers, rods, predicted, blocks } = strands.columns;
          return {
            block: { buffer: blocks.buffer, offset: BLOCK_BYTES * 2 * k, size: BLOCK_SIZE },
            strands: { buffer: headers.buffer },
            rods: { buffer: rods.buffer },
            predicted: { buffer: predicted.buffer },
            report: { buffer: report.buffer },
          };
        });
        dispatch(pass, kernels.rodCalm, 'main', group, block.strands);
      });
    },
    receive(step, speed) {
      if (asked[step % KEPT] === step) speeds[step % KEPT] = speed;
    },
  };
}

/** What must not change while strands sleep. */
function gatherState(out: Float64Array, arena: Arena, { bodies }: Tables, count: number): void {
  for (let k = 0; k < 3; k++) {
    out[k] = arena.f64[(L.GRAVITY >> 3) + k];
    out[3 + k] = arena.f64[(L.WIND >> 3) + k];
  }
  out[6] = arena.f64[L.TIME_STEP >> 3];
  out[7] = arena.i32[L.COLLIDER_COUNT >> 2];
  const { position, rotation, linearVelocity, angularVelocity } = bodies;
  for (let body = 0; body < count; body++) {
    const at = WORLD_NUMBERS + BODY_NUMBERS * body;
    for (let k = 0; k < 4; k++) {
      out[at + k] = position[4 * body + k];
      out[at + 4 + k] = rotation[4 * body + k];
      out[at + 8 + k] = linearVelocity[4 * body + k];
      out[at + 12 + k] = angularVelocity[4 * body + k];
    }
    out[at + 16] = bodies.flags[body];
    out[at + 17] = bodies.generation[body];
  }
}

/** Whether a body is awake and free, driven, or a conveyor. */
function movesAny(arena: Arena, { bodies }: Tables): boolean {
  const { flags, awakeIndex, linearVelocity: v, angularVelocity: w } = bodies;
  for (let body = 0; body < arena.i32[L.BODY_COUNT >> 2]; body++) {
    if (!(flags[body] & L.BODY_ALIVE)) continue;
    if (flags[body] & L.BODY_SURFACE) return true;
    if (flags[body] & L.BODY_DYNAMIC) {
      if (awakeIndex[body] >= 0) return true;
      continue;
    }
    for (let k = 4 * body; k < 4 * body + 3; k++) if (v[k] !== 0 || w[k] !== 0) return true;
  }
  return false;
}
