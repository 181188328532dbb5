// Bindings of joint-meet.wgsl: joints and bodies in the contact solve.

import type { KernelSource } from '../../device/pipelines';
import share from '../admm-share/share.wgsl?raw';
import solver from '../admm-shared/solver.wgsl?raw';
import body from '../joint/body.wgsl?raw';
import joint from '../joint/joint.wgsl?raw';
import response from '../joint/response.wgsl?raw';
import times from '../joint/times.wgsl?raw';
import source from './joint-meet.wgsl?raw';

export const jointMeet: KernelSource = {
  name: 'joint-meet',
  source: solver + joint + times + response + body + share + source,
  entries: ['askStart', 'askMain', 'pullStart', 'pullMain', 'pullLast'],
  threads: 64,
  bindings: [
    ['solver', 'uniform'],
    ['joints', 'read'],
    ['ties', 'write'],
    ['base', 'read'],
    ['change', 'read'],
    ['bodies', 'write'],
    ['work', 'read'],
    ['impulses', 'write'],
    ['times', 'uniform'],
    ['responses', 'read'],
  ],
};
