// What a step notes about its strands in the one memory, where kernels write and read it: one block, good for one step.
//
// In: the present strands, nodes and bodies. Out: addresses of the velocities without contacts, four f64 a node
// [m/s, rad/s]; of a byte a strand and a byte a body. `open` may remake all views.

import { createKernelScratch } from '../../core/scratch';
import * as L from '../../state/layout';
import type { Engine } from '../engine';

export interface StepNotes {
  /** Velocities without contacts: NODE_PREDICTED as the prediction left it [B]. */
  free: number;
  /** One byte a strand [B]. */
  strands: number;
  /** One byte a body slot [B]. */
  bodies: number;
  /** Places the block for what there is now; all bytes of strands and bodies are 0. */
  open(): void;
}

export function createStepNotes({ arena, tables }: Pick<Engine, 'arena' | 'tables'>): StepNotes {
  const scratch = createKernelScratch(arena, { address: L.STRAND_NOTES_ADDRESS, size: L.STRAND_NOTES_SIZE });
  return {
    free: 0,
    strands: 0,
    bodies: 0,
    open() {
      const velocities = 32 * arena.i32[L.NODE_COUNT >> 2];
      const strands = arena.i32[L.STRAND_COUNT >> 2];
      const bodies = tables.bodies.capacity;
      this.free = scratch.address(velocities + strands + bodies);
      this.strands = this.free + velocities;
      this.bodies = this.strands + strands;
      arena.u8.fill(0, this.strands, this.bodies + bodies);
    },
  };
}
