// Bindings of rod-factor.wgsl: the factor of A; weights and the factor of A + W.

import type { KernelSource } from '../../device/pipelines';
import strand from '../strand/strand.wgsl?raw';
import factorise from './factorise.wgsl?raw';
import column from './rod-column.wgsl?raw';
import source from './rod-factor.wgsl?raw';
import weigh from './weigh.wgsl?raw';

/** vec4f a node in `factors`. */
export const FACTOR_VALUES = 10;

export const rodFactor: KernelSource = {
  name: 'rod-factor',
  source: strand + column + factorise + weigh + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['strands', 'write'],
    ['elements', 'read'],
    ['inertias', 'read'],
    ['weights', 'write'],
    ['plain', 'read'],
    ['factors', 'write'],
    ['reduced', 'write'],
  ],
};
