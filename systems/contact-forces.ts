// The forces of contacts on the nodes of a rod or groom.

import { refuse } from '../src/core/errors';
import { FORCE_SCALE } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import type { Physics } from './physics';
import { rodSlotOf } from './rods';

/**
 * Forces that contacts exerted on a rod's or groom's nodes in the last step, three numbers a node [N]; into
 * `out` where given. Of a groom that lies still they are what `sagFree.forces` takes. Strands on WebGPU keep
 * theirs on the device: zero here.
 */
export function rodContactForces(physics: Physics, eid: number, out?: Float64Array): Float64Array {
  const slot = rodSlotOf(physics, eid, 'rodContactForces');
  const { arena, tables } = physics.internal.engine;
  const first = tables.rods.nodeStart[slot];
  const count = tables.rods.nodeCount[slot];
  if (out !== undefined && !(out instanceof Float64Array && out.length >= 3 * count)) {
    refuse('rodContactForces', `out must be a Float64Array of at least ${3 * count}`, out);
  }
  const result = (out ?? new Float64Array(3 * count)).fill(0, 0, 3 * count);
  const { node, weight, force } = tables.nodeContacts;
  const contacts = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let c = 0; c < contacts; c++) {
    // Kept is s·r, r an impulse over the step.
    const scale = force[4 * c + FORCE_SCALE];
    if (!(scale > 0)) continue;
    for (let j = 4 * c; j < 4 * c + 4; j++) {
      const at = node[j] - first;
      if (at < 0 || at >= count) continue;
      const share = weight[j] / (scale * physics.settings.timeStep);
      for (let k = 0; k < 3; k++) result[3 * at + k] += share * force[4 * c + k];
    }
  }
  return result;
}
