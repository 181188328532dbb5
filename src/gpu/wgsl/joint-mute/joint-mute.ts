// Bindings of joint-mute.wgsl: contacts of held nodes with what holds them.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import source from './joint-mute.wgsl?raw';

export const jointMute: KernelSource = {
  name: 'joint-mute',
  source: contact + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['counters', 'read'],
    ['holders', 'read'],
    ['colliders', 'read'],
    ['contacts', 'write'],
  ],
};
