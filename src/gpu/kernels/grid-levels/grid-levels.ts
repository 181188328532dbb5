// Bindings of grid-levels.wgsl: levels of the grid.

import type { KernelSource } from '../../pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import grid from '../grid/grid.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './grid-levels.wgsl?raw';

export const gridLevels: KernelSource = {
  name: 'grid-levels',
  source: contact + strand + edge + grid + source,
  entries: ['choose', 'size'],
  threads: 256,
  group: 1,
  bindings: [
    ['search', 'uniform'],
    ['grid', 'write'],
  ],
};
