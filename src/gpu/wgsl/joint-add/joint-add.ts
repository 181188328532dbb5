// Bindings of joint-add.wgsl: what joints change in velocities.

import type { KernelSource } from '../../device/pipelines';
import change from '../joint/change.wgsl?raw';
import joint from '../joint/joint.wgsl?raw';
import source from './joint-add.wgsl?raw';

export const jointAdd: KernelSource = {
  name: 'joint-add',
  source: joint + change + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['joints', 'read'],
    ['ties', 'read'],
    ['columns', 'read'],
    ['velocities', 'write'],
  ],
};
