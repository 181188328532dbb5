// What kinds of shapes have in common, for TypeScript; kernels ask the same sets (state/shape-kinds.ts).

import { BOUNDED_KINDS, ROUND_KINDS, TRIANGLE_KINDS } from './shape-kinds';

/** Whether shapes of the kind are a point or a segment with a radius about it. */
export function isRound(kind: number): boolean {
  return ((ROUND_KINDS >> kind) & 1) !== 0;
}

/** Whether shapes of the kind are convex, with an end on every side. */
export function isBounded(kind: number): boolean {
  return ((BOUNDED_KINDS >> kind) & 1) !== 0;
}

/** Whether shapes of the kind are records of triangles. */
export function isMesh(kind: number): boolean {
  return ((TRIANGLE_KINDS >> kind) & 1) !== 0;
}
