// Strands of the CPU as the device sees them: obstacles that move as the CPU has moved them in this step.
//
// In: the tables after the CPU's step. Out: origins, places at the start of the step and velocities over it, in the
// columns that the detection of contacts and the solver read. Their headers come last in the order, they are in no
// block, no node of theirs gets a weight: nothing moves them, and they feel nothing of what touches them.

import type { Tables } from '../../state/tables';
import type { GpuContext } from '../device/device';
import type { StrandBuffers } from './strand-buffers';

export interface Obstacles {
  /** Writes them for a step of `timeStep` [s]. After the CPU's strands have moved. */
  write(tables: Tables, timeStep: number): void;
}

export function createObstacles({ device }: GpuContext, buffers: StrandBuffers): Obstacles {
  let positions = new Float32Array(0);
  let velocities = new Float32Array(0);
  let origins = new Float32Array(0);
  return {
    write(tables, timeStep) {
      const { order, ownCount, strandCount, columns, cell } = buffers;
      if (ownCount === strandCount) return;
      const { strands, nodes } = tables;
      if (origins.length < 4 * (strandCount - ownCount)) origins = new Float32Array(4 * (strandCount - ownCount));
      let slot = ownCount;

      while (slot < strandCount) {
        // A run of strands whose nodes follow each other in the tables is one write.
        const from = strands.first[order[slot]];
        let end = from;
        let last = slot;
        while (last < strandCount && strands.first[order[last]] === end) end += strands.nodes[order[last++]];
        if (positions.length < 4 * (end - from)) {
          positions = new Float32Array(8 * (end - from));
          velocities = new Float32Array(8 * (end - from));
        }
        for (; slot < last; slot++) {
          const first = strands.first[order[slot]];
          const origin = 4 * (slot - ownCount);
          for (let k = 0; k < 3; k++) {
            const start = nodes.position[4 * first + k] - timeStep * nodes.velocity[4 * first + k];
            origins[origin + k] = start - cell[k];
            const zero = cell[k] + origins[origin + k];
            for (let i = 4 * first + k; i < 4 * (first + strands.nodes[order[slot]]); i += 4) {
              positions[i - 4 * from] = nodes.position[i] - timeStep * nodes.velocity[i] - zero;
              velocities[i - 4 * from] = nodes.velocity[i];
            }
          }
        }
        const count = 4 * (end - from);
        device.queue.writeBuffer(columns.positions.buffer, 16 * from, positions, 0, count);
        device.queue.writeBuffer(columns.predicted.buffer, 16 * from, velocities, 0, count);
      }
      device.queue.writeBuffer(columns.origins.buffer, 16 * ownCount, origins, 0, 4 * (strandCount - ownCount));
    },
  };
}
