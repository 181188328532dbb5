// Bindings of apart-push.wgsl: pairs that would go through each other.

import type { KernelSource } from '../../device/pipelines';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import segment from '../segment/segment.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './apart-push.wgsl?raw';
import fading from './fading.wgsl?raw';
import spread from './spread.wgsl?raw';

export const apartPush: KernelSource = {
  name: 'apart-push',
  source: contact + strand + edge + segment + fading + source + spread,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['edges', 'read'],
    ['found', 'read'],
    ['counters', 'write'],
    ['predicted', 'write'],
    ['masses', 'read'],
    ['strands', 'read'],
    ['changes', 'write'],
  ],
};
