// Which edges of a strand are held at both ends by a clamp: their motion is prescribed, so no contact can change it.

import {
  STRAND_ATTACH,
  STRAND_CLAMP_END,
  STRAND_CLAMP_START,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_NODES,
} from '../../state/layout';
import { column, getI32 } from './memory';

/** Whether both nodes of the edge are clamped. */
export function clampedEdge(edge: i32, strand: i32): bool {
  const flags = getI32(column(STRAND_FLAGS), strand);
  if ((flags & (STRAND_CLAMP_START | STRAND_CLAMP_END)) == 0) return false;
  const first = getI32(column(STRAND_FIRST), strand);
  if ((flags & STRAND_CLAMP_START) != 0 && edge == first) return true;
  return (flags & STRAND_CLAMP_END) != 0 && edge == first + getI32(column(STRAND_NODES), strand) - 2;
}

/** Whether the node is clamped. */
export function clampedNode(node: i32, strand: i32): bool {
  const flags = getI32(column(STRAND_FLAGS), strand);
  if ((flags & (STRAND_CLAMP_START | STRAND_CLAMP_END)) == 0) return false;
  const first = getI32(column(STRAND_FIRST), strand);
  if ((flags & STRAND_CLAMP_START) != 0 && node <= first + 1) return true;
  return (flags & STRAND_CLAMP_END) != 0 && node >= first + getI32(column(STRAND_NODES), strand) - 2;
}

/** Whether a clamp of the strand follows the body. */
export function isAttachedTo(strand: i32, body: i32): bool {
  const attach = column(STRAND_ATTACH) + ((<usize>strand) << 3);
  const flags = getI32(column(STRAND_FLAGS), strand);
  if ((flags & STRAND_CLAMP_START) != 0 && load<i32>(attach) == body) return true;
  return (flags & STRAND_CLAMP_END) != 0 && load<i32>(attach, 4) == body;
}
