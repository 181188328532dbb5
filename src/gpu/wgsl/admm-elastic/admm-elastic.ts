// Bindings of admm-elastic.wgsl: the elastic half of an iteration.

import type { KernelSource } from '../../device/pipelines';
import claims from '../admm-shared/claims.wgsl?raw';
import settle from '../admm-shared/settle.wgsl?raw';
import reduced from '../rod-solve/rod-reduced.wgsl?raw';
import triangle from '../rod-solve/rod-triangle.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './admm-elastic.wgsl?raw';
import balance from './balance.wgsl?raw';

export const admmElastic: KernelSource = {
  name: 'admm-elastic',
  source: strand + reduced + triangle + balance + claims + settle + source,
  entries: ['main', 'last'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'write'],
    ['factors', 'read'],
    ['reduced', 'write'],
    ['duals', 'write'],
    ['projected', 'write'],
    ['delta', 'write'],
    ['claims', 'write'],
    ['report', 'write'],
  ],
};
