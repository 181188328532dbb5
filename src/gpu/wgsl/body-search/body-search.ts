// Bindings of body-search.wgsl: contacts with bodies.

import type { KernelSource } from '../../device/pipelines';
import body from '../body/body.wgsl?raw';
import bodyEdge from '../body-edge/body-edge.wgsl?raw';
import bodyFaces from '../body-shape/body-faces.wgsl?raw';
import bodyShape from '../body-shape/body-shape.wgsl?raw';
import contact from '../contact/contact.wgsl?raw';
import edge from '../edge/edge.wgsl?raw';
import strand from '../strand/strand.wgsl?raw';
import bodyMeet from './body-meet.wgsl?raw';
import source from './body-search.wgsl?raw';

export const bodySearch: KernelSource = {
  name: 'body-search',
  source: contact + strand + edge + body + bodyFaces + bodyShape + bodyEdge + bodyMeet + source,
  entries: ['main'],
  threads: 64,
  bindings: [
    ['search', 'uniform'],
    ['edges', 'read'],
    ['reachable', 'read'],
    ['colliders', 'read'],
    ['movers', 'read'],
    ['holders', 'read'],
    ['faces', 'read'],
    ['hits', 'write'],
    ['heads', 'write'],
  ],
};
