// Bindings of rod-guess.wgsl: velocities and forces of a further linearisation.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './rod-guess.wgsl?raw';

export const rodGuess: KernelSource = {
  name: 'rod-guess',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'read'],
    ['rods', 'read'],
    ['masses', 'read'],
    ['velocities', 'read'],
    ['forces', 'read'],
    ['guess', 'read'],
    ['damped', 'write'],
    ['pushed', 'write'],
  ],
};
