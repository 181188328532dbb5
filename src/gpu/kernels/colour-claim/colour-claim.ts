// Bindings of colour-claim.wgsl: colours kept from the last list.

import type { KernelSource } from '../../pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import colour from './colour.wgsl?raw';
import source from './colour-claim.wgsl?raw';

export const colourClaim: KernelSource = {
  name: 'colour-claim',
  source: solver + contact + colour + source,
  entries: ['main', 'keep'],
  threads: 64,
  bindings: [
    ['solver', 'uniform'],
    ['counters', 'read'],
    ['contacts', 'read'],
    ['weights', 'read'],
    ['ends', 'write'],
    ['colours', 'write'],
    ['claims', 'write'],
  ],
};
