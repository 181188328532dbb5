// Bindings of admm-bodies.wgsl: bodies that contacts push.

import type { KernelSource } from '../../device/pipelines';
import share from '../admm-share/share.wgsl?raw';
import solver from '../admm-shared/solver.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import source from './admm-bodies.wgsl?raw';

export const admmBodies: KernelSource = {
  name: 'admm-bodies',
  source: solver + contact + share + source,
  entries: ['open', 'start', 'scale', 'sweep', 'last'],
  threads: 64,
  // Follows every sweep.
  group: 2,
  bindings: [
    ['solver', 'uniform'],
    ['list', 'read'],
    ['rows', 'read'],
    ['forces', 'read'],
    ['movers', 'read'],
    ['bodies', 'write'],
    ['work', 'read'],
    ['impulses', 'write'],
  ],
};
