// Which strands grow on which solids, and what a step does for them (solid-roots.ts): worlds with surfaces bring it.

import type { AdmmContacts } from '../../solvers/admm/problem';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';

interface RootParts {
  /** Rows of all roots that are awake, at the end. */
  readonly collect: (engine: Engine, contacts: AdmmContacts) => void;
  /** Their forces back to the strands, of the rows from `first` to `end`. */
  readonly store: (engine: Engine, contacts: AdmmContacts, first: number, end: number) => void;
}

/** The parts, once registered. */
export const roots: { parts: RootParts | null } = { parts: null };

/** Calls `visit` for every strand that grows on a solid, with the solid's number among the strands. */
export function forEachRoot(
  { arena, tables }: { readonly arena: { readonly i32: Int32Array }; readonly tables: Tables },
  visit: (strand: number, object: number) => void,
): void {
  const { strands, rods } = tables;
  // Without a mesh there is nothing to grow on.
  if (arena.i32[L.TETRAHEDRON_COUNT >> 2] === 0) return;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    const solid = strands.root[4 * s] - 1;
    if (solid >= 0) visit(s, rods.strandStart[solid]);
  }
}

/** Strands whose solids go are rooted no more. `isGone`: by slot of the rods. */
export function uproot({ strands }: Tables, strandCount: number, isGone: Uint8Array): void {
  for (let s = 0; s < strandCount; s++) {
    const solid = strands.root[4 * s] - 1;
    if (solid >= 0 && isGone[solid]) strands.root[4 * s] = 0;
  }
}
