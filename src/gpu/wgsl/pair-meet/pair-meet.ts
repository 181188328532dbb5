// Bindings of pair-meet.wgsl: whether pairs touch.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import lastList from '../edge/last-list.wgsl?raw';
import pair from '../segment/pair.wgsl?raw';
import segment from '../segment/segment.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import again from './again.wgsl?raw';
import source from './pair-meet.wgsl?raw';
import repeats from './repeats.wgsl?raw';

export const pairMeet: KernelSource = {
  name: 'pair-meet',
  source: contact + strand + edge + segment + pair + lastList + repeats + again + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['edges', 'read'],
    ['rods', 'read'],
    ['starts', 'read'],
    ['last', 'read'],
    ['pairs', 'write'],
    ['counters', 'read'],
  ],
};
