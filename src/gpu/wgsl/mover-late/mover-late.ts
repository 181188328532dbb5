// Bindings of mover-late.wgsl: bodies as if they had felt the strands at once.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import late from './late.wgsl?raw';
import source from './mover-late.wgsl?raw';

export const moverLate: KernelSource = {
  name: 'mover-late',
  source: contact + late + source,
  entries: ['main', 'follow'],
  threads: 64,
  bindings: [
    ['late', 'uniform'],
    ['ring', 'read'],
    ['guesses', 'read'],
    ['movers', 'write'],
    ['colliders', 'write'],
    ['shifts', 'write'],
    ['bodies', 'write'],
  ],
};
