// What clamps do to the bodies that they hang on: tables of the clamps that a body can feel, and their kernel.
//
// In: strands as they were uploaded. Out: two impulses a clamp in `reactions`, those of a body side by side, for
// mover-note.wgsl, which adds them to what contacts do to the body: they come to the CPU with them (solve/coupling.ts).
// Those of a groom, more than CLAMP_JOINTS strands, are felt together (solve/carried.ts). A strand whose clamp a body
// must feel at once is not on the device (world/placement.ts).

import { CLAMP_JOINTS } from '../../core/elastic-constants';
import { clampAt } from '../../state/clamp-places';
import * as L from '../../state/layout';
import { GRAVITY_SCALE } from '../../state/material-places';
import type { Tables } from '../../state/tables';
import { NOTHING } from '../constants';
import { type GpuBuffer, STATE_USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import { type ComputePass, compileKernels, createBindGroups, dispatch } from '../device/pipelines';
import type { GpuStrands } from '../rod/strands';
import type { ContactBuffers } from '../tables/contact-buffers';
import { bindBlock } from '../tables/strand-buffers';
import { WORLD_KERNELS } from '../world/world-kernels';
import { type Clamp, createGpuCarried } from './carried';
import type { GuessColumns } from './newton';

export interface GpuReactions {
  /** Two vec4f a clamp: impulses of its outer node and of the neighbour [N·s]. */
  readonly reactions: GpuBuffer;
  /** Two vec4f a clamp: where these nodes are on the body, from its centre of mass in its axes [m]. */
  readonly points: GpuBuffer;
  /** vec2u by body slot: its first clamp, and the end of those that are felt one by one. */
  readonly starts: GpuBuffer;
  /** See GpuCarried. */
  readonly carried: GpuBuffer;
  /** Clamps that a body could feel. */
  readonly count: number;
  /** After every upload of the strands. `isNew`: none of them was there before. */
  upload(tables: Tables, isNew: boolean): void;
  /**
   * After the last solve. `reference`: the solver's velocities before what the projection puts right; `guess`: what the
   * last linearisation started from, if it was not the step's start (always so or never).
   */
  encode(pass: ComputePass, reference: GpuBuffer, guess?: GuessColumns): void;
}

export async function createGpuReactions(
  context: GpuContext,
  strands: GpuStrands,
  contacts: ContactBuffers,
): Promise<GpuReactions> {
  const { rodReact } = WORLD_KERNELS;
  const grooms = await createGpuCarried(context, strands.buffers, contacts);
  const kernels = await compileKernels(context, { rodReact });
  const { buffers } = strands;
  const { pool } = buffers;
  const make = (name: string, bytes: number) => pool.create(name, bytes, STATE_USAGE);
  const reactions = make('reactions of clamps', 32);
  const points = make('points of clamps', 32);
  const starts = make('clamps of bodies', 8);
  const cuts = make('cuts at clamps', 32);
  const groups = createBindGroups(context);
  let count = 0;

  return {
    reactions,
    points,
    starts,
    carried: grooms.carried,
    get count() {
      return count;
    },
    upload(tables, isNew) {
      const { queue } = context.device;
      const found = clampsOf(tables, buffers);
      count = found.length;
      const { capacity } = tables.bodies;
      const ranges = new Uint32Array(2 * capacity);
      const at = new Float32Array(8 * count);
      const table = new Float32Array(8 * buffers.strandCount);
      const bits = new Uint32Array(table.buffer);
      for (let slot = 0; slot < buffers.strandCount; slot++) bits.fill(NOTHING, 8 * slot, 8 * slot + 2);
      found.forEach(({ slot, end, body, isCarried }, place) => {
        const strand = buffers.order[slot];
        const { clamp } = tables.strands;
        const from = clampAt(strand, end);
        for (let k = 0; k < 6; k++) at[8 * place + k + (k < 3 ? 0 : 1)] = clamp[from + k];
        bits[8 * slot + end] = place;
        table[8 * slot + 2] = tables.rods.extra[4 * tables.strands.rod[strand] + GRAVITY_SCALE];
        const outer = tables.strands.first[strand] + (end === 0 ? 0 : tables.strands.nodes[strand] - 1);
        const inner = end === 0 ? outer + 1 : outer - 1;
        table[8 * slot + 4 + 2 * end] = tables.nodes.mass[2 * outer];
        table[8 * slot + 5 + 2 * end] = tables.nodes.mass[2 * inner];
        if (isCarried) return;
        if (ranges[2 * body + 1] === 0) ranges[2 * body] = place;
        ranges[2 * body + 1] = place + 1;
      });
      grooms.upload(tables, found, isNew);
      pool.ensure(reactions, 32 * count);
      pool.ensure(points, 32 * count);
      pool.ensure(starts, ranges.byteLength);
      pool.ensure(cuts, 32 * buffers.strandCount);
      queue.writeBuffer(starts.buffer, 0, ranges);
      if (count === 0) return;
      queue.writeBuffer(points.buffer, 0, at);
      queue.writeBuffer(cuts.buffer, 0, table);
    },
    encode(pass, reference, guess) {
      if (count === 0) return;
      groups.forget(pool.generation + buffers.version);
      buffers.blocks.forEach((block, k) => {
        const { velocities, forces } = guess ?? buffers.columns;
        const own = { cuts, elements: block.elements, velocities, reference, forces, reactions };
        const group = groups.get(kernels.rodReact, k, () => ({
          ...buffers.columns,
          ...own,
          block: bindBlock(buffers, k),
        }));
        dispatch(pass, kernels.rodReact, 'main', group, block.strands);
      });
      grooms.encode(pass, reactions, points);
    },
  };
}

/** Clamps on dynamic bodies, by body, those of grooms last, then in the order of the headers. */
function clampsOf({ strands, rods, bodies }: Tables, { order, ownCount }: GpuStrands['buffers']): Clamp[] {
  const found: Clamp[] = [];
  order.subarray(0, ownCount).forEach((strand, slot) => {
    const isCarried = rods.strandCount[strands.rod[strand]] > CLAMP_JOINTS;
    for (let end = 0; end < 2; end++) {
      const isClamped = strands.flags[strand] & (end === 0 ? L.STRAND_CLAMP_START : L.STRAND_CLAMP_END);
      const body = strands.attach[2 * strand + end];
      const canFeel = body >= 0 && bodies.flags[body] & L.BODY_DYNAMIC;
      if (isClamped && canFeel) found.push({ slot, end, body, isCarried });
    }
  });
  return found.sort(
    (a, b) => a.body - b.body || Number(a.isCarried) - Number(b.isCarried) || a.slot - b.slot || a.end - b.end,
  );
}
