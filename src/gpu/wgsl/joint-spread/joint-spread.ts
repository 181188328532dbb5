// Bindings of joint-spread.wgsl: what joints change between two projections.

import type { KernelSource } from '../../device/pipelines';
import change from '../joint/change.wgsl?raw';
import joint from '../joint/joint.wgsl?raw';
import source from './joint-spread.wgsl?raw';

export const jointSpread: KernelSource = {
  name: 'joint-spread',
  source: joint + change + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['joints', 'read'],
    ['ties', 'read'],
    ['columns', 'write'],
    ['delta', 'write'],
    ['duals', 'write'],
    ['projected', 'write'],
    ['report', 'write'],
  ],
};
