// Bindings of contact-rows.wgsl: rows of the sweeps.

import type { KernelSource } from '../../device/pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import source from './contact-rows.wgsl?raw';

export const contactRows: KernelSource = {
  name: 'contact-rows',
  source: solver + contact + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['solver', 'uniform'],
    ['contacts', 'read'],
    ['order', 'read'],
    ['weights', 'read'],
    ['rests', 'read'],
    ['bodies', 'read'],
    ['free', 'read'],
    ['rows', 'write'],
    ['forces', 'write'],
  ],
};
