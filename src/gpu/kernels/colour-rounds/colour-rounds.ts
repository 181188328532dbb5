// Bindings of colour-rounds.wgsl: colours for contacts that have none.

import type { KernelSource } from '../../pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import colour from '../colour-claim/colour.wgsl?raw';
import source from './colour-rounds.wgsl?raw';

export const colourRounds: KernelSource = {
  name: 'colour-rounds',
  source: solver + colour + source,
  entries: ['choose', 'judge', 'judgeLast', 'rest'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['counters', 'read'],
    ['ends', 'read'],
    ['colours', 'write'],
    ['claims', 'write'],
    ['waiting', 'write'],
    ['report', 'write'],
  ],
};
