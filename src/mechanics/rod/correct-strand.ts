// The end of a strand's solve: velocities that obey the contacts, where those of the elastic equations would do harm.

import { CORRECTION_OF_EDGE, HARMLESS_OF_RADIUS } from '../../core/elastic-constants';
import { RADIUS } from '../../state/material-places';
import type { Tables } from '../../state/tables';
import type { Correction } from '../elastic-kind';

const across = new Float64Array(3);

/**
 * v := p where contacts act, the velocities that obey them (Daviet 2020, 6.2.7), but only across the strand: p knows no
 * elasticity, and what it stretched, where the solve was cut short, would come back as speed. For the same reason no
 * node goes farther towards p than a share of its edge.
 */
export function correctStrand({ v, p, weight, timeStep }: Correction, tables: Tables, strand: number): void {
  const { nodes, rods, strands } = tables;
  const x = nodes.position;
  const rate = CORRECTION_OF_EDGE / timeStep;
  const harmless = (HARMLESS_OF_RADIUS * rods.parameter[8 * strands.rod[strand] + RADIUS]) / timeStep;
  const first = 4 * strands.first[strand];
  const last = first + 4 * strands.nodes[strand] - 4;
  for (let i = first; i <= last; i += 4) {
    if (!(weight[i] > 0)) continue;

    // The part of the way to p that is across the strand.
    const before = Math.max(first, i - 4);
    const after = Math.min(last, i + 4);
    let along = 0;
    let length = 0;
    for (let k = 0; k < 3; k++) {
      const t = x[after + k] - x[before + k];
      along += t * (p[i + k] - v[i + k]);
      length += t * t;
    }
    along = length > 0 ? along / length : 0;
    let far = 0;
    for (let k = 0; k < 3; k++) {
      across[k] = p[i + k] - v[i + k] - along * (x[after + k] - x[before + k]);
      far += across[k] * across[k];
    }
    far = Math.sqrt(far);

    // As much of it as is harmful, and not too far.
    const most = rate * nodes.rest[2 * Math.min(i, last - 4)];
    const over = far - harmless;
    const share = over > 0 ? Math.min(over, most) / far : 0;
    for (let k = 0; k < 3; k++) v[i + k] += share * across[k];
  }
}
