// Bindings of rod-react.wgsl: what strands do to the bodies that their clamps hang on.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './rod-react.wgsl?raw';

export const rodReact: KernelSource = {
  name: 'rod-react',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'read'],
    ['cuts', 'read'],
    ['elements', 'read'],
    ['velocities', 'read'],
    ['predicted', 'read'],
    ['reference', 'read'],
    ['forces', 'read'],
    ['reactions', 'write'],
  ],
};
