// The kernels of strands of one world, instantiated when they are first asked for: a world without rods never does.

import type { StrandKernelExports } from '../../kernels/exports';
import { instantiateStrandKernels } from '../../kernels/strand-kernels';
import type { Engine } from '../engine';

/** The kernels of strands on the engine's memory. */
export function strandKernelsOf(engine: Engine): StrandKernelExports {
  engine.strandKernels ??= instantiateStrandKernels(engine.arena.memory);
  return engine.strandKernels;
}
