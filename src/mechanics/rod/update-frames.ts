// Carries a strand's reference directors along after its nodes moved.

import { REFERENCE_TWIST } from '../../state/node-places';
import type { Tables } from '../../state/tables';
import { edgeTangent, putVector, referenceTwist, transportDirector } from './frames';

const t0 = new Float64Array(3);
const tangents = new Float64Array(6);

/**
 * Moves NODE_FRAME of `strand` from the edges of NODE_PREVIOUS to the edges of NODE_POSITION: each d1 by the smallest
 * rotation between the two tangents (time-parallel transport), the reference twist to the value nearest to its last one
 * [rad]. To be called once after every move of the nodes; the twist angles θ are not touched.
 */
export function updateFrames(tables: Tables, strand: number): void {
  const { position, previous, frame } = tables.nodes;
  const first = tables.strands.first[strand];
  const n = tables.strands.nodes[strand];
  for (let i = 0; i < n - 1; i++) {
    const at = 4 * (first + i);
    // Two tangents of the new shape are kept: this edge's and the one before.
    const here = 3 * (i & 1);
    const there = 3 - here;
    edgeTangent(t0, 0, previous, at, at + 4, tables.nodes, first + i);
    edgeTangent(tangents, here, position, at, at + 4, tables.nodes, first + i);
    putVector(frame, at, transportDirector(frame, at, t0, 0, tangents, here));
    if (i > 0) {
      frame[at + REFERENCE_TWIST] = referenceTwist(
        tangents,
        there,
        here,
        frame,
        at - 4,
        at,
        frame[at + REFERENCE_TWIST],
      );
    }
  }
}
