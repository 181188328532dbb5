// Bindings of admm-start.wgsl: the nodes before the first iteration.

import type { KernelSource } from '../../device/pipelines';
import share from '../admm-share/share.wgsl?raw';
import solver from '../admm-shared/solver.wgsl?raw';
import source from './admm-start.wgsl?raw';

export const admmStart: KernelSource = {
  name: 'admm-start',
  source: solver + share + source,
  entries: ['main'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['weights', 'read'],
    ['free', 'read'],
    ['work', 'read'],
    ['reference', 'write'],
    ['projected', 'write'],
    ['delta', 'write'],
    ['duals', 'write'],
    ['report', 'write'],
  ],
};
