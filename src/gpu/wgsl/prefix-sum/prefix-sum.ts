// Bindings of prefix-sum.wgsl: prefix sums.

import type { KernelSource } from '../../device/pipelines';
import source from './prefix-sum.wgsl?raw';

export const prefixSum: KernelSource = {
  name: 'prefix-sum',
  source,
  entries: ['main'],
  threads: 256,
  group: 2,
  bindings: [
    ['sum', 'uniform'],
    ['values', 'write'],
    ['parts', 'write'],
    ['counters', 'write'],
  ],
};
