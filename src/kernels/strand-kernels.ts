// The engine room for strands, on a memory. Nothing that a world without rods needs may import this file.

import embedded from 'virtual:strand-kernels';
import type { StrandKernelExports } from './exports';
import { createInstantiator } from './instantiate';

/** The kernels of strands, working on the `memory` of the kernels of bodies; compiled once, one instance a world. */
export const instantiateStrandKernels = /* @__PURE__ */ createInstantiator<StrandKernelExports>(
  embedded,
  'strand kernel',
);
