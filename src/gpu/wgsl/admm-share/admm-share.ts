// Bindings of admm-share.wgsl: how far the forces of the start may be trusted.

import type { KernelSource } from '../../device/pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import source from './admm-share.wgsl?raw';
import share from './share.wgsl?raw';

export const admmShare: KernelSource = {
  name: 'admm-share',
  source: solver + share + source,
  entries: ['measure', 'scale'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['order', 'read'],
    ['rows', 'write'],
    ['forces', 'write'],
    ['reference', 'read'],
    ['bodies', 'read'],
    ['work', 'write'],
  ],
};
