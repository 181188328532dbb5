// One solve of the reference backend: weights, the start from the forces of the last
// step, the rounds of ADMM, the answer.

import { OBJECT_ACTIVE, OBJECT_IDLE, OBJECT_RESTLESS } from '../../../../core/elastic-constants';
import { applyJoints, jointResidual, prepareJoints } from '../../../../solvers/admm/joints';
import { type ColumnOperator, unknownCount } from '../../../../solvers/admm/problem';
import { applyForces, prepareContacts } from '../../../../solvers/admm/project';
import { addContactImpulses, contactResidual } from '../../../../solvers/admm/residual';
import { contactWork, safeShare, scaleForces } from '../../../../solvers/admm/safe-start';
import { type AdmmSides, createSides } from '../../../../solvers/admm/sides';
import { type AdmmReport, markContactBodies } from '../../../../solvers/admm/solve';
import { resizeAdmmState } from '../../../../solvers/admm/state';
import { runRounds } from '../../../../solvers/elastic/loop';
import { chooseLocal } from '../../../../solvers/local/choose-local';
import * as L from '../../../../state/layout';
import type { Engine } from '../../../engine';
import { collectNodeContacts, type ElasticContacts } from '../../collect-contacts';
import { leaveJoints } from '../../leave-joints';
import { harmlessChange } from '../../near-contacts';
import { storeSolution } from '../../store-solution';
import type { FindNew } from '../elastic-backend';
import { readOptions } from '../read-options';
import { endOf, IDLE, kindOf, type Reference, solveObjects, startOf, systemOf } from './reference';
import { balanceWeights, unweighObject, weighObject } from './weights';

/** As ElasticBackend.solve. */
export function solveReference(
  engine: Engine,
  r: Reference,
  e: ElasticContacts,
  findNew: FindNew | null,
  report: AdmmReport,
): void {
  const { settings } = engine;
  const { problem, state, options } = r;
  const count = unknownCount(problem);
  listObjects(engine, r, e);
  resizeAdmmState(state, count, problem.objectCount);
  readOptions(options, settings.elastic);

  weighAll(engine, r, e);
  prepareContacts(problem, 0);
  markContactBodies(problem);

  // Start: the velocities that the forces of the last step would give, as far as they do no harm. At rest this is the
  // answer. λ = W⁻¹ Bᵀ r goes with them.
  const columns = createColumns(engine, r);
  prepareJoints(r.free, problem, e.joints, columns);
  if (options.isPaper) startOnNodes(engine, r, e);
  else {
    scaleForces(problem, solveForces(engine, r, e, state.v));
    state.lambda.fill(0, 0, count);
    applyForces(problem, state.lambda, 0, options.cohesion);
  }
  prepareJoints(r.held, problem, e.joints, columns);

  const sides = openSides(engine, r, e, report);
  sides.findNew = findNew && ((projected) => lookAgain(engine, r, e, findNew, projected, columns));
  sides.open();
  const { islands } = e;
  const start = { timeStep: problem.timeStep, isSolved: !options.isPaper, looks: findNew !== null, islands };
  runRounds(sides, sides, options, start, report);

  // What the last projection found reaches the velocities; in the paper's profile it is the answer.
  if (!options.isPaper) sides.solve(true);
  balanceWeights(engine, r, e);

  // The residual afresh from the forces alone: A v = f + Bᵀ r.
  const { right } = state;
  solveForces(engine, r, e, right);
  const residual = Math.max(contactResidual(problem, right), jointResidual(problem, e.joints, right));
  engine.report.strands.residual = residual;
  if (settings.elastic.geometricCorrection) {
    if (options.isPaper) takeProjected(r);
    else correct(engine, r, state.v);
    for (let i = problem.elasticCount; i < count; i++) state.v[i] = state.p[i];
  }
  storeSolution(engine, e, problem, state, r.nextWeight);
}

