// Bindings of rod-weigh.wgsl: contact weights of the nodes.

import type { KernelSource } from '../../pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './rod-weigh.wgsl?raw';

export const rodWeigh: KernelSource = {
  name: 'rod-weigh',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'write'],
    ['factors', 'read'],
    ['weights', 'write'],
  ],
};
