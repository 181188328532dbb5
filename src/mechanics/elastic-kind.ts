// What a kind of elastic object is to the engine: the entries of the table in kinds.ts.
//
// Objects are numbered as their table has them; vectors over all unknowns have four a node, in the order of the nodes.

import type { Tables } from '../state/tables';

/** Velocities of bodies by slot, four numbers each: those of the table, or others to try [m/s], [rad/s]. */
export interface BodyMotion {
  readonly linearVelocity: Float64Array;
  readonly angularVelocity: Float64Array;
}

/** What a step gives to all objects. */
export interface ElasticStep {
  /** [s] */
  readonly timeStep: number;
  /** [m/s²] */
  readonly gravity: ArrayLike<number>;
  /** Velocity of the air that the drag is measured against [m/s]; none is still air. */
  readonly wind?: ArrayLike<number> | null;
  /** Velocities of the bodies that clamps follow, where they are others than those of the table. */
  readonly motion?: BodyMotion;
  /**
   * Ends that a joint holds in place of the clamp: rate of twist that is prescribed all the same [rad/s]; null: a clamp
   * like any other. Without it all are.
   */
  readonly jointTwist?: (strand: number, end: 0 | 1) => number | null;
}

/** The elastic equations of all objects of a kind, in double precision: A, A + W and their factors. */
export interface ObjectSystem {
  /** Room for so many nodes in all. */
  resize(nodes: number): void;
  /**
   * A of an object, factored, and its f, to their places in the vector over all unknowns; at `guess`, four numbers a
   * node of the object [m/s], or null: as it is. False: A is no good.
   */
  assemble(tables: Tables, object: number, step: ElasticStep, guess: Float64Array | null, f: Float64Array): boolean;
  /** f alone, to its place in `out`; uses the room of A + W. */
  rightHandSide(out: Float64Array, tables: Tables, object: number, step: ElasticStep): void;
  /** x := K⁻¹ x at the object's place, K = A or A + W. */
  solve(x: Float64Array, tables: Tables, object: number, isWeighted: boolean): void;
  /** out := A x, both at the object's place. */
  multiply(out: Float64Array, x: Float64Array, tables: Tables, object: number): void;
  /** out := how far each node gives way to a unit of impulse, trace((A⁻¹)_jj)/3 [1/kg], by node. */
  give(out: Float64Array, tables: Tables, object: number): void;
  /** out := the 3×3 block of A of a node (of all nodes), row-major [kg]. */
  block(out: Float64Array, tables: Tables, object: number, node: number): void;
  /** Factors A + W; `weight` by unknown. */
  weigh(weight: Float64Array, tables: Tables, object: number): void;
  /** Whether the motion of a node was prescribed when the object was assembled, beside the clamps of a strand. */
  isHeld?(tables: Tables, object: number, node: number): boolean;
}

/** A vector over all unknowns and what moves it: see `ElasticKind.correct`. */
export interface Correction {
  /** Velocities of the solve, which know the elasticity; changed in place [m/s]. */
  v: Float64Array;
  /** Velocities that obey the contacts [m/s]. */
  p: Float64Array;
  /** W: nodes without one are left alone [kg]. */
  weight: Float64Array;
  /** [s] */
  timeStep: number;
}

/** What a kind of elastic object is to the engine. */
export interface ElasticKind {
  readonly name: string;
  /** The equations of all objects of the kind in one world. */
  createSystem(): ObjectSystem;
  /** Energies of an object by their names [J]; all but the kinetic one are elastic. */
  energy(tables: Tables, object: number): { kinetic: number };
  /** Moves v of an object towards p where what is left would be harmful: p knows no elasticity. */
  correct(correction: Correction, tables: Tables, object: number): void;
  /** Carries along what belongs to an object's nodes once they have moved from NODE_PREVIOUS to NODE_POSITION. */
  integrate(tables: Tables, object: number): void;
  /** Keeps what the object was strained too far in a step; returns the most plastic strain [-]. Absent: elastic. */
  flow?(tables: Tables, object: number, timeStep: number): number;
}
