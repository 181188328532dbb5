// Bindings of joint-free.wgsl: joints and bodies without contacts.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import body from '../joint/body.wgsl?raw';
import joint from '../joint/joint.wgsl?raw';
import response from '../joint/response.wgsl?raw';
import times from '../joint/times.wgsl?raw';
import source from './joint-free.wgsl?raw';

export const jointFree: KernelSource = {
  name: 'joint-free',
  source: contact + joint + times + response + body + source,
  entries: ['ask', 'pull'],
  threads: 64,
  bindings: [
    ['times', 'uniform'],
    ['joints', 'read'],
    ['ties', 'write'],
    ['predicted', 'read'],
    ['movers', 'write'],
    ['responses', 'read'],
  ],
};
