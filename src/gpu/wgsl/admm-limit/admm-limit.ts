// Bindings of admm-limit.wgsl: strands that came out too fast.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './admm-limit.wgsl?raw';

export const admmLimit: KernelSource = {
  name: 'admm-limit',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'write'],
    ['positions', 'read'],
    ['rests', 'read'],
    ['free', 'read'],
    ['predicted', 'write'],
    ['duals', 'write'],
    ['meetings', 'write'],
    ['report', 'write'],
  ],
};
