// Bindings of edge-rows.wgsl: how many rows each edge has.

import type { KernelSource } from '../../device/pipelines';
import body from '../body/body.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import lastList from '../edge/last-list.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './edge-rows.wgsl?raw';

export const edgeRows: KernelSource = {
  name: 'edge-rows',
  source: contact + strand + edge + body + lastList + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['pairs', 'write'],
    ['pairStarts', 'read'],
    ['hits', 'write'],
    ['heads', 'read'],
    ['starts', 'write'],
    ['last', 'write'],
    ['counters', 'write'],
  ],
};
