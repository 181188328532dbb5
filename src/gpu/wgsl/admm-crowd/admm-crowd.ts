// Bindings of admm-crowd.wgsl: rows that are solved side by side.

import type { KernelSource } from '../../device/pipelines';
import claims from '../admm-shared/claims.wgsl?raw';
import solver from '../admm-shared/solver.wgsl?raw';
import source from './admm-crowd.wgsl?raw';

export const admmCrowd: KernelSource = {
  name: 'admm-crowd',
  source: solver + claims + source,
  entries: ['main'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['order', 'read'],
    ['claims', 'read'],
    ['rows', 'write'],
    ['forces', 'write'],
  ],
};
