// Bindings of rod-grip.wgsl: a hand in the hair.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './rod-grip.wgsl?raw';

export const rodGrip: KernelSource = {
  name: 'rod-grip',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['grip', 'uniform'],
    ['strands', 'read'],
    ['origins', 'read'],
    ['positions', 'read'],
    ['velocities', 'read'],
    ['inertias', 'write'],
  ],
};
