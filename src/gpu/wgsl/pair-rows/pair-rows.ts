// Bindings of pair-rows.wgsl: rows of contacts of edges.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import continueRow from '../edge/continue-row.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import lastList from '../edge/last-list.wgsl?raw';
import segment from '../segment/segment.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './pair-rows.wgsl?raw';

export const pairRows: KernelSource = {
  name: 'pair-rows',
  source: contact + strand + edge + segment + lastList + continueRow + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['edges', 'read'],
    ['rods', 'read'],
    ['pairs', 'read'],
    ['starts', 'read'],
    ['last', 'write'],
    ['contacts', 'write'],
    ['counters', 'read'],
  ],
};
