// Joints of islands that wait keep what they have found: they are left out of a solve.

import type { JointSystem } from '../../solvers/admm/joint-system';
import type { Leaves } from '../../solvers/elastic/islands';
import type { Engine } from '../engine';
import type { ElasticContacts } from './collect-contacts';

/** Leaves out the blocks of joints whose object, or body where they have none, `leaves` is true of; null: none. */
export function leaveJoints(
  { tables }: Engine,
  { joints }: ElasticContacts,
  { blocks }: JointSystem,
  leaves: Leaves | null,
): void {
  // Blocks are those of the last solve that had joints.
  if (joints.count === 0) return;
  const { rows, first, leftOut, count } = blocks;
  const { strand } = tables.nodes;
  for (let block = 0; block < count; block++) {
    const row = rows[first[block]];
    const node = joints.node[row];
    const object = node >= 0 ? strand[node >> 2] : -1;
    const body = node >= 0 ? -1 : Math.max(joints.bodies[2 * row], joints.bodies[2 * row + 1]);
    leftOut[block] = leaves?.(object, body) ? 1 : 0;
  }
}
