// Bindings of prefix-sum.wgsl: prefix sums.

import type { KernelSource } from '../../pipelines';
import source from './prefix-sum.wgsl?raw';

export const prefixSum: KernelSource = {
  name: 'prefix-sum',
  source,
  entries: ['sums', 'scan', 'spread'],
  threads: 256,
  bindings: [
    ['sum', 'uniform'],
    ['values', 'write'],
    ['parts', 'write'],
    ['counters', 'write'],
  ],
};
