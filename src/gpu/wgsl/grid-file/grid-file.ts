// Bindings of grid-file.wgsl: edges by cell.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import grid from '../grid/grid.wgsl?raw';
import bindings from '../grid/grid-bindings.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './grid-file.wgsl?raw';
import levels from './levels.wgsl?raw';

export const gridFile: KernelSource = {
  name: 'grid-file',
  source: contact + strand + edge + grid + bindings + levels + source,
  entries: ['count', 'fill'],
  threads: 256,
  bindings: [
    ['search', 'uniform'],
    ['grid', 'write'],
    ['boxes', 'write'],
    ['cells', 'write'],
    ['filed', 'write'],
  ],
};
