// Bindings of rod-pins.wgsl: what joints prescribe.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import source from './rod-pins.wgsl?raw';

export const rodPins: KernelSource = {
  name: 'rod-pins',
  source: strand + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['joints', 'read'],
    ['bodies', 'read'],
    ['origins', 'read'],
    ['places', 'read'],
    ['pins', 'write'],
  ],
};
