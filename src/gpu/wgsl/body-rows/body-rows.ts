// Bindings of body-rows.wgsl: rows of contacts with bodies.

import type { KernelSource } from '../../device/pipelines';
import body from '../body/body.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import continueRow from '../edge/continue-row.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import lastList from '../edge/last-list.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import source from './body-rows.wgsl?raw';
import combine from './combine.wgsl?raw';

export const bodyRows: KernelSource = {
  name: 'body-rows',
  source: contact + strand + edge + body + lastList + continueRow + combine + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['edges', 'read'],
    ['rods', 'read'],
    ['colliders', 'read'],
    ['movers', 'read'],
    ['hits', 'read'],
    ['starts', 'read'],
    ['last', 'write'],
    ['contacts', 'write'],
  ],
};
