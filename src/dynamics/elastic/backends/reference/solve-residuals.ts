// A step's solve by conjugate residuals (Verschoor and Jalba 2019, Algorithm 1, lines 6 to 30): what solve.ts does by
// ADMM.
//
// The prediction has A factored, so A⁻¹ itself takes the place of A_d⁻¹ in the preconditioner, and the metric is
// that of what nodes give way: residuals of the soft motions, translations first, count for what they are. When the
// mixed system has converged, contacts that its velocities bring are added, and rows linearised anew at the end of the
// step, until nothing is added and every gap is what its row said.

import { jointResidual } from '../../../../solvers/admm/joints';
import { type AdmmProblem, unknownCount } from '../../../../solvers/admm/problem';
import { prepareContacts } from '../../../../solvers/admm/project';
import { contactResidual } from '../../../../solvers/admm/residual';
import type { AdmmReport } from '../../../../solvers/admm/solve';
import { resizeAdmmState } from '../../../../solvers/admm/state';
import {
  type AdmmRows,
  addCohesion,
  createAdmmRows,
  fillAdmmRows,
  readForces,
  writeForces,
} from '../../../../solvers/conjugate-residual/admm-form';
import type { ElasticOperator } from '../../../../solvers/conjugate-residual/operator';
import {
  type ConjugateResidualOptions,
  defaultConjugateResidualOptions,
} from '../../../../solvers/conjugate-residual/options';
import { addTransposed } from '../../../../solvers/conjugate-residual/rows';
import { findSimilarRows } from '../../../../solvers/conjugate-residual/similar-rows';
import {
  type ConjugateResidualReport,
  createConjugateResidualReport,
  solveConjugateResidual,
} from '../../../../solvers/conjugate-residual/solve';
import { createWork, resizeWork, type Work } from '../../../../solvers/conjugate-residual/work';
import * as L from '../../../../state/layout';
import type { Engine } from '../../../engine';
import { collectNodeContacts, type ElasticContacts } from '../../collect-contacts';
import { createStartRows, noteStartRows, relinearise, type StartRows } from '../../relinearise';
import { storeSolution } from '../../store-solution';
import type { FindNew } from '../elastic-backend';
import { endOf, IDLE, type Reference, type ReferenceSolve, startOf, systemOf } from './reference';
import { isPrescribedNode } from './weights';

/** Linearisations of a step at most: the paper has 5 on average, with peaks of 10. */
const LINEARISATIONS = 10;
/** Iterations of conjugate residuals for one of ADMM: `elastic.iterations` bounds both. */
const ITERATIONS_EACH = 20;
/** Norm of the residual to reach, of that of the right-hand side [-]; errors of rows, as a share of `tolerance`. */
const RELATIVE = 1e-10;
const ROW_SHARE = 0.1;
/** See lockedGive [-]. */
const LOCKED = 1e-9;

/** What the solver keeps from step to step, so that it allocates little. */
interface ResidualSolver {
  readonly rows: AdmmRows;
  readonly work: Work;
  readonly report: ConjugateResidualReport;
  readonly options: ConjugateResidualOptions;
  readonly start: StartRows;
  /** By unknown: f, 1/A_ii's like (A⁻¹)_jj, and velocities of all. */
  f: Float64Array;
  inverse: Float64Array;
  velocity: Float64Array;
}

function createResidualSolver(): ResidualSolver {
  const none = new Float64Array(0);
  return {
    rows: createAdmmRows(),
    work: createWork(),
    report: createConjugateResidualReport(),
    options: { ...defaultConjugateResidualOptions, preconditioner: 'factored', tolerance: RELATIVE },
    start: createStartRows(),
    f: none,
    inverse: none,
    velocity: none,
  };
}

/** The solve of one world, with arrays of its own. */
export function createResidualSolve(): ReferenceSolve {
  const s = createResidualSolver();
  return (engine, r, e, findNew, report) => solveByResiduals(engine, r, s, e, findNew, report);
}

