// What clamps do to the bodies that they hang on: tables of the clamps that a body can feel, and their kernel.
//
// In: strands as they were uploaded. Out: two impulses a clamp in `reactions`, those of a body side by side, for mover-note.wgsl,
// which adds them to what contacts do to the body: they come to the CPU with them (gpu-coupling.ts). Other than on the CPU
// (dynamics/rods/carried.ts) the clamps of a groom, more than CLAMP_JOINTS strands, are not felt.

import * as L from '../state/layout';
import type { Tables } from '../state/tables';
import { type GpuBuffer, STATE_USAGE } from './buffers';
import type { GpuContext } from './device';
import type { GpuStrands } from './gpu-strands';
import { type ComputePass, compileKernels, createBindGroups, dispatch } from './pipelines';
import { BLOCK_BYTES } from './strand-buffers';
import { WORLD_KERNELS } from './world-kernels';

/** Strands of a rod up to which its clamps are felt: as in dynamics/rods/collect-contacts.ts. */
const CLAMP_JOINTS = 24;
const NOTHING = 0xffffffff;
/** Size of Block in strand.wgsl [B]. */
const BLOCK_SIZE = 48;

export interface GpuReactions {
  /** Two vec4f a clamp: impulses of its outer node and of the neighbour [N·s]. */
  readonly reactions: GpuBuffer;
  /** Two vec4f a clamp: where these nodes are on the body, from its centre of mass in its axes [m]. */
  readonly points: GpuBuffer;
  /** By body slot: its first clamp; one more at the end. */
  readonly starts: GpuBuffer;
  /** Clamps that a body could feel. */
  readonly count: number;
  /** After every upload of the strands. */
  upload(tables: Tables): void;
  /** After the last solve. `reference`: the solver's velocities before what the projection puts right. */
  encode(pass: ComputePass, reference: GpuBuffer): void;
}

export async function createGpuReactions(context: GpuContext, strands: GpuStrands): Promise<GpuReactions> {
  const { rodReact } = WORLD_KERNELS;
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
    get count() {
      return count;
    },
    upload(tables) {
      const { queue } = context.device;
      const found = clampsOf(tables, buffers.order);
      count = found.length;
      const { capacity } = tables.bodies;
      const first = new Uint32Array(capacity + 1);
      const at = new Float32Array(8 * count);
      const table = new Float32Array(8 * buffers.strandCount);
      const bits = new Uint32Array(table.buffer);
      for (let slot = 0; slot < buffers.strandCount; slot++) bits.fill(NOTHING, 8 * slot, 8 * slot + 2);
      found.forEach(({ slot, end, body }, place) => {
        const strand = buffers.order[slot];
        const { clamp } = tables.strands;
        const from = 24 * strand + 12 * end;
        for (let k = 0; k < 6; k++) at[8 * place + k + (k < 3 ? 0 : 1)] = clamp[from + k];
        bits[8 * slot + end] = place;
        table[8 * slot + 2] = tables.rods.extra[4 * tables.strands.rod[strand]];
        const outer = tables.strands.first[strand] + (end === 0 ? 0 : tables.strands.nodes[strand] - 1);
        const inner = end === 0 ? outer + 1 : outer - 1;
        table[8 * slot + 4 + 2 * end] = tables.nodes.mass[2 * outer];
        table[8 * slot + 5 + 2 * end] = tables.nodes.mass[2 * inner];
        first[body + 1] = place + 1;
      });
      for (let body = 0; body < capacity; body++) first[body + 1] = Math.max(first[body + 1], first[body]);
      pool.ensure(reactions, 32 * count);
      pool.ensure(points, 32 * count);
      pool.ensure(starts, 4 * (capacity + 1));
      pool.ensure(cuts, 32 * buffers.strandCount);
      queue.writeBuffer(starts.buffer, 0, first);
      if (count === 0) return;
      queue.writeBuffer(points.buffer, 0, at);
      queue.writeBuffer(cuts.buffer, 0, table);
    },
    encode(pass, reference) {
      if (count === 0) return;
      groups.forget(pool.generation + buffers.version);
      buffers.blocks.forEach((block, k) => {
        const group = groups.get(kernels.rodReact, k, () => {
          const { strands: headers, velocities, predicted, forces, blocks } = buffers.columns;
          return {
            block: { buffer: blocks.buffer, offset: BLOCK_BYTES * 2 * k, size: BLOCK_SIZE },
            strands: { buffer: headers.buffer },
            cuts: { buffer: cuts.buffer },
            elements: { buffer: block.elements.buffer },
            velocities: { buffer: velocities.buffer },
            predicted: { buffer: predicted.buffer },
            reference: { buffer: reference.buffer },
            forces: { buffer: forces.buffer },
            reactions: { buffer: reactions.buffer },
          };
        });
        dispatch(pass, kernels.rodReact, 'main', group, block.strands);
      });
    },
  };
}

interface Clamp {
  readonly slot: number;
  readonly end: number;
  readonly body: number;
}

/** Clamps on bodies, by body, then in the order of the headers. */
function clampsOf({ strands, rods }: Tables, order: Int32Array): Clamp[] {
  const found: Clamp[] = [];
  order.forEach((strand, slot) => {
    if (rods.strandCount[strands.rod[strand]] > CLAMP_JOINTS) return;
    for (let end = 0; end < 2; end++) {
      const isClamped = strands.flags[strand] & (end === 0 ? L.STRAND_CLAMP_START : L.STRAND_CLAMP_END);
      const body = strands.attach[2 * strand + end];
      if (isClamped && body >= 0) found.push({ slot, end, body });
    }
  });
  return found.sort((a, b) => a.body - b.body || a.slot - b.slot || a.end - b.end);
}
