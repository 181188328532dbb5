// How much of its cohesion a contact has.

import { COHESION_REACH } from '../../../core/elastic-constants';
import { ELASTIC_PAPER } from '../../../state/layout';
import { cell } from '../memory';

/** Share of its cohesion that a contact has at a gap: all within its reach; in the paper's profile it falls off. */
export function cohesionShare(gap: f64, radius: f64): f64 {
  const reach = COHESION_REACH * radius;
  if (gap > reach) return 0;
  return gap > 0 && cell(ELASTIC_PAPER) != 0 ? 1 - gap / reach : 1;
}
