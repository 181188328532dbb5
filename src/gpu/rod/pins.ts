// Joints of nodes on the device with the world and with bodies that do not give way: motions
// that are prescribed, as clamps are.
//
// In: attachments of the tables, of length 0 and on nothing that moves freely: rods with others are on wasm
// (systems/place-rods). Out: the column `pins`, which rod-inertia reads. What such a joint pulls with is
// not measured: its impulse stays 0.

import type { Arena } from '../../core/arena';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';
import { STATE_USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import { type ComputePass, compileKernels, createBindGroups, dispatch } from '../device/pipelines';
import type { GpuContacts } from '../find/contacts';
import { bindBlock } from '../tables/strand-buffers';
import { WORLD_KERNELS } from '../world/world-kernels';
import type { GpuStrands } from './strands';

/** Size of Pin in rod-pins.wgsl [B]. */
const PIN_BYTES = 32;

export interface GpuPins {
  /**
   * Takes over the joints of the tables; returns whether they have changed. `isMoved`:
   * rows of strands or nodes are others.
   */
  update(arena: Arena, tables: Tables, isMoved: boolean): boolean;
  /** Where their points are at the end of the step. Before the prediction. */
  encode(pass: ComputePass): void;
  /** After each detection of contacts. */
  encodeMute(pass: ComputePass): void;
}

/** Compiles the kernels. */
export async function createGpuPins(context: GpuContext, strands: GpuStrands, contacts: GpuContacts): Promise<GpuPins> {
  const { rodPins, pinMute } = WORLD_KERNELS;
  const kernels = await compileKernels(context, { rodPins, pinMute });
  const groups = createBindGroups(context);
  const { buffers } = strands;
  const joints = buffers.pool.create('joints', PIN_BYTES, STATE_USAGE);
  let known: number[] = [];
  let count = 0;
  let uploads = 0;

  const upload = (tables: Tables, found: readonly number[]): void => {
    const { attachments, rods, nodes } = tables;
    count = found.length;
    const rows = new Float32Array((PIN_BYTES / 4) * count);
    const words = new Int32Array(rows.buffer);
    found.forEach((a, k) => {
      const body = attachments.body[a];
      const node = rods.nodeStart[attachments.rod[a]] + attachments.node[a];
      const at = (PIN_BYTES / 4) * k;
      for (let c = 0; c < 3; c++) rows[at + c] = attachments.point[4 * a + c] - (body < 0 ? buffers.cell[c] : 0);
      words.set([body, node, buffers.slots[nodes.strand[node]]], at + 3);
    });
    buffers.pool.ensure(joints, rows.byteLength);
    uploads++;
    if (count > 0) context.device.queue.writeBuffer(joints.buffer, 0, rows);
    const encoder = context.device.createCommandEncoder({ label: 'joints' });
    encoder.clearBuffer(buffers.columns.pins.buffer);
    context.device.queue.submit([encoder.finish()]);
  };

  return {
    update(arena, tables, isMoved) {
      const found = listPins(arena, tables, buffers);
      const { attachments } = tables;
      const now = found.flatMap((a) => [
        a,
        attachments.rod[a],
        attachments.node[a],
        attachments.body[a],
        ...attachments.point.subarray(4 * a, 4 * a + 3),
      ]);
      const isSame = now.length === known.length && now.every((value, k) => value === known[k]);
      if (isSame && !isMoved) return false;
      known = now;
      if (count + found.length > 0) upload(tables, found);
      return !isSame;
    },
    encode(pass) {
      if (count === 0) return;
      groups.forget(buffers.pool.generation + buffers.version + uploads);
      const group = groups.get(kernels.rodPins, 0, () => ({
        ...buffers.columns,
        block: bindBlock(buffers, 0),
        joints: { buffer: joints.buffer, size: PIN_BYTES * count },
      }));
      dispatch(pass, kernels.rodPins, 'main', group, count);
    },
    encodeMute(pass) {
      if (count === 0 || contacts.colliders.count === 0) return;
      groups.forget(buffers.pool.generation + buffers.version + uploads);
      const { current, lists, counters } = contacts.buffers;
      const { pins } = buffers.columns;
      const { colliders } = contacts.colliders;
      const group = groups.get(kernels.pinMute, current, () => ({
        counters,
        pins,
        colliders,
        contacts: lists[current],
      }));
      dispatch(pass, kernels.pinMute, 'main', group, contacts.buffers.rooms.contacts);
    },
  };
}

/** Attachments of the strands that the device advances. */
function listPins(arena: Arena, tables: Tables, { slots, ownCount }: GpuStrands['buffers']): number[] {
  const { attachments, rods, nodes, strands } = tables;
  const found: number[] = [];
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const strand = nodes.strand[rods.nodeStart[attachments.rod[a]] + attachments.node[a]];
    if (slots[strand] < ownCount && !(strands.flags[strand] & L.STRAND_QUARANTINED)) found.push(a);
  }
  return found;
}
