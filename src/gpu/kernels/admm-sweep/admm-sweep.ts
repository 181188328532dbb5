// Bindings of admm-sweep.wgsl: a large colour of a sweep.

import type { KernelSource } from '../../pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import source from './admm-sweep.wgsl?raw';
import row from './row.wgsl?raw';

export const admmSweep: KernelSource = {
  name: 'admm-sweep',
  source: solver + row + source,
  entries: ['sweep', 'spread'],
  threads: 64,
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
