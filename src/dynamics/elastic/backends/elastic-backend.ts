// What advances strands: one interface, one implementation in double precision that can be read, one for speed.
//
// A backend owns the numbers that live for one step only (matrices, factors); all that later steps depend on lies in
// the tables: NODE_VELOCITY, NODE_DUAL, NODE_CONTACT_FORCE, ATTACHMENT_IMPULSE, PAIR_IMPULSE.

import type { AdmmProblem } from '../../../solvers/admm/problem';
import type { AdmmReport } from '../../../solvers/admm/solve';
import type { Engine } from '../../engine';
import type { Carried, Responder } from '../carried';
import type { ElasticContacts } from '../collect-contacts';

/** Appends to the table the contacts that velocities at this address would bring, f64×4 a node. */
export type FindNew = (velocities: number) => void;

export interface ElasticBackend extends Responder {
  readonly name: 'reference' | 'wasm';
  /**
   * Assembles every strand at `guess` (NODE_PREDICTED) or at its present state, factors A and writes the velocity
   * without contacts to NODE_PREDICTED. Quarantines a strand whose numbers are no good. `carried`: whose
   * answers `respond` will be asked for.
   */
  predict(engine: Engine, guess: boolean, carried: Carried): void;
  /**
   * W of the strands with contacts, A + W factored, then ADMM from NODE_PREDICTED. Leaves the velocities of the
   * nodes in NODE_PREDICTED, those of the bodies in `contacts.bodyVelocity`, the forces in the problem. `free`: address
   * of a copy of NODE_PREDICTED, for a backend that writes there before the end.
   */
  solve(engine: Engine, contacts: ElasticContacts, free: number, findNew: FindNew | null, report: AdmmReport): void;
  /** Whether `solve` takes strand contacts from the table itself, but for those that touch a body of the problem. */
  readonly gathersStrands: boolean;
  /** Moves the nodes by NODE_VELOCITY and carries their frames; quarantines strands whose numbers went bad. */
  integrate(engine: Engine): void;
  /** The problem that `solve` works on: filled with contacts by collect-contacts. */
  readonly problem: AdmmProblem;
}