/** The problem's objects and which of them take part. */
function listObjects({ arena, tables }: Engine, { problem, chosen }: Reference, e: ElasticContacts): void {
  const count = arena.i32[L.STRAND_COUNT >> 2];
  problem.objectCount = count;
  if (problem.objectKind.length < count) problem.objectKind = new Uint8Array(chosen.length);
  if (problem.objectOf.length < problem.elasticCount) problem.objectOf = new Int32Array(2 * problem.elasticCount);
  for (let i = 0; i < problem.elasticCount; i++) problem.objectOf[i] = tables.nodes.strand[i >> 2];
  problem.objectKind.set(e.active.subarray(0, count));
  // What a joint holds is moved by it after each solve, not only by contacts.
  for (let i = 0; i < e.joints.count; i++) {
    for (const node of [e.joints.node[i], e.joints.other[i]])
      if (node >= 0) problem.objectKind[problem.objectOf[node]] = OBJECT_RESTLESS;
  }
}

/** W, and A + W of what takes part; the others are solved at once. */
function weighAll(engine: Engine, r: Reference, e: ElasticContacts): void {
  const { arena, tables } = engine;
  const { problem } = r;
  r.touched.fill(0, 0, problem.elasticCount >> 2);
  touchNodes(r, 0);
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (e.active[object] === 1) {
      weighObject(engine, r, object);
      continue;
    }
    unweighObject(engine, r, object);
    if (tables.strands.flags[object] & IDLE) continue;
    // Without contacts a further linearisation is solved at once.
    const end = endOf(tables, object);
    for (let i = startOf(tables, object); i < end; i++) tables.nodes.predicted[i] = problem.f[i];
    systemOf(r, tables, object).solve(tables.nodes.predicted, tables, object, false);
  }
}

/** Marks the nodes of contacts from row `first` on: only they get a weight, the others are solved exactly at once. */
function touchNodes({ problem, touched }: Reference, first: number): void {
  const { contacts } = problem;
  for (let k = 4 * first; k < 4 * contacts.count; k++) {
    if (contacts.coefficient[k] !== 0) touched[contacts.node[k] >> 2] = 1;
  }
}

/** What joints ask of A and A + W. */
function createColumns({ tables }: Engine, r: Reference): ColumnOperator {
  const objectOf = (unknown: number): number => tables.nodes.strand[unknown >> 2];
  return {
    column(x, unknown, isWeighted) {
      const object = objectOf(unknown);
      systemOf(r, tables, object).solve(x, tables, object, isWeighted);
    },
    rangeOf(out, unknown) {
      const object = objectOf(unknown);
      out[0] = startOf(tables, object);
      out[1] = endOf(tables, object);
    },
  };
}

/** Both sides of the solve. */
function openSides(engine: Engine, r: Reference, e: ElasticContacts, report: AdmmReport): AdmmSides {
  const { arena, tables } = engine;
  const { problem, chosen } = r;
  const operator = {
    solve(v: Float64Array, right: Float64Array, moving: Uint8Array): void {
      const count = arena.i32[L.STRAND_COUNT >> 2];
      for (let object = 0; object < count; object++) {
        chosen[object] = e.active[object] & moving[object];
        if (chosen[object] !== 1) continue;
        const end = endOf(tables, object);
        for (let i = startOf(tables, object); i < end; i++) v[i] = right[i];
      }
      solveObjects(r, tables, count, chosen, true, v);
    },
  };
  const local = chooseLocal(r.options.local, report.local);
  const sides = createSides(problem, operator, r.state, r.options, local, e.islands);
  if (e.joints.count > 0) {
    sides.joints = (v, leaves) => {
      leaveJoints(engine, e, r.held, leaves);
      applyJoints(r.held, problem, e.joints, v);
    };
  }
  return sides;
}

