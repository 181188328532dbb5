// Nodes near a clamp that do not touch the body that the clamp follows: hair grows from inside the head.
//
// CPU twin: countBuried in kernels/assembly/proximity/bodies.ts. From the root on, nodes count as buried that are
// inside the body, or near enough to touch it, when the clamp is first seen with it. Out: one more than their number
// in the clamp's row of the tables, where the CPU's search keeps it too; what it has counted stays. In meshes
// everything behind the surface is inside.

import type { Arena } from '../../core/arena';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';
import { type Measure, measureShape } from './shape-distance';

/** Place in a clamp's row: one more than its buried nodes, 0 not yet counted. */
export const BURIED = 9;

/**
 * Counts buried nodes of clamps on bodies that have not been counted, of the strands for which `isOwn` says so. `near`:
 * share of the radii up to which contacts are made.
 */
export function countBuried(arena: Arena, tables: Tables, near: number, isOwn: (strand: number) => boolean): void {
  const { strands, bodies, colliders, rods } = tables;
  const measures = new Map<number, Measure>();
  for (let end = 0; end < 2 * arena.i32[L.STRAND_COUNT >> 2]; end++) {
    const strand = end >> 1;
    const body = strands.attach[end];
    const rod = strands.rod[strand];
    const at = 12 * end + BURIED;
    if (!(strands.flags[strand] & (L.STRAND_CLAMP_START << (end & 1))) || body < 0 || rod < 0 || !isOwn(strand))
      continue;
    if (strands.clamp[at] !== 0 || (strands.flags[strand] & L.STRAND_QUARANTINED) !== 0) continue;
    const reach = rods.parameter[8 * rod] * (1 + 2 * near);
    const first = strands.first[strand];
    const count = strands.nodes[strand];
    let buried = 0;
    while (buried < count && isBuried(first + (end & 1 ? count - 1 - buried : buried))) buried++;
    strands.clamp[at] = buried + 1;

    function isBuried(node: number): boolean {
      if ((bodies.flags[body] & (L.BODY_ALIVE | L.BODY_QUARANTINED)) !== L.BODY_ALIVE) return false;
      for (let c = bodies.collider[body]; c >= 0; c = colliders.next[c]) {
        if (mayTouch(tables, c, rods.layers[rod]) && distanceTo(c, node) <= reach) return true;
      }
      return false;
    }

    function distanceTo(collider: number, node: number): number {
      const shape = colliders.shape[collider];
      let measure = measures.get(shape);
      if (!measure) {
        measure = measureShape(arena, tables, shape, reach);
        measures.set(shape, measure);
      }
      const [x, y, z] = toLocal(tables, collider, node);
      return measure(x, y, z);
    }
  }
}

function mayTouch({ colliders }: Tables, collider: number, layers: number): boolean {
  if ((colliders.flags[collider] & (L.COLLIDER_ALIVE | L.COLLIDER_SENSOR)) !== L.COLLIDER_ALIVE) return false;
  const other = colliders.layers[collider];
  return ((layers >>> 16) & other & 0xffff) !== 0 && ((other >>> 16) & layers & 0xffff) !== 0;
}

/** Place of a node in the collider's frame [m]. */
function toLocal({ colliders, nodes }: Tables, collider: number, node: number): [number, number, number] {
  const [x, y, z] = [0, 1, 2].map((k) => nodes.position[4 * node + k] - colliders.position[4 * collider + k]);
  const [qx, qy, qz, w] = colliders.rotation.subarray(4 * collider, 4 * collider + 4);
  // Turned back: by the conjugate.
  const [tx, ty, tz] = [2 * (y * qz - z * qy), 2 * (z * qx - x * qz), 2 * (x * qy - y * qx)];
  return [x + w * tx + ty * qz - tz * qy, y + w * ty + tz * qx - tx * qz, z + w * tz + tx * qy - ty * qx];
}
