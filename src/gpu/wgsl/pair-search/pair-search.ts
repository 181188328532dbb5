// Bindings of pair-search.wgsl: pairs of edges near each other.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import grid from '../grid/grid.wgsl?raw';
import pair from '../segment/pair.wgsl?raw';
import segment from '../segment/segment.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './pair-search.wgsl?raw';

export const pairSearch: KernelSource = {
  name: 'pair-search',
  source: contact + strand + edge + grid + segment + pair + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['grid', 'write'],
    ['filed', 'read'],
    ['cells', 'read'],
    ['edges', 'read'],
    ['rods', 'read'],
    ['found', 'write'],
    ['pairCounts', 'write'],
    ['counters', 'write'],
  ],
};
