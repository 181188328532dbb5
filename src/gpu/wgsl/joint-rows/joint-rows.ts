// Bindings of joint-rows.wgsl: the joints' rows as a step begins.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import joint from '../joint/joint.wgsl?raw';
import times from '../joint/times.wgsl?raw';
import source from './joint-rows.wgsl?raw';

export const jointRows: KernelSource = {
  name: 'joint-rows',
  source: contact + joint + times + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['times', 'uniform'],
    ['joints', 'read'],
    ['movers', 'read'],
    ['origins', 'read'],
    ['places', 'read'],
    ['strands', 'write'],
    ['holds', 'write'],
    ['ties', 'write'],
  ],
};