/** v of A v = f + α Bᵀ r that obeys the joints; returns the largest α <= 1 that takes energy away. */
function solveForces(engine: Engine, r: Reference, e: ElasticContacts, v: Float64Array): number {
  const { problem, options } = r;
  const { last } = r.state;
  const count = unknownCount(problem);
  for (let i = 0; i < count; i++) v[i] = last[i] = problem.f[i];
  addContactImpulses(v, problem, options.cohesion);
  // What is prescribed feels no force.
  for (let i = 0; i < problem.elasticCount; i++) if (problem.weight[i] === 0) v[i] = last[i];
  for (const x of [last, v]) {
    solveObjects(r, engine.tables, problem.objectCount, e.active, false, x);
    copyIdle(engine, e, x);
    applyJoints(r.free, problem, e.joints, x);
  }
  const without = contactWork(problem, last, 0, options.cohesion);
  const share = safeShare(without, contactWork(problem, v, 1, options.cohesion));
  for (let i = 0; i < count; i++) v[i] = last[i] + share * (v[i] - last[i]);
  return share;
}

/** v of objects without contacts: what was predicted. */
function copyIdle({ arena, tables }: Engine, e: ElasticContacts, v: Float64Array): void {
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (e.active[object] === 1) continue;
    const end = endOf(tables, object);
    for (let i = startOf(tables, object); i < end; i++) v[i] = tables.nodes.predicted[i];
  }
}

/** Adds the contacts that the velocities would bring, or with `projected` those of the answer. */
function lookAgain(
  engine: Engine,
  r: Reference,
  e: ElasticContacts,
  findNew: FindNew,
  projected: boolean,
  columns: ColumnOperator,
): void {
  const { arena, tables } = engine;
  const { problem, state, trial } = r;
  const { predicted } = tables.nodes;
  const { contacts } = problem;
  let velocities = state.v;
  if (projected) {
    velocities = trial;
    for (let i = 0; i < problem.elasticCount; i++) trial[i] = state.v[i];
    correct(engine, r, trial);
  } else {
    let change = 0;
    for (let i = 0; i < problem.elasticCount; i++) {
      if ((i & 3) < 3) change = Math.max(change, Math.abs(velocities[i] - predicted[i]));
    }
    if (change <= harmlessChange(engine)) return;
  }

  for (let i = 0; i < problem.elasticCount; i++) predicted[i] = velocities[i];
  const before = contacts.count;
  const row = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  findNew(arena.i32[L.NODE_PREDICTED >> 2]);
  collectNodeContacts(engine, e, contacts, row, false);
  if (contacts.count === before) return;

  touchNodes(r, before);
  for (let k = 4 * before; k < 4 * contacts.count; k++) {
    if (contacts.coefficient[k] === 0) continue;
    const object = tables.nodes.strand[contacts.node[k] >> 2];
    if (tables.strands.flags[object] & IDLE) continue;
    if (problem.weight[contacts.node[k]] === 0) weighObject(engine, r, object);
    e.active[object] = 1;
    if (problem.objectKind[object] === OBJECT_IDLE) problem.objectKind[object] = OBJECT_ACTIVE;
  }
  prepareJoints(r.held, problem, e.joints, columns);
}

/** The paper's start (6.2.1, 6.2.2): velocities without contacts, and λ of the nodes from the step before. */
function startOnNodes({ tables }: Engine, r: Reference, e: ElasticContacts): void {
  const { problem, state, options } = r;
  const { v, lambda } = state;
  const { predicted, dual } = tables.nodes;
  const count = unknownCount(problem);
  lambda.fill(0, 0, count);
  // Bodies, which the paper has none of, have theirs from the forces.
  applyForces(problem, lambda, 0, options.cohesion);
  for (let i = 0; i < problem.elasticCount; i++) {
    v[i] = predicted[i];
    lambda[i] = problem.weight[i] > 0 ? dual[i] : 0;
  }
  for (let i = problem.elasticCount; i < count; i++) v[i] = problem.f[i];
  applyJoints(r.free, problem, e.joints, v);
}

/** v := p where p takes part (6.2.7). */
function takeProjected({ problem, state }: Reference): void {
  for (let i = 0; i < problem.elasticCount; i++) if (problem.weight[i] > 0) state.v[i] = state.p[i];
}

/** v of what takes part towards p, where it would else do harm. */
function correct({ arena, tables }: Engine, { problem, state }: Reference, v: Float64Array): void {
  const correction = { v, p: state.p, weight: problem.weight, timeStep: problem.timeStep };
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    kindOf(tables, object).correct(correction, tables, object);
  }
}
