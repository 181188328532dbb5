// Strands that stay keep their state on the device while others come or go: the tables lag
// behind it and could not give it.
//
// In: which rods the device has (noted at each upload), the tables as they are now. Out: columns in which every strand
// that stayed has its present state, whatever its new place, and new ones what the tables say.
// A rod has stayed if the one in its slot is of the same making (state/strand-changes.ts).

import type { Arena } from '../../core/arena';
import * as L from '../../state/layout';
import { strandChanges } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import { NOTHING } from '../constants';
import { USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import { bind, compileKernels, dispatch, type Kernel } from '../device/pipelines';
import { WORLD_KERNELS } from '../world/world-kernels';
import type { IsOwn, StrandBuffers } from './strand-buffers';

/** Columns that are state, and vec4 a row. */
const NODE_STATE = { places: 1, positions: 1, previous: 1, velocities: 1, frames: 1, rests: 3, duals: 1 } as const;
const STRAND_STATE = { origins: 1, strands: 1 } as const;

interface Kept {
  readonly birth: number;
  /** Whether the device advanced it; else it was an obstacle, whose state is in the tables. */
  readonly isOwn: boolean;
  readonly strandStart: number;
  readonly strandCount: number;
  readonly nodeStart: number;
}

export interface StrandKeeper {
  /** Notes which strands the device has from now on; after an upload. */
  note(arena: Arena, tables: Tables, buffers: StrandBuffers): void;
  /** Place of a strand of the tables in the order of the headers that the device has; −1: it is not there yet. */
  slotOf(tables: Tables, strand: number): number;
  /**
   * Calls `upload`, which writes all columns from the tables, and gives strands that stay on the device
   * their state back. Returns whether all strands are the old ones, in their rows. `isOwn`: which ones
   * the device advances from now on.
   */
  keep(arena: Arena, tables: Tables, buffers: StrandBuffers, isOwn: IsOwn, upload: () => void): boolean;
}

/** Compiles the kernel. */
export async function createStrandKeeper(context: GpuContext): Promise<StrandKeeper> {
  const { kernel } = await compileKernels(context, { kernel: WORLD_KERNELS.takeRows });
  const known: Known = { rods: [], slots: new Int32Array(0), nodeCount: 0 };

  return {
    note(arena, tables, buffers) {
      const { births } = strandChanges(tables);
      const { flags, strandStart, strandCount, nodeStart } = tables.rods;
      known.rods = Array.from({ length: arena.i32[L.ROD_COUNT >> 2] }, (_, rod) =>
        flags[rod] & L.ROD_ALIVE
          ? {
              birth: births[rod],
              isOwn: buffers.slots[strandStart[rod]] < buffers.ownCount,
              strandStart: strandStart[rod],
              strandCount: strandCount[rod],
              nodeStart: nodeStart[rod],
            }
          : undefined,
      );
      known.slots = buffers.slots.slice();
      known.nodeCount = buffers.nodeCount;
    },
    slotOf(tables, strand) {
      const rod = tables.strands.rod[strand];
      const old = known.rods[rod];
      if (!old?.isOwn || old.birth !== strandChanges(tables).births[rod]) return -1;
      return known.slots[old.strandStart + strand - tables.rods.strandStart[rod]];
    },
    keep(arena, tables, buffers, isOwn, upload) {
      const plan = planRows(known, arena, tables, isOwn);
      if (plan.kept === 0) {
        upload();
        return plan.isSame;
      }
      // The columns may be replaced by the upload: what they hold goes aside first.
      const aside = putAside(context, buffers);
      try {
        upload();
        takeRows(context, kernel, buffers, plan, aside);
      } finally {
        // Submitted work keeps them alive until it is done.
        for (const buffer of aside.values()) buffer.destroy();
      }
      return plan.isSame;
    },
  };
}

/** What the device had at the last upload: by row of a rod; place of each strand; nodes. */
interface Known {
  rods: (Kept | undefined)[];
  slots: Int32Array;
  nodeCount: number;
}

/** Old row of each node and of each header of what stays on the device. */
function planRows({ rods, slots, nodeCount }: Known, arena: Arena, tables: Tables, isOwn: IsOwn) {
  const { rods: now } = tables;
  const { births } = strandChanges(tables);
  const nodeRows = new Uint32Array(arena.i32[L.NODE_COUNT >> 2]).fill(NOTHING);
  const strandRows = new Uint32Array(arena.i32[L.STRAND_COUNT >> 2]).fill(NOTHING);
  let nodes = 0;
  let kept = 0;
  let isSame = true;
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    const old = rods[rod];
    if (old && old.nodeStart !== now.nodeStart[rod]) isSame = false;
    if (!old || !(now.flags[rod] & L.ROD_ALIVE) || births[rod] !== old.birth) continue;
    nodes += now.nodeCount[rod];
    if (!old.isOwn || !isOwn(now.strandStart[rod])) continue;
    for (let i = 0; i < now.nodeCount[rod]; i++) nodeRows[now.nodeStart[rod] + i] = old.nodeStart + i;
    for (let s = 0; s < old.strandCount; s++) strandRows[now.strandStart[rod] + s] = slots[old.strandStart + s];
    kept += now.nodeCount[rod];
  }
  return { nodeRows, strandRows, kept, isSame: isSame && nodes === nodeCount };
}

