// Bindings of contact-sort.wgsl: lists of rows by colour, by body.

import type { KernelSource } from '../../device/pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import byBody from './by-body.wgsl?raw';
import byColour from './by-colour.wgsl?raw';
import source from './contact-sort.wgsl?raw';

export const sortByColour: KernelSource = {
  name: 'contact-sort by colour',
  source: solver + source + byColour,
  entries: ['main'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['counters', 'read'],
    ['counts', 'write'],
    ['list', 'write'],
    ['colours', 'read'],
  ],
};

export const sortByBody: KernelSource = {
  name: 'contact-sort by body',
  source: solver + contact + source + byBody,
  entries: ['main'],
  threads: 256,
  bindings: [
    ['solver', 'uniform'],
    ['counters', 'read'],
    ['counts', 'write'],
    ['list', 'write'],
    ['order', 'read'],
    ['contacts', 'read'],
    ['movers', 'read'],
  ],
};
