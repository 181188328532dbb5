// What a snapshot is, and what a restore says.

import type { KeptMemory } from '../src/dynamics/kept-memory';
import type { VolumeEmbedding } from '../src/geometry/embed-in-tetrahedra';
import type { Embedding } from '../src/geometry/embed-surface';
import { MESH_NAMES } from './mesh-families';
import type { RodState } from './rod-state';
import type { ShapeBook } from './shape-book';

/** Components that have rows in the tables. */
export const KINDS = [
  ...(['RigidBody', 'Rod', 'Groom', 'Attachment', 'Contact', 'Joint'] as const),
  ...MESH_NAMES,
  ...(['Character', 'Vehicle', 'Wheel'] as const),
] as const;

export type Kind = (typeof KINDS)[number];

/** An entity may be of several kinds: one bit each. */
export function kindBit(kind: Kind): number {
  return 1 << KINDS.indexOf(kind);
}

/** One column of a number of entities: one number for all, or one each. */
export type KeptColumn = Float64Array;

/** Columns of the entities of one kind. */
export interface KeptColumns {
  readonly columns: readonly KeptColumn[];
  /** Bits of the tags, by entity. */
  readonly tags: KeptColumn;
  /**
   * Writes that wait: number of the entity in the list, of the column in Transform, Velocity and Interpolated, value.
   */
  readonly waiting: Float64Array;
  /**
   * Density, mass and inertia that were written and not yet looked at: number of the body,
   * which of them, the value before.
   */
  readonly unread: Float64Array;
}

/** The mesh that an elastic object was made from; arrays of whole numbers. */
export interface KeptMesh {
  readonly entity: number;
  readonly map: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  readonly embedding: Embedding | null;
  readonly volume: VolumeEmbedding | null;
}

/**
 * An exact copy of the simulation's state; hand it to `physics.restore` of the same world, or of one with the same
 * entities.
 */
export interface Snapshot extends KeptMemory {
  /** How many rows of rods and of joints have been used. */
  readonly rods: number;
  readonly joints: number;
  readonly time: number;
  readonly stepCount: number;
  readonly accumulator: number;
  readonly shapes: Readonly<ShapeBook>;
  /** Settings that change what happens. */
  readonly settings: string;
  /** Entities with RigidBody that have no body. */
  readonly bodiless: Int32Array;
  /** What a game may write: columns and tags of bodies, columns of rods, grooms and joints. */
  readonly bodies: KeptColumns;
  readonly strands: readonly (readonly KeptColumn[])[];
  /** The meshes that shells and solids were made from. */
  readonly shells: readonly KeptMesh[];
  /** Columns of contacts that say something else than the tables. */
  readonly contacts: { readonly entities: Int32Array; readonly columns: readonly KeptColumn[] };
  /** Entity numbers that wait to be given out again. */
  readonly free: Int32Array;
  /** The largest entity number that had been given out. */
  readonly largest: number;
  /** What the Sleeping tags of rods were last written for. */
  readonly shown: RodState['shown'];
  /** Orders snapshots and entities by when they were made. */
  readonly serial: number;
}

/** What `physics.restore` did to entities, for what a game keeps beside them. */
export interface RestoreReport {
  /** Entities that are there again: removed since the snapshot, or without their component. */
  readonly returned: readonly number[];
  /** Entities made since: removed, or without their component where they had others. */
  readonly removed: readonly number[];
  /** Numbers that had been given to other entities of the game: the new number by the one in the snapshot. */
  readonly renumbered: ReadonlyMap<number, number>;
}