function solveByResiduals(
  engine: Engine,
  r: Reference,
  s: ResidualSolver,
  e: ElasticContacts,
  findNew: FindNew | null,
  report: AdmmReport,
): void {
  const { problem, state } = r;
  const { timeStep } = engine.settings;
  const { tolerance } = engine.settings.elastic;
  const mayLook = findNew !== null && engine.settings.elastic.newContactsEvery > 0;
  problem.objectCount = engine.arena.i32[L.STRAND_COUNT >> 2];
  Object.assign(report, { status: 'iteration-limit', iterations: 0, sweeps: 0, contactSolves: 0, delta: 0, added: 0 });
  s.options.constraintTolerance = (ROW_SHARE * tolerance) / timeStep;
  s.options.errorTolerance = (ROW_SHARE * tolerance) / timeStep;
  const most = ITERATIONS_EACH * e.islands.list[0].iterations;
  for (let object = 0; object < problem.objectCount; object++) {
    if (e.active[object] === 1) giveObject(engine, r, object);
    else predictFree(engine, r, object);
  }
  prepareContacts(problem, 0);
  s.start.count = 0;
  noteStartRows(engine, e, problem, s.start);

  for (let k = 0; k < LINEARISATIONS; k++) {
    s.options.iterationLimit = most - report.iterations;
    solveOnce(engine, r, s, e);
    report.iterations += s.report.iterations;
    report.delta = timeStep * s.report.constraintError;
    const isSolved = s.report.status === 'converged';
    const added = mayLook ? lookAgain(engine, r, s, e, findNew) : 0;
    report.added += added;
    if (added > 0) continue;
    if (k + 1 === LINEARISATIONS || report.iterations >= most) break;
    const missed = relinearise(engine, e, problem, s.start, s.work.v);
    report.delta = Math.max(report.delta, missed);
    if (missed >= tolerance) continue;
    if (isSolved) report.status = 'converged';
    break;
  }

  // The velocities of the forces, and what they miss.
  const count = unknownCount(problem);
  resizeAdmmState(state, count, problem.objectCount);
  for (let i = 0; i < count; i++) state.v[i] = s.velocity[i];
  engine.report.strands.residual = Math.max(
    contactResidual(problem, state.v),
    jointResidual(problem, e.joints, state.v),
  );
  // ADMM's memory has nothing to say to the next step.
  state.lambda.fill(0, 0, count);
  r.nextWeight.fill(0, 0, problem.elasticCount >> 2);
  storeSolution(engine, e, problem, state, r.nextWeight);
}

/** How far the nodes of an object give way, as inverse weights of ADMM: what contacts are scaled by. */
function giveObject(engine: Engine, r: Reference, object: number): void {
  const { problem, give } = r;
  const { inverseWeight, weight } = problem;
  systemOf(r, engine.tables, object).give(give, engine.tables, object);
  for (let i = startOf(engine.tables, object); i < endOf(engine.tables, object); i += 4) {
    const isFixed = isPrescribedNode(engine, r, object, i >> 2);
    for (let k = i; k < i + 3; k++) {
      inverseWeight[k] = isFixed ? 0 : give[i >> 2];
      weight[k] = isFixed ? 0 : 1 / give[i >> 2];
    }
    weight[i + 3] = inverseWeight[i + 3] = 0;
  }
}

/** One without contacts: a further linearisation is solved at once. */
function predictFree(engine: Engine, r: Reference, object: number): void {
  const { tables } = engine;
  const { problem } = r;
  const start = startOf(tables, object);
  const end = endOf(tables, object);
  problem.weight.fill(0, start, end);
  problem.inverseWeight.fill(0, start, end);
  if (tables.strands.flags[object] & IDLE) return;
  for (let i = start; i < end; i++) tables.nodes.predicted[i] = problem.f[i];
  systemOf(r, tables, object).solve(tables.nodes.predicted, tables, object, false);
}

