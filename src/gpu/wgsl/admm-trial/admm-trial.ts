// Bindings of admm-trial.wgsl: what the forces of the start change.

import type { KernelSource } from '../../device/pipelines';
import reduced from '../rod-solve/rod-reduced.wgsl?raw';
import triangle from '../rod-solve/rod-triangle.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './admm-trial.wgsl?raw';

export const admmTrial: KernelSource = {
  name: 'admm-trial',
  source: strand + reduced + triangle + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'read'],
    ['factors', 'read'],
    ['reduced', 'write'],
    ['weights', 'read'],
    ['projected', 'read'],
    ['free', 'read'],
    ['reference', 'write'],
    ['report', 'write'],
  ],
};
