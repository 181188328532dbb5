// Internal invariants. Misuse by a caller is not asserted but thrown at the public door (errors.ts).

/** Throws when an invariant of ours is broken: always a bug in the engine, never the caller's. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`stiction: internal error: ${message}`);
}
