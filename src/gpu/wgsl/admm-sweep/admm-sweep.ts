// Bindings of admm-sweep.wgsl: the contacts of a sweep, colour by colour.

import type { KernelSource } from '../../device/pipelines';
import claims from '../admm-shared/claims.wgsl?raw';
import settle from '../admm-shared/settle.wgsl?raw';
import solver from '../admm-shared/solver.wgsl?raw';
import source from './admm-sweep.wgsl?raw';
import bodies from './bodies.wgsl?raw';
import noBodies from './no-bodies.wgsl?raw';
import row from './row.wgsl?raw';

/** Where contacts push no bodies. */
export const admmSweepAlone: KernelSource = {
  name: 'admm-sweep alone',
  source: solver + claims + noBodies + row + settle + source,
  entries: ['sweep', 'last', 'spread'],
  threads: 256,
  // Takes turns with the elastic half, and with the bodies.
  group: 1,
  bindings: [
    ['solver', 'uniform'],
    ['rows', 'read'],
    ['forces', 'write'],
    ['projected', 'write'],
    ['claims', 'write'],
    ['report', 'write'],
  ],
};

export const admmSweep: KernelSource = {
  ...admmSweepAlone,
  name: 'admm-sweep',
  source: solver + claims + bodies + row + settle + source,
  bindings: [...admmSweepAlone.bindings, ['bodies', 'read']],
};
