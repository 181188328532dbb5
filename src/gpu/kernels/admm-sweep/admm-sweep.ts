// Bindings of admm-sweep.wgsl: the contacts of a sweep, colour by colour.

import type { KernelSource } from '../../pipelines';
import claims from '../admm-shared/claims.wgsl?raw';
import settle from '../admm-shared/settle.wgsl?raw';
import solver from '../admm-shared/solver.wgsl?raw';
import source from './admm-sweep.wgsl?raw';
import row from './row.wgsl?raw';

export const admmSweep: KernelSource = {
  name: 'admm-sweep',
  source: solver + claims + row + settle + source,
  entries: ['sweep', 'last', 'spread'],
  threads: 256,
  // Takes turns with the elastic half, and with the bodies.
  group: 1,
  bindings: [
    ['solver', 'uniform'],
    ['order', 'read'],
    ['rows', 'read'],
    ['forces', 'write'],
    ['projected', 'write'],
    ['bodies', 'read'],
    ['claims', 'write'],
    ['report', 'write'],
  ],
};
