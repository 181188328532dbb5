// Bindings of joint-last.wgsl: what joints change after the last projection of a look.

import type { KernelSource } from '../../device/pipelines';
import balance from '../admm-elastic/balance.wgsl?raw';
import change from '../joint/change.wgsl?raw';
import joint from '../joint/joint.wgsl?raw';
import times from '../joint/times.wgsl?raw';
import source from './joint-last.wgsl?raw';

export const jointLast: KernelSource = {
  name: 'joint-last',
  source: balance + joint + times + change + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['times', 'uniform'],
    ['joints', 'read'],
    ['ties', 'read'],
    ['columns', 'read'],
    ['delta', 'write'],
    ['duals', 'read'],
    ['projected', 'write'],
    ['strands', 'write'],
  ],
};
