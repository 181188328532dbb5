// Bindings of rod-solve.wgsl: triangular solves.

import type { KernelSource } from '../../pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './rod-solve.wgsl?raw';
import triangle from './rod-triangle.wgsl?raw';

export const rodSolve: KernelSource = {
  name: 'rod-solve',
  source: strand + triangle + source,
  entries: ['solve', 'finish'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'write'],
    ['factors', 'read'],
    ['right', 'read'],
    ['reduced', 'write'],
    ['out', 'write'],
  ],
};
