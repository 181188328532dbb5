// Bindings of body-strands.wgsl: colliders near strands.

import type { KernelSource } from '../../device/pipelines';
import body from '../body/body.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './body-strands.wgsl?raw';

export const bodyStrands: KernelSource = {
  name: 'body-strands',
  source: contact + strand + edge + body + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['edges', 'read'],
    ['holders', 'read'],
    ['colliders', 'read'],
    ['rods', 'read'],
    ['reachable', 'write'],
    ['counters', 'write'],
  ],
};
