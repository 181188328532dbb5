// Bindings of rod-holds.wgsl: what clamps prescribe.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import turns from '../turns/turns.wgsl?raw';
import source from './rod-holds.wgsl?raw';

export const rodHolds: KernelSource = {
  name: 'rod-holds',
  source: strand + turns + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'read'],
    ['clamps', 'read'],
    ['bodies', 'read'],
    ['origins', 'read'],
    ['places', 'read'],
    ['frames', 'read'],
    ['rests', 'read'],
    ['holds', 'write'],
  ],
};
