// Bindings of grid-measure.wgsl: largest boxes of the levels.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import grid from '../grid/grid.wgsl?raw';
import bindings from '../grid/grid-bindings.wgsl?raw';
import { gridFile } from '../grid-file/grid-file';
import strand from '../strand/strand.wgsl?raw';
import source from './grid-measure.wgsl?raw';

export const gridMeasure: KernelSource = {
  name: 'grid-measure',
  source: contact + strand + edge + grid + bindings + source,
  entries: ['main'],
  threads: 256,
  bindings: gridFile.bindings,
};
