// Bindings of contact-mark.wgsl: nodes with contacts, how fast these meet.

import type { KernelSource } from '../../device/pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import source from './contact-mark.wgsl?raw';

export const contactMark: KernelSource = {
  name: 'contact-mark',
  source: solver + contact + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['solver', 'uniform'],
    ['counters', 'read'],
    ['contacts', 'read'],
    ['movers', 'read'],
    ['free', 'read'],
    ['weights', 'write'],
    ['meetings', 'write'],
    ['report', 'write'],
    ['reference', 'write'],
  ],
};
