// Bindings of edge-match.wgsl: forces from neighbouring edges.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import lastList from '../edge/last-list.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './edge-match.wgsl?raw';

export const edgeMatch: KernelSource = {
  name: 'edge-match',
  source: contact + strand + edge + lastList + source,
  entries: ['propose', 'accept'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['starts', 'read'],
    ['last', 'read'],
    ['contacts', 'write'],
    ['claims', 'write'],
    ['counters', 'read'],
  ],
};
