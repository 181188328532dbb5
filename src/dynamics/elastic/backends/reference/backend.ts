// Elastic objects in double precision, in plain TypeScript: what the fast backend is measured against.
//
// Per object A is factored once for the velocity without contacts, and A + W once for all ADMM iterations of the step.
// Objects without contacts are left out of the iterations.

import type { ElasticStep } from '../../../../mechanics/elastic-kind';
import { resizeAdmmProblem } from '../../../../solvers/admm/problem';
import { ANGULAR } from '../../../../state/contact-places';
import * as L from '../../../../state/layout';
import type { Engine } from '../../../engine';
import type { Carried } from '../../carried';
import { elasticStepOf } from '../../elastic-step';
import { isFinite4, quarantineStrand } from '../../store-solution';
import { surfacePartsOf } from '../../surface-parts';
import type { ElasticBackend } from '../elastic-backend';
import {
  createReference,
  endOf,
  IDLE,
  kindOf,
  type Reference,
  type ReferenceSolve,
  resizeReference,
  startOf,
  systemOf,
} from './reference';
import { solveReference } from './solve';

/** Share of a change of a body's velocity that the objects it carries are tried with [-]. */
const PROBE = 1e-3;

/**
 * Makes a backend with arrays of its own; one a world. With `residuals` worlds with surfaces are solved by
 * solve-residuals.ts.
 */
export function createReferenceBackend(residuals = false): ElasticBackend {
  const r = createReference();
  let byResiduals: ReferenceSolve | null = null;
  return {
    name: 'reference',
    gathersStrands: false,
    problem: r.problem,
    predict: (engine, atGuess) => predict(engine, r, atGuess),
    respond: (engine, carried, changes, out) => respond(engine, r, carried, changes, out),
    solve(engine, e, _free, findNew, report) {
      const surfaces = residuals ? surfacePartsOf(engine) : null;
      if (surfaces) byResiduals ??= surfaces.createResidualSolve();
      const solve = surfaces && byResiduals ? byResiduals : solveReference;
      solve(engine, r, e, findNew, report);
    },
    integrate: (engine) => integrate(engine),
  };
}

function predict(engine: Engine, r: Reference, atGuess: boolean): void {
  const { arena, tables } = engine;
  const { predicted } = tables.nodes;
  const { problem } = r;
  const nodes = arena.i32[L.NODE_COUNT >> 2];
  const objects = arena.i32[L.STRAND_COUNT >> 2];
  resizeAdmmProblem(problem, 4 * nodes, problem.bodyCount);
  resizeReference(r, tables, nodes, objects);
  const step = elasticStepOf(engine);
  for (let object = 0; object < objects; object++) {
    const start = startOf(tables, object);
    const size = endOf(tables, object) - start;
    if (tables.strands.flags[object] & IDLE) {
      predicted.fill(0, start, start + size);
      continue;
    }
    if (atGuess && r.guess.length < size) r.guess = new Float64Array(2 * size);
    if (atGuess) for (let i = 0; i < size; i++) r.guess[i] = predicted[start + i];

    const system = systemOf(r, tables, object);
    let isGood = system.assemble(tables, object, step, atGuess ? r.guess : null, problem.f);
    if (isGood && !atGuess) {
      for (let i = start; i < start + size; i++) predicted[i] = problem.f[i];
      system.solve(predicted, tables, object, false);
      isGood = isFinite4(predicted, start, size);
    }
    if (!isGood) quarantineStrand(engine, object);
  }
}

/** By difference: f once more with the bodies a little faster. A is the same, f linear but for the turn. */
function respond(engine: Engine, r: Reference, carried: Carried, changes: Float64Array, out: number): void {
  const { arena, tables } = engine;
  const { problem, trial } = r;
  const { predicted } = tables.nodes;
  const answer = arena.f64.subarray(out >> 3);
  // What the solve goes on from.
  const isFinal = out === arena.i32[L.NODE_PREDICTED >> 2];
  const step = { ...elasticStepOf(engine), motion: moveOn(engine, carried, changes) };
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (carried.of[object] < 0) continue;
    const start = startOf(tables, object);
    const end = endOf(tables, object);
    const system = systemOf(r, tables, object);
    system.rightHandSide(trial, tables, object, step);
    for (let i = start; i < end; i++) trial[i] = (trial[i] - problem.f[i]) / PROBE;
    if (isFinal) for (let i = start; i < end; i++) problem.f[i] += trial[i];
    system.solve(trial, tables, object, false);
    for (let i = start; i < end; i++) answer[i] = predicted[i] + trial[i];
  }
}

/** The bodies' velocities with a small part of `changes`. */
function moveOn({ tables }: Engine, carried: Carried, changes: Float64Array): ElasticStep['motion'] {
  const linearVelocity = tables.bodies.linearVelocity.slice();
  const angularVelocity = tables.bodies.angularVelocity.slice();
  carried.bodies.forEach((body, b) => {
    for (let k = 0; k < 4; k++) {
      linearVelocity[4 * body + k] += PROBE * changes[8 * b + k];
      angularVelocity[4 * body + k] += PROBE * changes[8 * b + ANGULAR + k];
    }
  });
  return { linearVelocity, angularVelocity };
}

function integrate(engine: Engine): void {
  const { arena, tables, settings } = engine;
  const { position, previous, velocity } = tables.nodes;
  const dt = settings.timeStep;
  const count = 4 * arena.i32[L.NODE_COUNT >> 2];
  for (let i = 0; i < count; i++) {
    previous[i] = position[i];
    position[i] += dt * velocity[i];
  }
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (tables.strands.flags[object] & IDLE) continue;
    const start = startOf(tables, object);
    if (isFinite4(position, start, endOf(tables, object) - start)) kindOf(tables, object).integrate(tables, object);
    else quarantineStrand(engine, object);
  }
}
