// Bindings of rod-inertia.wgsl: inertia of the unknowns, outside forces, holds.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './rod-inertia.wgsl?raw';

export const rodInertia: KernelSource = {
  name: 'rod-inertia',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'read'],
    ['rods', 'read'],
    ['masses', 'read'],
    ['velocities', 'read'],
    ['forces', 'read'],
    ['holds', 'read'],
    ['pins', 'read'],
    ['inertias', 'write'],
  ],
};
