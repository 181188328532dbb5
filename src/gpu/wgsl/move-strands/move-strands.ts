// Bindings of move-strands.wgsl: strands that go along with a body.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import move from './move.wgsl?raw';
import source from './move-strands.wgsl?raw';

export const moveStrands: KernelSource = {
  name: 'move-strands',
  source: strand + move + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['motion', 'uniform'],
    ['moved', 'read'],
    ['strands', 'read'],
    ['origins', 'write'],
    ['places', 'write'],
    ['positions', 'write'],
    ['previous', 'write'],
    ['velocities', 'write'],
    ['frames', 'write'],
  ],
};
