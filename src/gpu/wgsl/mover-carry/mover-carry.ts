// Bindings of mover-carry.wgsl: what grooms do to the bodies that carry them.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import source from './mover-carry.wgsl?raw';

export const moverCarry: KernelSource = {
  name: 'mover-carry',
  source: contact + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['carriers', 'read'],
    ['movers', 'read'],
    ['reactions', 'read'],
    ['points', 'read'],
    ['owed', 'write'],
    ['carried', 'write'],
  ],
};
