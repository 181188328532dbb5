// Bindings of rod-factor.wgsl: the factor of A or A + W.

import type { KernelSource } from '../../pipelines';
import strand from '../strand/strand.wgsl?raw';
import column from './rod-column.wgsl?raw';
import source from './rod-factor.wgsl?raw';

/** vec4f a node in `factors`. */
export const FACTOR_VALUES = 10;

export const rodFactor: KernelSource = {
  name: 'rod-factor',
  source: strand + column + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['elements', 'read'],
    ['inertias', 'read'],
    ['strands', 'write'],
    ['weights', 'read'],
    ['factors', 'write'],
    ['reduced', 'write'],
  ],
};
