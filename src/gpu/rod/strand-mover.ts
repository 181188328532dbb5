// Strands on the device that go along with a body that was put somewhere else: what dynamics/elastic/teleport.ts does
// to the tables, where they lag behind.
//
// In: which strands, and the pose of the body before and now. Out: their present state moved, in a submission of its
// own between two steps: what draws sees it at once.

import { multiplyQuaternion, normalizeQuaternion } from '../../math/quaternion';
import * as D from '../../state/device-places';
import type { Tables } from '../../state/tables';
import { STATE_USAGE, USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import { type Bindings, bind, compileKernels, dispatch } from '../device/pipelines';
import type { ContactBuffers } from '../tables/contact-buffers';
import type { StrandBuffers } from '../tables/strand-buffers';
import { WORLD_KERNELS } from '../world/world-kernels';

const MOVE_BYTES = 4 * D.MOVE_WORDS;

export interface StrandMover {
  /**
   * Moves strands (`slots`: in the order of the headers) with a body that was at pose
   * `from` (centre of mass, rotation).
   */
  move(tables: Tables, body: number, from: ArrayLike<number>, slots: readonly number[]): void;
}

/** Compiles the kernels. */
export async function createStrandMover(
  context: GpuContext,
  strands: StrandBuffers,
  contacts: ContactBuffers,
): Promise<StrandMover> {
  const { moveStrands, moveContacts } = WORLD_KERNELS;
  const kernels = await compileKernels(context, { moveStrands, moveContacts });
  const { device } = context;
  const { pool, columns } = strands;
  const settings = pool.create('move', MOVE_BYTES, USAGE.uniform | USAGE.copyTarget);
  const moved = pool.create('moved strands', 256, STATE_USAGE);

  const writeMove = ({ bodies }: Tables, body: number, from: ArrayLike<number>): void => {
    const words = new Float32Array(D.MOVE_WORDS);
    const whole = new Uint32Array(words.buffer);
    for (let k = 0; k < 3; k++) {
      words[D.MOVE_START + k] = from[k] - strands.cell[k];
      words[D.MOVE_END + k] = bodies.position[4 * body + k] - strands.cell[k];
      words[D.MOVE_VELOCITY + k] = bodies.linearVelocity[4 * body + k];
      words[D.MOVE_SPIN + k] = bodies.angularVelocity[4 * body + k];
    }
    // q' q⁻¹
    const turn = Float64Array.of(-from[3], -from[4], -from[5], from[6]);
    multiplyQuaternion(turn, 0, bodies.rotation, 4 * body, turn, 0);
    normalizeQuaternion(turn, 0, turn, 0);
    words.set(turn, D.MOVE_TURN);
    whole[D.MOVE_STRANDS] = strands.strandCount;
    whole[D.MOVE_BODY] = body;
    whole[D.MOVE_ROWS] = contacts.rooms.contacts;
    device.queue.writeBuffer(settings.buffer, 0, words);
  };

  return {
    move(tables, body, from, slots) {
      if (slots.length === 0) return;
      const flags = new Uint32Array(strands.strandCount);
      for (const slot of slots) flags[slot] = 1;
      pool.ensure(moved, flags.byteLength);
      device.queue.writeBuffer(moved.buffer, 0, flags);
      writeMove(tables, body, from);
      const { counters, movers, lists, current } = contacts;
      const own = { motion: { buffer: settings.buffer, size: MOVE_BYTES }, moved, counters, movers };
      const bindings: Bindings = { ...columns, ...own, contacts: lists[current] };
      const encoder = device.createCommandEncoder({ label: 'strands moved' });
      const pass = encoder.beginComputePass({ label: 'strands moved' });
      const { moveStrands: nodes, moveContacts: rows } = kernels;
      dispatch(pass, nodes, 'main', bind(context, nodes, bindings), strands.strandCount);
      dispatch(pass, rows, 'main', bind(context, rows, bindings), contacts.rooms.contacts);
      pass.end();
      // Read-backs take the velocities from there.
      const { velocities, predicted } = columns;
      encoder.copyBufferToBuffer(velocities.buffer, 0, predicted.buffer, 0, 16 * strands.nodeCount);
      device.queue.submit([encoder.finish()]);
    },
  };
}
