// Kinds of shapes: that of a collider, and whether it is one of a set of state/shape-kinds.ts.

import { COLLIDER_SHAPE, SHAPE_KIND } from '../../../state/layout';
import { column, getI32 } from '../memory';

/** Kind of a collider's shape: SHAPE_*. */
export function kindOf(collider: i32): i32 {
  return getI32(column(SHAPE_KIND), getI32(column(COLLIDER_SHAPE), collider));
}

/** Whether a kind is in a set of kinds: ROUND_KINDS, TRIANGLE_KINDS, ... */
export function isOneOf(kind: i32, kinds: i32): bool {
  return ((kinds >> kind) & 1) != 0;
}
