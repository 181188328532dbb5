// What a game changed in the tables of strands, and of what they lie on, since it was last looked at: for
// copies of these tables elsewhere.
//
// In: notes by what writes rows, clamps, materials, user forces or places of bodies between steps. Out: counters to
// compare, and the strands whose clamps were placed. Kept beside the memory (a copy elsewhere is not part of the
// state): restoring a snapshot counts as a change of all rows.

import type { Tables } from './tables';

export interface StrandChanges {
  /** Counts rods made and removed, clamps made, released or handed to another body. */
  rows: number;
  /** Counts restored snapshots: no row is what it was. */
  restored: number;
  /** Number of its making, by rod slot: a slot that is used again has another. */
  readonly births: number[];
  /** Counts written materials. */
  materials: number;
  /** Counts written user forces. */
  forces: number;
  /** Counts wakings of rods by hand. */
  wakings: number;
  /** Counts bodies made, removed or put somewhere by hand. */
  bodies: number;
  /** Strands whose clamps were placed since the list was emptied; null while nobody empties it. */
  placed: number[] | null;
}

const changes = new WeakMap<Tables, StrandChanges>();

/** The notes of these tables. */
export function strandChanges(tables: Tables): StrandChanges {
  let found = changes.get(tables);
  if (!found) {
    found = { rows: 0, restored: 0, births: [], materials: 0, forces: 0, wakings: 0, bodies: 0, placed: null };
    changes.set(tables, found);
  }
  return found;
}

/** Number that changes with the rows of the strands. */
export function strandRows(tables: Tables): number {
  const { rows, restored } = strandChanges(tables);
  return rows + restored;
}

/** A rod was made in this slot. */
export function noteBirth(tables: Tables, rod: number): void {
  const found = strandChanges(tables);
  found.rows++;
  found.births[rod] = found.rows;
}

/** Rods were removed, or clamps made, released or handed on. */
export function noteRows(tables: Tables): void {
  strandChanges(tables).rows++;
}

/** A body was made, removed or put somewhere by hand. */
export function noteBody(tables: Tables): void {
  strandChanges(tables).bodies++;
}

/** A clamp on the world was placed anew. */
export function notePlaced(tables: Tables, strand: number): void {
  strandChanges(tables).placed?.push(strand);
}
