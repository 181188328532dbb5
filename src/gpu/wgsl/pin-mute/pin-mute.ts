// Bindings of pin-mute.wgsl: contacts of pinned nodes with what holds them.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import source from './pin-mute.wgsl?raw';

export const pinMute: KernelSource = {
  name: 'pin-mute',
  source: contact + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['counters', 'read'],
    ['pins', 'read'],
    ['colliders', 'read'],
    ['contacts', 'write'],
  ],
};
