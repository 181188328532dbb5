// Bindings of move-contacts.wgsl: contacts of strands that went along with a body.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import move from '../move-strands/move.wgsl?raw';
import source from './move-contacts.wgsl?raw';

export const moveContacts: KernelSource = {
  name: 'move-contacts',
  source: move + contact + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['motion', 'uniform'],
    ['moved', 'read'],
    ['counters', 'read'],
    ['slots', 'read'],
    ['movers', 'read'],
    ['contacts', 'write'],
  ],
};
