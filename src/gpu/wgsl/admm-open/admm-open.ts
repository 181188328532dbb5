// Bindings of admm-open.wgsl: nodes and report at the start of a look.

import type { KernelSource } from '../../device/pipelines';
import claims from '../admm-shared/claims.wgsl?raw';
import solver from '../admm-shared/solver.wgsl?raw';
import source from './admm-open.wgsl?raw';

export const admmOpen: KernelSource = {
  name: 'admm-open',
  source: solver + claims + source,
  entries: ['first', 'again'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['weights', 'write'],
    ['projected', 'write'],
    ['delta', 'write'],
    ['duals', 'write'],
    ['predicted', 'read'],
    ['free', 'write'],
    ['claims', 'write'],
    ['report', 'write'],
  ],
};
