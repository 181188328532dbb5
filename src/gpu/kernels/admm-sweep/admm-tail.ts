// Bindings of admm-tail.wgsl: the small colours of a sweep.

import type { KernelSource } from '../../pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import source from './admm-tail.wgsl?raw';
import row from './row.wgsl?raw';

export const admmTail: KernelSource = {
  name: 'admm-tail',
  source: solver + row + source,
  entries: ['sweep', 'last', 'spread'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['order', 'read'],
    ['rows', 'read'],
    ['forces', 'write'],
    ['projected', 'write'],
    ['bodies', 'read'],
    ['report', 'write'],
  ],
};
