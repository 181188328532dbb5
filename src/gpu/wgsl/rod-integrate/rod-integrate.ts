// Bindings of rod-integrate.wgsl: places and frames.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import turns from '../turns/turns.wgsl?raw';
import source from './rod-integrate.wgsl?raw';

export const rodIntegrate: KernelSource = {
  name: 'rod-integrate',
  source: strand + turns + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'write'],
    ['origins', 'write'],
    ['velocities', 'read'],
    ['places', 'write'],
    ['positions', 'write'],
    ['previous', 'write'],
    ['frames', 'write'],
    ['rests', 'write'],
  ],
};