/** Conjugate residuals on the rows as they are, from the forces that are in them; these are then the answer's. */
function solveOnce(engine: Engine, r: Reference, s: ResidualSolver, e: ElasticContacts): void {
  const { problem } = r;
  const { rows: made, work } = s;
  const { nodes, strands } = engine.tables;
  resizeSolver(s, unknownCount(problem) + 3 * (problem.contacts.count + e.joints.count));
  // What is prescribed has identity rows, and f is its velocity; what takes no part does not move.
  for (let i = 0; i < problem.elasticCount; i++) {
    s.f[i] = e.active[nodes.strand[i >> 2]] === 1 ? problem.f[i] : 0;
    s.inverse[i] = problem.inverseWeight[i];
  }
  fillAdmmRows(made, problem, e.joints, (unknown) => s.inverse[unknown] === 0, s.f);
  const { size, rows } = made;
  openBodies(problem, s);
  const operator = openOperator(engine, r, s, e);
  addCohesion(s.f, made, problem);

  // From v = A⁻¹ (f + Hᵀ r).
  resizeWork(work, size, rows.count);
  readForces(work.r, made, problem, e.joints);
  for (let i = 0; i < size; i++) work.v[i] = s.f[i];
  addTransposed(work.v, rows, work.state, work.r, true);
  operator.solve!(work.v);
  const mixed = { operator, f: s.f, rows, similar: findSimilarRows(rows, s.inverse) };
  solveConjugateResidual(mixed, work, s.options, s.report);
  writeForces(work.r, made, problem, e.joints);

  for (let i = 0; i < size; i++) s.velocity[i] = s.f[i];
  addTransposed(s.velocity, rows, work.state, work.r, true);
  operator.solve!(s.velocity);
  for (let i = 0; i < problem.elasticCount; i++) {
    const object = nodes.strand[i >> 2];
    if (e.active[object] === 1) continue;
    const isIdle = (strands.flags[object] & IDLE) !== 0;
    s.velocity[i] = work.v[i] = isIdle ? 0 : nodes.predicted[i];
  }
}

function resizeSolver(s: ResidualSolver, size: number): void {
  if (s.f.length >= size) return;
  const room = size + (size >> 1);
  s.f = new Float64Array(room);
  s.inverse = new Float64Array(room);
  s.velocity = new Float64Array(room);
}

/** f and the inverse diagonal of bodies and slacks. */
function openBodies(problem: AdmmProblem, { f, rows, inverse }: ResidualSolver): void {
  const { elasticCount } = problem;
  const unknowns = unknownCount(problem);
  f.fill(0, elasticCount, rows.size);
  for (let b = 0; b < problem.bodyCount; b++) {
    const at = elasticCount + 8 * b;
    multiplyBody(f, problem.f, problem, b, at);
    inverse.fill(problem.bodyInverseMass[b], at, at + 3);
    for (let k = 0; k < 3; k++) inverse[at + 4 + k] = problem.bodyInverseInertia[8 * b + k] + lockedGive(problem, b);
    inverse[at + 3] = inverse[at + 7] = 0;
  }
  for (let i = unknowns; i < rows.size; i++) inverse[i] = rows.slack[i - unknowns];
}

/** What is added to the inverse inertia, so that there is an inertia about locked axes too [1/(kg·m²)]. */
function lockedGive({ bodyInverseMass, bodyLength }: AdmmProblem, b: number): number {
  return (LOCKED * bodyInverseMass[b]) / bodyLength[b] ** 2;
}

