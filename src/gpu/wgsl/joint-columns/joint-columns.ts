// Bindings of joint-columns.wgsl: answers of strands to unit impulses at their joints.

import type { KernelSource } from '../../device/pipelines';
import joint from '../joint/joint.wgsl?raw';
import triangle from '../rod-solve/rod-triangle.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './joint-columns.wgsl?raw';

export const jointColumns: KernelSource = {
  name: 'joint-columns',
  source: strand + triangle + joint + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['block', 'uniform'],
    ['joints', 'read'],
    ['factors', 'read'],
    ['columns', 'write'],
  ],
};
