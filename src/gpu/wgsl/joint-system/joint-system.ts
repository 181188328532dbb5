// Bindings of joint-system.wgsl: the equations of each group of joints.

import type { KernelSource } from '../../device/pipelines';
import solver from '../admm-shared/solver.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import joint from '../joint/joint.wgsl?raw';
import response from '../joint/response.wgsl?raw';
import source from './joint-system.wgsl?raw';

export const jointSystem: KernelSource = {
  name: 'joint-system',
  source: solver + contact + joint + response + source,
  entries: ['free', 'held'],
  threads: 64,
  bindings: [
    ['solver', 'uniform'],
    ['joints', 'read'],
    ['ties', 'read'],
    ['columns', 'read'],
    ['movers', 'read'],
    ['bodies', 'read'],
    ['system', 'write'],
    ['responses', 'read'],
  ],
};
