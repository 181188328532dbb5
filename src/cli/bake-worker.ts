// A worker thread of `stiction bake`: strands in, packed numbers out.

import { type BakedNumbers, type BakeJob, bakeStrands, type Strands } from '../static-equilibrium/bake-strands';

/** Bakes all strands of a part of a groom. */
export default function bakePart({ strands, job }: { strands: Strands; job: BakeJob }): BakedNumbers {
  return bakeStrands(strands, job);
}
