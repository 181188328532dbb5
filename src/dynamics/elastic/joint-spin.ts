// The twist of a clamped edge that hangs on a dynamic body: its angle follows the body's spin along the edge.
//
// Position and tangent of such a clamp are joints of the contact solve; the twist is not part of it (contacts see the
// centre line only), so it is prescribed from the body's velocity before the solve, and the body does not feel it.

import type { Engine } from '../engine';

/** Rate of twist of the clamped edge of `end` that its body's spin gives [rad/s]. */
export function jointSpin(engine: Engine, strand: number, end: 0 | 1): number {
  const { strands, nodes, bodies } = engine.tables;
  const edge = strands.first[strand] + (end === 0 ? 0 : strands.nodes[strand] - 2);
  const body = strands.attach[2 * strand + end];
  let along = 0;
  let length = 0;
  for (let k = 0; k < 3; k++) {
    const d = nodes.position[4 * edge + 4 + k] - nodes.position[4 * edge + k];
    along += d * bodies.angularVelocity[4 * body + k];
    length += d * d;
  }
  return length > 0 ? along / Math.sqrt(length) : 0;
}
