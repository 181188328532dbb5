// Bindings of admm-elastic.wgsl: the elastic half of an iteration.

import type { KernelSource } from '../../pipelines';
import triangle from '../rod-solve/rod-triangle.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './admm-elastic.wgsl?raw';

export const admmElastic: KernelSource = {
  name: 'admm-elastic',
  source: strand + triangle + source,
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
    ['reference', 'write'],
    ['report', 'write'],
  ],
};
