// Bindings of colour-rounds.wgsl: colours of contacts.

import type { KernelSource } from '../../device/pipelines';
import claims from '../admm-shared/claims.wgsl?raw';
import solver from '../admm-shared/solver.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import colour from './colour.wgsl?raw';
import source from './colour-rounds.wgsl?raw';

export const colourRounds: KernelSource = {
  name: 'colour-rounds',
  source: solver + claims + contact + colour + source,
  entries: ['wide', 'rest'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['counters', 'read'],
    ['contacts', 'read'],
    ['weights', 'read'],
    ['ends', 'write'],
    ['colours', 'write'],
    ['claims', 'write'],
    ['waiting', 'write'],
    ['report', 'write'],
  ],
};