/** A of what takes part: objects, bodies, slacks. */
function openOperator(engine: Engine, r: Reference, s: ResidualSolver, e: ElasticContacts): ElasticOperator {
  const { tables } = engine;
  const { problem } = r;
  const { rows } = s;
  const unknowns = unknownCount(problem);
  const active: number[] = [];
  for (let object = 0; object < problem.objectCount; object++) if (e.active[object] === 1) active.push(object);
  return {
    size: rows.size,
    inverseDiagonal: s.inverse,
    multiply(out, x) {
      out.fill(0, 0, problem.elasticCount);
      for (const object of active) systemOf(r, tables, object).multiply(out, x, tables, object);
      for (let b = 0; b < problem.bodyCount; b++) multiplyBody(out, x, problem, b, problem.elasticCount + 8 * b);
      for (let i = unknowns; i < rows.size; i++) out[i] = x[i] / rows.slack[i - unknowns];
    },
    solve(x) {
      for (const object of active) systemOf(r, tables, object).solve(x, tables, object, false);
      for (let b = 0; b < problem.bodyCount; b++) solveBody(x, problem, b, problem.elasticCount + 8 * b);
      for (let i = unknowns; i < rows.size; i++) x[i] *= rows.slack[i - unknowns];
    },
  };
}

/** x := M⁻¹ x of a body. */
function solveBody(x: Float64Array, problem: AdmmProblem, b: number, at: number): void {
  const I = problem.bodyInverseInertia;
  const i = 8 * b;
  const more = lockedGive(problem, b);
  for (let k = 0; k < 3; k++) x[at + k] *= problem.bodyInverseMass[b];
  const [p, q, s] = [x[at + 4], x[at + 5], x[at + 6]];
  x[at + 4] = (I[i] + more) * p + I[i + 3] * q + I[i + 4] * s;
  x[at + 5] = I[i + 3] * p + (I[i + 1] + more) * q + I[i + 5] * s;
  x[at + 6] = I[i + 4] * p + I[i + 5] * q + (I[i + 2] + more) * s;
}

/** out := M x of a body. */
function multiplyBody(out: Float64Array, x: Float64Array, problem: AdmmProblem, b: number, at: number): void {
  const I = problem.bodyInverseInertia;
  const i = 8 * b;
  const more = lockedGive(problem, b);
  for (let k = 0; k < 3; k++) out[at + k] = x[at + k] / problem.bodyInverseMass[b];
  out[at + 3] = out[at + 7] = 0;
  const [xx, yy, zz] = [I[i] + more, I[i + 1] + more, I[i + 2] + more];
  const [xy, xz, yz] = [I[i + 3], I[i + 4], I[i + 5]];
  const [cxx, cxy, cxz] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
  const scale = 1 / (xx * cxx + xy * cxy + xz * cxz);
  const cyz = xy * xz - xx * yz;
  const [p, q, s] = [x[at + 4], x[at + 5], x[at + 6]];
  out[at + 4] = scale * (cxx * p + cxy * q + cxz * s);
  out[at + 5] = scale * (cxy * p + (xx * zz - xz * xz) * q + cyz * s);
  out[at + 6] = scale * (cxz * p + cyz * q + (xx * yy - xy * xy) * s);
}

/** Adds the contacts that the velocities would bring; returns how many. */
function lookAgain(engine: Engine, r: Reference, s: ResidualSolver, e: ElasticContacts, findNew: FindNew): number {
  const { arena, tables } = engine;
  const { problem } = r;
  const { contacts } = problem;
  const { predicted } = tables.nodes;
  for (let i = 0; i < problem.elasticCount; i++) predicted[i] = s.work.v[i];
  const before = contacts.count;
  const row = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  findNew(arena.i32[L.NODE_PREDICTED >> 2]);
  collectNodeContacts(engine, e, contacts, row, false);
  if (contacts.count === before) return 0;
  for (let k = 4 * before; k < 4 * contacts.count; k++) {
    if (contacts.coefficient[k] === 0) continue;
    const object = tables.nodes.strand[contacts.node[k] >> 2];
    if (e.active[object] === 1 || tables.strands.flags[object] & IDLE) continue;
    e.active[object] = 1;
    giveObject(engine, r, object);
  }
  prepareContacts(problem, before);
  noteStartRows(engine, e, problem, s.start);
  return contacts.count - before;
}
