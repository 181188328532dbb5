// What was last written to an entity's Transform and Velocity: a game's own write is recognised by the difference.

/** Numbers a mirrored entity: position 3, rotation 4, linear 3, angular 3, spare 3. */
export const MIRROR_STRIDE = 16;

export interface Mirror {
  /** MIRROR_STRIDE numbers an entity id. */
  values: Float64Array;
}

export function createMirror(capacity: number): Mirror {
  return { values: new Float64Array(MIRROR_STRIDE * capacity) };
}

/** Makes sure that entity ids below `capacity` have a row. */
export function ensureMirror(mirror: Mirror, capacity: number): void {
  if (mirror.values.length >= MIRROR_STRIDE * capacity) return;
  const grown = new Float64Array(MIRROR_STRIDE * capacity);
  grown.set(mirror.values);
  mirror.values = grown;
}
