// Bindings of mover-note.wgsl: what the strands did to bodies in a step.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import late from '../mover-late/late.wgsl?raw';
import source from './mover-note.wgsl?raw';

export const moverNote: KernelSource = {
  name: 'mover-note',
  source: contact + late + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['late', 'uniform'],
    ['movers', 'read'],
    ['impulses', 'read'],
    ['starts', 'read'],
    ['reactions', 'read'],
    ['points', 'read'],
    ['carried', 'read'],
    ['ring', 'write'],
  ],
};
