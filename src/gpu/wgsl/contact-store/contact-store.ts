// Bindings of contact-store.wgsl: forces and colours back to the contacts.

import type { KernelSource } from '../../device/pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import source from './contact-store.wgsl?raw';

export const contactStore: KernelSource = {
  name: 'contact-store',
  source: solver + contact + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['solver', 'uniform'],
    ['order', 'read'],
    ['forces', 'read'],
    ['colours', 'read'],
    ['duals', 'read'],
    ['contacts', 'write'],
    ['report', 'write'],
  ],
};
