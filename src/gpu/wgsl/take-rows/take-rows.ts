// Bindings of take-rows.wgsl: state of strands that stay while others come or go.

import type { KernelSource } from '../../device/pipelines';
import source from './take-rows.wgsl?raw';

export const takeRows: KernelSource = {
  name: 'take-rows',
  source,
  entries: ['main', 'flags'],
  threads: 256,
  bindings: [
    ['take', 'uniform'],
    ['origin', 'read'],
    ['old', 'read'],
    ['rows', 'write'],
  ],
};
