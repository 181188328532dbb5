// Which edges of a strand are held at both ends by a clamp: their motion is prescribed, so no contact can change it.
// And which nodes near a clamp do not touch the body that the clamp follows: hair grows from inside the head. From the
// root on, nodes count as buried that were inside the body, or near enough to touch it, when the clamp was first seen
// with it, up to the first that was outside. STRAND_CLAMP keeps one more than their number, 0: not yet counted.

import {
  STRAND_ATTACH,
  STRAND_CLAMP,
  STRAND_CLAMP_END,
  STRAND_CLAMP_START,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_NODES,
} from '../../../state/layout';
import { column, getI32 } from '../memory';

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

/** Body that the clamp of an end (0 start, 1 end) follows, −1 none. */
export function holderOf(strand: i32, end: i32): i32 {
  const bit = end == 0 ? STRAND_CLAMP_START : STRAND_CLAMP_END;
  if ((getI32(column(STRAND_FLAGS), strand) & bit) == 0) return -1;
  return getI32(column(STRAND_ATTACH), 2 * strand + end);
}

/** The tenth number of the clamp's row. */
function buriedAt(strand: i32, end: i32): usize {
  return column(STRAND_CLAMP) + <usize>(24 * strand + 12 * end + 9) * 8;
}

/** Nodes from that end on that do not touch the clamp's own body; −1: not yet counted. */
export function buriedNodes(strand: i32, end: i32): i32 {
  return <i32>load<f64>(buriedAt(strand, end)) - 1;
}

export function setBuriedNodes(strand: i32, end: i32, count: i32): void {
  store<f64>(buriedAt(strand, end), <f64>(count + 1));
}
