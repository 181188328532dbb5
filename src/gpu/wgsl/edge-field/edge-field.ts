// Bindings of edge-field.wgsl: the motion that all edges share.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import bindings from '../edge-boxes/box-bindings.wgsl?raw';
import { edgeBoxes } from '../edge-boxes/edge-boxes';
import grid from '../grid/grid.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './edge-field.wgsl?raw';

export const edgeField: KernelSource = {
  name: 'edge-field',
  source: contact + strand + edge + grid + bindings + source,
  entries: ['main'],
  threads: 256,
  bindings: edgeBoxes.bindings,
};