/** Copies of all columns that are state. */
function putAside({ device }: GpuContext, { columns }: StrandBuffers): Map<string, GPUBuffer> {
  const aside = new Map<string, GPUBuffer>();
  const copy = device.createCommandEncoder({ label: 'strands aside' });
  for (const name of [...Object.keys(NODE_STATE), ...Object.keys(STRAND_STATE)] as (keyof typeof NODE_STATE)[]) {
    const { buffer, bytes: size } = columns[name];
    const to = device.createBuffer({ label: `old ${name}`, size, usage: USAGE.storage | USAGE.copyTarget });
    copy.copyBufferToBuffer(buffer, 0, to, 0, size);
    aside.set(name, to);
  }
  device.queue.submit([copy.finish()]);
  return aside;
}

/** Rows of what stays, from the old columns to their places in the new ones. Adds what it makes to `aside`. */
function takeRows(
  context: GpuContext,
  kernel: Kernel,
  { columns, order }: StrandBuffers,
  { nodeRows, strandRows }: ReturnType<typeof planRows>,
  aside: Map<string, GPUBuffer>,
): void {
  const { device } = context;
  const byOrder = Uint32Array.from(order, (strand) => strandRows[strand]);
  const storage = (data: Uint32Array<ArrayBuffer>, usage: number = USAGE.storage): GPUBuffer => {
    const buffer = device.createBuffer({ size: Math.max(16, data.byteLength), usage: usage | USAGE.copyTarget });
    device.queue.writeBuffer(buffer, 0, data);
    aside.set(`made ${aside.size}`, buffer);
    return buffer;
  };
  const encoder = device.createCommandEncoder({ label: 'strands that stay' });
  const pass = encoder.beginComputePass({ label: 'strands that stay' });
  const take = (name: keyof StrandBuffers['columns'], width: number, map: GPUBuffer, rows: number): void => {
    const words = width * rows;
    const group = bind(context, kernel, {
      take: { buffer: storage(new Uint32Array([words, width, 0, 0]), USAGE.uniform) },
      origin: { buffer: map },
      old: { buffer: aside.get(name)! },
      rows: columns[name],
    });
    dispatch(pass, kernel, name === 'strands' ? 'flags' : 'main', group, words);
  };
  const nodeMap = storage(nodeRows);
  for (const [name, width] of Object.entries(NODE_STATE)) {
    take(name as keyof typeof NODE_STATE, width, nodeMap, nodeRows.length);
  }
  const strandMap = storage(byOrder);
  for (const name of ['origins', 'strands'] as const) take(name, 1, strandMap, byOrder.length);
  pass.end();
  device.queue.submit([encoder.finish()]);
}
