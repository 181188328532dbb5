// The engine room for bodies, on a memory.

import embedded from 'virtual:kernels';
import type { KernelExports } from './exports';
import { createInstantiator } from './instantiate';

/** The kernels of bodies, working on `memory`; compiled once, one instance a world. */
export const instantiateKernels = /* @__PURE__ */ createInstantiator<KernelExports>(embedded, 'kernel');
