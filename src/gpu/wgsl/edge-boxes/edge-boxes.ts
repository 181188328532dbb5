// Bindings of edge-boxes.wgsl: records and boxes of edges.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import grid from '../grid/grid.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import bindings from './box-bindings.wgsl?raw';
import source from './edge-boxes.wgsl?raw';

export const edgeBoxes: KernelSource = {
  name: 'edge-boxes',
  source: contact + strand + edge + grid + bindings + source,
  entries: ['main'],
  threads: 256,
  bindings: [
    ['search', 'uniform'],
    ['positions', 'read'],
    ['velocities', 'read'],
    ['statics', 'read'],
    ['origins', 'read'],
    ['strands', 'read'],
    ['grid', 'write'],
    ['edges', 'write'],
    ['boxes', 'write'],
  ],
};
