// Bindings of admm-finish.wgsl: the answer of a look.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './admm-finish.wgsl?raw';

export const admmFinish: KernelSource = {
  name: 'admm-finish',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['finish', 'uniform'],
    ['strands', 'read'],
    ['rods', 'read'],
    ['positions', 'read'],
    ['rests', 'read'],
    ['reference', 'write'],
    ['projected', 'read'],
    ['delta', 'read'],
    ['predicted', 'write'],
  ],
};
