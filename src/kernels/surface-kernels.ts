// The engine room for surfaces and solids, on a memory. Nothing that a world with rods alone needs may import it.

import embedded from 'virtual:surface-kernels';
import type { SurfaceKernelExports } from './exports';
import { createInstantiator } from './instantiate';

/** The kernels of surfaces, working on the `memory` of those of bodies; compiled once, one instance a world. */
export const instantiateSurfaceKernels = /* @__PURE__ */ createInstantiator<SurfaceKernelExports>(
  embedded,
  'surface kernel',
);
