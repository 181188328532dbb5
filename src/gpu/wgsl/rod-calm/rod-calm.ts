// Bindings of rod-calm.wgsl: the fastest strand.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './rod-calm.wgsl?raw';

export const rodCalm: KernelSource = {
  name: 'rod-calm',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'read'],
    ['rods', 'read'],
    ['predicted', 'read'],
    ['report', 'write'],
  ],
};
