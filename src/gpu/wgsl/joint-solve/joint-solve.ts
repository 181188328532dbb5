// Bindings of joint-solve.wgsl: impulses of groups of joints.

import type { KernelSource } from '../../device/pipelines';
import joint from '../joint/joint.wgsl?raw';
import system from '../joint/system.wgsl?raw';
import source from './joint-solve.wgsl?raw';

export const jointSolve: KernelSource = {
  name: 'joint-solve',
  source: joint + system + source,
  entries: ['main'],
  threads: 128,
  bindings: [
    ['joints', 'read'],
    ['ties', 'write'],
    ['system', 'write'],
  ],
};
