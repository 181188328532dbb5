// Bindings of edge-clear.wgsl: clearing.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import grid from '../grid/grid.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './edge-clear.wgsl?raw';

export const edgeClear: KernelSource = {
  name: 'edge-clear',
  source: contact + strand + edge + grid + source,
  entries: ['main'],
  threads: 256,
  bindings: [
    ['search', 'uniform'],
    ['grid', 'write'],
    ['cells', 'write'],
    ['pairStarts', 'write'],
    ['heads', 'write'],
    ['hits', 'write'],
    ['claims', 'write'],
    ['cursors', 'write'],
    ['counters', 'write'],
  ],
};
