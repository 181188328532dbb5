// What the wasm backend keeps of objects with a mesh: the equations of each kind in double precision, who is awake.

import type { ObjectSystem } from '../../../../mechanics/elastic-kind';
import { ELASTIC_KINDS } from '../../../../mechanics/kinds';

/** What the backend keeps of them. */
export interface Meshes {
  /** By kind. */
  readonly systems: readonly ObjectSystem[];
  /** Objects that are awake, of any kind but strands. */
  readonly objects: number[];
  /** By unknown: f, right-hand sides, weights. By node: how far it gives way [1/kg]. */
  f: Float64Array;
  give: Float64Array;
}

export function createMeshes(): Meshes {
  const none = new Float64Array(0);
  return { systems: ELASTIC_KINDS.map((kind) => kind.createSystem()), objects: [], f: none, give: none };
}
