// What the reference backend keeps of one world: the problem, its vectors, the equations of each kind of object.

import type { ElasticKind, ObjectSystem } from '../../../../mechanics/elastic-kind';
import { elasticKind, systemOfKind } from '../../../../mechanics/kinds';
import { createJointSystem, type JointSystem } from '../../../../solvers/admm/joint-system';
import { type AdmmOptions, defaultAdmmOptions } from '../../../../solvers/admm/options';
import { type AdmmProblem, createAdmmProblem } from '../../../../solvers/admm/problem';
import type { AdmmReport } from '../../../../solvers/admm/solve';
import { type AdmmState, createAdmmState } from '../../../../solvers/admm/state';
import * as L from '../../../../state/layout';
import type { Tables } from '../../../../state/tables';
import type { Engine } from '../../../engine';
import type { ElasticContacts } from '../../collect-contacts';
import type { FindNew } from '../elastic-backend';

/** Objects that take no part. */
export const IDLE = L.STRAND_QUARANTINED | L.STRAND_ASLEEP;

export interface Reference {
  readonly problem: AdmmProblem;
  readonly state: AdmmState;
  readonly options: AdmmOptions;
  /** Joints with A, and with A + W. */
  readonly free: JointSystem;
  readonly held: JointSystem;
  /** By kind. */
  readonly systems: (ObjectSystem | undefined)[];
  /** By node: 1 where a contact looks; how far it gives way [1/kg]; its weight for the next step [kg]. */
  touched: Uint8Array;
  give: Float64Array;
  nextWeight: Float64Array;
  /** By object: 1 for those of one solve. */
  chosen: Uint8Array;
  /** By unknown: right-hand sides that are tried. */
  trial: Float64Array;
  /** Unknowns of one object. */
  guess: Float64Array;
}

/** A step's solve: as ElasticBackend.solve. */
export type ReferenceSolve = (
  engine: Engine,
  r: Reference,
  e: ElasticContacts,
  findNew: FindNew | null,
  report: AdmmReport,
) => void;

export function createReference(): Reference {
  const none = new Float64Array(0);
  return {
    problem: createAdmmProblem(),
    state: createAdmmState(),
    options: { ...defaultAdmmOptions },
    free: createJointSystem(false),
    held: createJointSystem(true),
    systems: [],
    touched: new Uint8Array(0),
    give: none,
    nextWeight: none,
    chosen: new Uint8Array(0),
    trial: none,
    guess: none,
  };
}

/** Makes room for what is in the tables. */
export function resizeReference(r: Reference, tables: Tables, nodes: number, objects: number): void {
  for (let object = 0; object < objects; object++) systemOf(r, tables, object);
  for (const system of r.systems) system?.resize(nodes);
  if (r.touched.length < nodes) {
    r.touched = new Uint8Array(2 * nodes);
    r.give = new Float64Array(2 * nodes);
    r.nextWeight = new Float64Array(2 * nodes);
    r.trial = new Float64Array(8 * nodes);
  }
  if (r.chosen.length < objects) r.chosen = new Uint8Array(2 * objects);
}

/** First unknown of an object, and the one behind its last. */
export function startOf({ strands }: Tables, object: number): number {
  return 4 * strands.first[object];
}

export function endOf({ strands }: Tables, object: number): number {
  return 4 * (strands.first[object] + strands.nodes[object]);
}

/** What an object is. */
export function kindOf({ strands }: Tables, object: number): ElasticKind {
  return elasticKind(strands.kind[object]);
}

/** The equations that an object is part of. */
export function systemOf(r: Reference, { strands }: Tables, object: number): ObjectSystem {
  return systemOfKind(r.systems, strands.kind[object]);
}

/** v := K⁻¹ v, K = A or A + W, of the objects where `chosen` is 1. */
export function solveObjects(
  r: Reference,
  tables: Tables,
  count: number,
  chosen: Uint8Array,
  isWeighted: boolean,
  v: Float64Array,
): void {
  for (let object = 0; object < count; object++) {
    if (chosen[object] === 1) systemOf(r, tables, object).solve(v, tables, object, isWeighted);
  }
}
