// Bindings of rod-solve.wgsl: the step without contacts.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import reduced from './rod-reduced.wgsl?raw';
import source from './rod-solve.wgsl?raw';
import triangle from './rod-triangle.wgsl?raw';

export const rodSolve: KernelSource = {
  name: 'rod-solve',
  source: strand + reduced + triangle + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'write'],
    ['factors', 'read'],
    ['velocities', 'read'],
    ['reduced', 'write'],
    ['predicted', 'write'],
  ],
};
