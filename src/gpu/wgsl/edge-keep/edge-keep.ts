// Bindings of edge-keep.wgsl: rows that stay.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './edge-keep.wgsl?raw';

export const edgeKeep: KernelSource = {
  name: 'edge-keep',
  source: contact + strand + edge + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['starts', 'read'],
    ['last', 'read'],
    ['contacts', 'write'],
  ],
};
