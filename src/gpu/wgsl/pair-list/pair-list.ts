// Bindings of pair-list.wgsl: pairs in order.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './pair-list.wgsl?raw';

export const pairList: KernelSource = {
  name: 'pair-list',
  source: contact + strand + edge + source,
  entries: ['place', 'order'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['found', 'read'],
    ['pairStarts', 'read'],
    ['cursors', 'write'],
    ['pairs', 'write'],
    ['counters', 'write'],
  ],
};
