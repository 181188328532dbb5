// Bindings of rod-elements.wgsl: stretch, curvatures and twist as weighted rows.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import turns from '../turns/turns.wgsl?raw';
import source from './rod-elements.wgsl?raw';

/** vec4f a node in `elements`. */
export const ELEMENT_VALUES = 13;

export const rodElements: KernelSource = {
  name: 'rod-elements',
  source: strand + turns + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'read'],
    ['rods', 'read'],
    ['origins', 'read'],
    ['places', 'read'],
    ['velocities', 'read'],
    ['frames', 'read'],
    ['rests', 'read'],
    ['elements', 'write'],
  ],
};
