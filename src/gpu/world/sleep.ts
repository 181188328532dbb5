// Strands on the device that have come to rest: nothing is sent there until something changes.
//
// In: how fast the fastest strand is, as the device reports it (rod-calm.wgsl); bodies and settings at the start of
// each step. Out: whether the strands sleep through it. Coarser than dynamics/elastic/sleep.ts, since contacts are not
// known here: all strands of a world sleep or none, and only while no body moves: whatever is awake, driven or a
// conveyor may be what they lie on. A step goes by the report of the one LAG steps before: runs repeat as long as
// reports come in time, as with impulses on bodies.

import type { Arena } from '../../core/arena';
import { SLEEP_SPEED_SHARE } from '../../core/elastic-constants';
import * as L from '../../state/layout';
import { strandChanges } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import type { GpuBuffer } from '../device/buffers';
import type { GpuContext } from '../device/device';
import { type ComputePass, compileKernels, createBindGroups, dispatch } from '../device/pipelines';
import { bindBlock, type StrandBuffers } from '../tables/strand-buffers';
import { WORLD_KERNELS } from './world-kernels';

/** Steps after which a report is looked at. */
const LAG = 4;
const KEPT = 16;
/** Numbers that are compared from step to step. */
const SEEN = 9;

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
  let seen = new Float64Array(SEEN);
  let now = new Float64Array(SEEN);
  let mayRest = false;
  let calm = 0;
  let isAsleep = false;

  const disturb = (): void => {
    calm = 0;
    isAsleep = false;
  };

  /** Whether strands that the CPU advances are awake. */
  const meetsAwake = (arena: Arena): boolean =>
    strands.ownCount < strands.strandCount && arena.i32[L.STRAND_ASLEEP_COUNT >> 2] < arena.i32[L.STRAND_COUNT >> 2];

  /** Whether bodies that do not move by themselves, and settings, are what they were in the last step. */
  const isSame = (arena: Arena, tables: Tables): boolean => {
    for (let k = 0; k < 3; k++) {
      now[k] = arena.f64[(L.GRAVITY >> 3) + k];
      now[3 + k] = arena.f64[(L.WIND >> 3) + k];
    }
    now[6] = arena.f64[L.TIME_STEP >> 3];
    now[7] = strandChanges(tables).bodies;
    now[8] = arena.i32[L.CUSTOM_BODY_COUNT >> 2];
    [seen, now] = [now, seen];
    return seen.every((x, k) => x === now[k]);
  };

  return {
    next(arena, tables, step) {
      const isQuiet = !movesAny(arena, tables) && !meetsAwake(arena);
      mayRest = arena.i32[L.SLEEP_ENABLED >> 2] !== 0 && isQuiet && isSame(arena, tables);
      if (!mayRest) disturb();
      if (!mayRest || isAsleep) return isAsleep;
      const place = Math.max(0, step - LAG) % KEPT;
      const isSlow = asked[place] === step - LAG && speeds[place] < SLEEP_SPEED_SHARE * arena.f64[L.SLEEP_LINEAR >> 3];
      calm = isSlow ? calm + arena.f64[L.TIME_STEP >> 3] : 0;
      isAsleep = calm > 0 && calm >= arena.f64[L.SLEEP_DELAY >> 3];
      return isAsleep;
    },
    disturb,
    encode(pass, step) {
      if (!mayRest) return;
      asked[step % KEPT] = step;
      speeds[step % KEPT] = Number.POSITIVE_INFINITY;
      groups.forget(strands.pool.generation + strands.version);
      strands.blocks.forEach((block, k) => {
        const bindings = () => ({ ...strands.columns, report, block: bindBlock(strands, k) });
        const group = groups.get(kernels.rodCalm, k, bindings);
        dispatch(pass, kernels.rodCalm, 'main', group, block.strands);
      });
    },
    receive(step, speed) {
      if (asked[step % KEPT] === step) speeds[step % KEPT] = speed;
    },
  };
}

/** Whether a body is awake, driven, or a conveyor. */
function movesAny(arena: Arena, { bodies }: Tables): boolean {
  if (arena.i32[L.AWAKE_COUNT >> 2] > 0) return true;
  if (arena.i32[L.CUSTOM_BODY_COUNT >> 2] === 0) return false;
  return bodies.flags.subarray(0, arena.i32[L.BODY_COUNT >> 2]).some((flags) => (flags & L.BODY_SURFACE) !== 0);
}
