// The twist of a clamped edge that hangs on a dynamic body: its angle follows the body's spin along the edge.
//
// Position and tangent of such a clamp are joints of the contact solve; the twist is not part of it (contacts see the
// centre line only), so it is prescribed from the body's velocity before the solve, and the body does not feel it.

import { STRAND_HALF_BANDWIDTH } from '../../mechanics/rod/assemble-strand';
import type { Engine } from '../engine';

const WIDTH = STRAND_HALF_BANDWIDTH + 1;

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

/** Makes θ of the clamped edge a prescribed unknown of the strand's A and f (both with all strands, 44 and 4 a node). */
export function holdJointTwist(engine: Engine, strand: number, end: 0 | 1, A: Float64Array, f: Float64Array): void {
  const { strands } = engine.tables;
  const first = strands.first[strand];
  const n = strands.nodes[strand];
  const edge = end === 0 ? first : first + n - 2;
  const spin = jointSpin(engine, strand, end);
  const held = 4 * edge + 3;
  const low = Math.max(4 * first, held - STRAND_HALF_BANDWIDTH);
  const high = Math.min(4 * (first + n) - 1, held + STRAND_HALF_BANDWIDTH);
  for (let i = low; i < held; i++) {
    const at = WIDTH * held + held - i;
    f[i] -= A[at] * spin;
    A[at] = 0;
  }
  for (let i = held + 1; i <= high; i++) {
    const at = WIDTH * i + i - held;
    f[i] -= A[at] * spin;
    A[at] = 0;
  }
  A[WIDTH * held] = 1;
  f[held] = spin;
}
