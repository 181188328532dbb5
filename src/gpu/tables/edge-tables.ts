// What the contact detection knows of edges and strands from the upload on.
//
// In: tables, the order of the strands on the device. Out: `statics` vec4u an edge (edge-boxes.wgsl), `holders`
// (body.wgsl, Holder) a strand. An edge takes part unless its rod is gone; it is held when both its nodes are
// clamped, or it is an obstacle's.

import { clampAt } from '../../state/clamp-places';
import * as L from '../../state/layout';
import { RADIUS } from '../../state/material-places';
import { CLAMP_BURIED } from '../../state/node-places';
import type { Tables } from '../../state/tables';
import { NOTHING } from '../constants';
import type { StrandBuffers } from './strand-buffers';

/** Size of Edge in edge.wgsl, of a row of statics, and numbers of a Holder. */
export const EDGE_BYTES = 80;
const STATIC_WORDS = 4;
const HOLDER_WORDS = 8;
const HELD = 0x80000000;
const CLAMPS = L.STRAND_CLAMP_START | L.STRAND_CLAMP_END;

export function packEdges(
  { order, nodeCount, strandCount, ownCount }: StrandBuffers,
  { strands, nodes, rods }: Tables,
): { statics: Uint32Array<ArrayBuffer>; holders: Uint32Array<ArrayBuffer> } {
  const statics = new Uint32Array(STATIC_WORDS * nodeCount);
  const reals = new Float32Array(statics.buffer);
  const holders = new Uint32Array(HOLDER_WORDS * strandCount).fill(NOTHING);
  for (let i = 0; i < nodeCount; i++) statics[STATIC_WORDS * i] = NOTHING;
  for (let slot = 0; slot < strandCount; slot++) {
    const strand = order[slot];
    const rod = strands.rod[strand];
    if (rod < 0 || (rods.flags[rod] & L.ROD_ALIVE) === 0) continue;
    const first = strands.first[strand];
    const last = first + strands.nodes[strand] - 2;
    const flags = strands.flags[strand] & CLAMPS;
    let arc = 0;
    for (let edge = first; edge <= last; edge++) {
      const isClamped =
        (flags & L.STRAND_CLAMP_START && edge === first) || (flags & L.STRAND_CLAMP_END && edge === last);
      const held = isClamped || slot >= ownCount ? HELD : 0;
      statics[STATIC_WORDS * edge] = (slot | held) >>> 0;
      reals[STATIC_WORDS * edge + 1] = arc;
      reals[STATIC_WORDS * edge + 2] = 0.5 * (nodes.mass[2 * edge] + nodes.mass[2 * edge + 2]);
      reals[STATIC_WORDS * edge + 3] = rods.parameter[8 * rod + RADIUS];
      arc += nodes.rest[8 * edge] > 0 ? nodes.rest[8 * edge] : lengthOf(nodes.position, edge);
    }
    // An obstacle touches strands, not bodies.
    if (slot >= ownCount) continue;
    const buried = [0, 1].map((end) => Math.max(0, strands.clamp[clampAt(strand, end) + CLAMP_BURIED] - 1));
    const body = (end: number) => (flags & (L.STRAND_CLAMP_START << end) ? strands.attach[2 * strand + end] : -1);
    holders.set(
      [first, last, flags, body(0), body(1), first + buried[0], last + 1 - buried[1], 0],
      HOLDER_WORDS * slot,
    );
  }
  return { statics, holders };
}

function lengthOf(position: Float64Array, edge: number): number {
  let square = 0;
  for (let k = 4 * edge; k < 4 * edge + 3; k++) square += (position[k + 4] - position[k]) ** 2;
  return Math.sqrt(square);
}
