// Strands in double precision, in plain TypeScript: what the fast backend is measured against.
//
// Per strand A (banded, four unknowns a node) is factored once for the velocity without contacts, and A + W once for
// all ADMM iterations of the step. Strands without contacts are left out of the iterations.

import {
  CORRECTION_OF_EDGE,
  HARMLESS_OF_RADIUS,
  MOST_SHARE,
  OBJECT_ACTIVE,
  OBJECT_IDLE,
  OBJECT_RESTLESS,
  SHARE_PER_NODE,
  STRAND_RELAXATION,
  STRAND_SHARE,
} from '../../core/elastic-constants';
import { inverseDiagonal } from '../../math/banded-inverse';
import { factorBanded, solveBanded } from '../../math/banded-ldl';
import { assembleStrand, STRAND_HALF_BANDWIDTH, type StrandStep } from '../../mechanics/rod/assemble-strand';
import { updateFrames } from '../../mechanics/rod/update-frames';
import { applyJoints, createJointSystem, jointResidual, prepareJoints } from '../../solvers/admm/joints';
import { type AdmmProblem, createAdmmProblem, resizeAdmmProblem, unknownCount } from '../../solvers/admm/problem';
import { applyForces, prepareContacts } from '../../solvers/admm/project';
import { addContactImpulses, contactResidual } from '../../solvers/admm/residual';
import { contactWork, safeShare, scaleForces } from '../../solvers/admm/safe-start';
import {
  type AdmmOptions,
  createAdmmState,
  defaultAdmmOptions,
  resizeAdmmState,
  solveAdmm,
} from '../../solvers/admm/solve';
import { balance } from '../../solvers/admm/weights';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { collectStrandContacts, type ElasticContacts, isClampJoint } from './collect-contacts';
import type { ElasticBackend } from './elastic-backend';
import { holdJointTwist } from './hold-twist';
import { harmlessChange } from './near-contacts';
import { isFinite4, quarantineStrand, storeSolution } from './store-solution';

const WIDTH = STRAND_HALF_BANDWIDTH + 1;
/** Share of a change of a body's velocity that the strands it carries are tried with [-]. */
const PROBE = 1e-3;
/** Strands that take no part. */
const IDLE = L.STRAND_QUARANTINED | L.STRAND_ASLEEP;

/** Makes a backend with arrays of its own; one a world. */
export function createReferenceBackend(): ElasticBackend {
  const problem = createAdmmProblem();
  const state = createAdmmState();
  const options: AdmmOptions = { ...defaultAdmmOptions };
  const free = createJointSystem(false);
  const held = createJointSystem(true);
  let touched = new Uint8Array(0);
  let nextWeight = new Float64Array(0);
  let A = new Float64Array(0);
  let factor = new Float64Array(0);
  let weighted = new Float64Array(0);
  let guess = new Float64Array(0);
  let give = new Float64Array(0);
  let changed = new Float64Array(0);
  /** Strands of one solve. */
  let chosen = new Uint8Array(0);

  const solveStrands = (engine: Engine, chosen: Uint8Array, bands: Float64Array, x: Float64Array): void => {
    const { strands } = engine.tables;
    for (let strand = 0; strand < engine.arena.i32[L.STRAND_COUNT >> 2]; strand++) {
      if (chosen[strand] !== 1) continue;
      const first = strands.first[strand];
      solveBanded(bands, 4 * WIDTH * first, 4 * strands.nodes[strand], STRAND_HALF_BANDWIDTH, x, 4 * first);
    }
  };

  /** The strands as the problem's objects. */
  const listStrands = (engine: Engine, e: ElasticContacts): void => {
    const { arena, tables } = engine;
    const count = arena.i32[L.STRAND_COUNT >> 2];
    problem.objectCount = count;
    if (chosen.length < count) {
      chosen = new Uint8Array(2 * count);
      problem.objectKind = new Uint8Array(2 * count);
    }
    if (problem.objectOf.length < problem.elasticCount) problem.objectOf = new Int32Array(2 * problem.elasticCount);
    for (let i = 0; i < problem.elasticCount; i++) problem.objectOf[i] = tables.nodes.strand[i >> 2];
    problem.objectKind.set(e.active.subarray(0, count));
    // What a joint holds is moved by it after each solve, not only by contacts.
    for (let i = 0; i < e.joints.count; i++) problem.objectKind[problem.objectOf[e.joints.node[i]]] = OBJECT_RESTLESS;
  };

  /** Marks the nodes of contacts from row `first` on: only they get a weight, the others are solved exactly at once. */
  const touchNodes = (first: number): void => {
    const { contacts } = problem;
    for (let k = 4 * first; k < 4 * contacts.count; k++) {
      if (contacts.coefficient[k] !== 0) touched[contacts.node[k] >> 2] = 1;
    }
  };

  /** W and λ of a strand, and its A + W factored. */
  const weighStrand = (engine: Engine, strand: number): void => {
    const { strands } = engine.tables;
    const first = strands.first[strand];
    const n = strands.nodes[strand];
    const from = 4 * WIDTH * first;
    for (let k = from; k < from + 4 * WIDTH * n; k++) weighted[k] = A[k];
    if (give.length < 4 * n) give = new Float64Array(8 * n);
    inverseDiagonal(give, factor, from, 4 * n, STRAND_HALF_BANDWIDTH);
    const share = shareOf(engine.tables.nodes.dual, first, n);
    for (let i = 0; i < n; i++) {
      const a = from + 4 * WIDTH * i;
      const at = 4 * (first + i);
      const w =
        touched[first + i] === 0 || isHeld(engine, strand, i)
          ? 0
          : (3 * share) / (give[4 * i] + give[4 * i + 1] + give[4 * i + 2]);
      for (let k = 0; k < 3; k++) {
        problem.weight[at + k] = w;
        problem.inverseWeight[at + k] = w > 0 ? 1 / w : 0;
        weighted[a + WIDTH * k] += w;
      }
      problem.weight[at + 3] = problem.inverseWeight[at + 3] = 0;
    }
    // A is positive definite (predict has seen to that), so A + W is.
    factorBanded(weighted, from, 4 * n, STRAND_HALF_BANDWIDTH);
  };

  /** Share of a strand's resistance: as its last step left it, in the weights that `storeSolution` keeps. */
  const shareOf = (dual: Float64Array, first: number, n: number): number => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < n; i++) {
      const w = dual[4 * (first + i) + 3];
      if (!(w > 0)) continue;
      sum += (w * (give[4 * i] + give[4 * i + 1] + give[4 * i + 2])) / 3;
      count++;
    }
    if (count === 0) return STRAND_SHARE;
    return Math.max(STRAND_SHARE, Math.min(MOST_SHARE, SHARE_PER_NODE * count, sum / count));
  };

  /** Weights for the next step, once the last velocities are known: `state.last` are those that were projected. */
  const balanceWeights = (engine: Engine, e: ElasticContacts): void => {
    const { strands } = engine.tables;
    const { v, p, last } = state;
    const { weight, timeStep } = problem;
    for (let strand = 0; strand < engine.arena.i32[L.STRAND_COUNT >> 2]; strand++) {
      if (e.active[strand] !== 1) continue;
      const start = 4 * strands.first[strand];
      const end = start + 4 * strands.nodes[strand];
      let gap = 0;
      let move = 0;
      for (let i = start; i < end; i++) {
        if (weight[i] === 0) continue;
        gap = Math.max(gap, Math.abs(p[i] - last[i]));
        move = Math.max(move, Math.abs(v[i] - last[i]));
      }
      const by = balance(gap, move, options.tolerance / timeStep);
      for (let i = start; i < end; i += 4) nextWeight[i >> 2] = by * weight[i];
    }
  };

  /** v of A v = f + α Bᵀ r that obeys the joints; returns the largest α <= 1 that takes energy away. */
  const solveForces = (engine: Engine, e: ElasticContacts, v: Float64Array): number => {
    const count = unknownCount(problem);
    const elastic = problem.elasticCount;
    const { last } = state;
    for (let i = 0; i < count; i++) v[i] = last[i] = problem.f[i];
    addContactImpulses(v, problem, options.cohesion);
    // What is prescribed feels no force.
    for (let i = 0; i < elastic; i++) if (problem.weight[i] === 0) v[i] = last[i];
    for (const x of [last, v]) {
      solveStrands(engine, e.active, factor, x);
      copyIdle(engine, e, x);
      applyJoints(free, problem, e.joints, x);
    }
    const without = contactWork(problem, last, 0, options.cohesion);
    const share = safeShare(without, contactWork(problem, v, 1, options.cohesion));
    for (let i = 0; i < count; i++) v[i] = last[i] + share * (v[i] - last[i]);
    return share;
  };

  /** v of strands without contacts: what was predicted. */
  const copyIdle = (engine: Engine, e: ElasticContacts, v: Float64Array): void => {
    const { strands, nodes } = engine.tables;
    for (let strand = 0; strand < engine.arena.i32[L.STRAND_COUNT >> 2]; strand++) {
      if (e.active[strand] === 1) continue;
      const start = 4 * strands.first[strand];
      for (let i = start; i < start + 4 * strands.nodes[strand]; i++) v[i] = nodes.predicted[i];
    }
  };

  return {
    name: 'reference',
    gathersStrands: false,
    problem,

    predict(engine, atGuess, _carried) {
      const { arena, tables } = engine;
      const { strands, nodes } = tables;
      const nodeCount = arena.i32[L.NODE_COUNT >> 2];
      resizeAdmmProblem(problem, 4 * nodeCount, problem.bodyCount);
      if (A.length < 4 * WIDTH * nodeCount) {
        A = new Float64Array(6 * WIDTH * nodeCount);
        factor = new Float64Array(6 * WIDTH * nodeCount);
        weighted = new Float64Array(6 * WIDTH * nodeCount);
      }
      const step = stepOf(engine);
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        const first = strands.first[strand];
        const n = strands.nodes[strand];
        if (strands.flags[strand] & IDLE) {
          nodes.predicted.fill(0, 4 * first, 4 * (first + n));
          continue;
        }
        if (atGuess && guess.length < 4 * n) guess = new Float64Array(8 * n);
        if (atGuess) for (let i = 0; i < 4 * n; i++) guess[i] = nodes.predicted[4 * first + i];
        assembleWithJoints(engine, strand, step, atGuess ? guess : null, A, problem.f);
        const from = 4 * WIDTH * first;
        for (let k = from; k < from + 4 * WIDTH * n; k++) factor[k] = A[k];
        let isGood = factorBanded(factor, from, 4 * n, STRAND_HALF_BANDWIDTH) < 0;
        if (isGood && !atGuess) {
          for (let i = 4 * first; i < 4 * (first + n); i++) nodes.predicted[i] = problem.f[i];
          solveBanded(factor, from, 4 * n, STRAND_HALF_BANDWIDTH, nodes.predicted, 4 * first);
          isGood = isFinite4(nodes.predicted, 4 * first, 4 * n);
        }
        if (!isGood) quarantineStrand(engine, strand);
      }
    },

    // By difference: assembled once more with the bodies a little faster. A is the same, f linear but for the turn.
    respond(engine, carried, changes, out) {
      const { arena, tables } = engine;
      const { strands, nodes, bodies } = tables;
      const step = stepOf(engine);
      const answer = arena.f64.subarray(out >> 3);
      // What the solve goes on from.
      const isFinal = out === arena.i32[L.NODE_PREDICTED >> 2];
      const accelerate = (by: number): void => {
        carried.bodies.forEach((body, b) => {
          for (let k = 0; k < 4; k++) {
            bodies.linearVelocity[4 * body + k] += by * changes[8 * b + k];
            bodies.angularVelocity[4 * body + k] += by * changes[8 * b + 4 + k];
          }
        });
      };
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        if (carried.of[strand] < 0) continue;
        const start = 4 * strands.first[strand];
        const size = 4 * strands.nodes[strand];
        if (changed.length < size) changed = new Float64Array(2 * size);
        accelerate(PROBE);
        assembleStrand(tables, strand, step, null, weighted, WIDTH * start, changed, 0);
        accelerate(-PROBE);
        for (let i = 0; i < size; i++) changed[i] = (changed[i] - problem.f[start + i]) / PROBE;
        if (isFinal) for (let i = 0; i < size; i++) problem.f[start + i] += changed[i];
        solveBanded(factor, WIDTH * start, size, STRAND_HALF_BANDWIDTH, changed, 0);
        for (let i = 0; i < size; i++) answer[start + i] = nodes.predicted[start + i] + changed[i];
      }
    },

    solve(engine, e, _free, findNew, report) {
      const { arena, tables, settings } = engine;
      const { strands, nodes } = tables;
      const count = unknownCount(problem);
      const elastic = problem.elasticCount;
      listStrands(engine, e);
      resizeAdmmState(state, count, problem.objectCount);
      if (touched.length < elastic >> 2) {
        touched = new Uint8Array(elastic >> 1);
        nextWeight = new Float64Array(elastic >> 1);
      }
      nextWeight.fill(0, 0, elastic >> 2);
      touched.fill(0, 0, elastic >> 2);
      touchNodes(0);
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        if (e.active[strand] === 1) {
          weighStrand(engine, strand);
          continue;
        }
        const start = 4 * strands.first[strand];
        const end = start + 4 * strands.nodes[strand];
        problem.weight.fill(0, start, end);
        problem.inverseWeight.fill(0, start, end);
        if (strands.flags[strand] & IDLE) continue;
        // Without contacts a further linearisation is solved at once.
        for (let i = start; i < end; i++) nodes.predicted[i] = problem.f[i];
        solveBanded(factor, WIDTH * start, end - start, STRAND_HALF_BANDWIDTH, nodes.predicted, start);
      }
      Object.assign(options, settings.elastic, {
        iterations: e.iterationLimit,
        newCollisionsEvery: settings.elastic.newContactsEvery,
        // Momentum goes ahead by itself.
        relaxation: settings.elastic.acceleration ? 1 : STRAND_RELAXATION,
      });
      const operator = {
        solve(v: Float64Array, right: Float64Array, moving: Uint8Array): void {
          for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
            chosen[strand] = e.active[strand] & moving[strand];
            if (chosen[strand] !== 1) continue;
            const start = 4 * strands.first[strand];
            const end = start + 4 * strands.nodes[strand];
            for (let i = start; i < end; i++) v[i] = right[i];
          }
          solveStrands(engine, chosen, weighted, v);
        },
        solveOne(x: Float64Array, unknown: number, isWeighted: boolean): void {
          const strand = nodes.strand[unknown >> 2];
          const first = strands.first[strand];
          const bands = isWeighted ? weighted : factor;
          solveBanded(bands, 4 * WIDTH * first, 4 * strands.nodes[strand], STRAND_HALF_BANDWIDTH, x, 4 * first);
        },
        rangeOf(out: Int32Array, unknown: number): void {
          const strand = nodes.strand[unknown >> 2];
          out[0] = 4 * strands.first[strand];
          out[1] = out[0] + 4 * strands.nodes[strand];
        },
      };
      // Start: the velocities that the forces of the last step would give, as far as they do no harm. At rest this is the
      // answer. λ = W⁻¹ Bᵀ r goes with them.
      prepareContacts(problem, 0);
      prepareJoints(free, problem, e.joints, operator);
      const share = solveForces(engine, e, state.v);
      scaleForces(problem, share);
      state.lambda.fill(0, 0, count);
      applyForces(problem, state.lambda, 0, options.cohesion);
      prepareJoints(held, problem, e.joints, operator);
      const lookAgain =
        findNew === null || options.newCollisionsEvery === 0
          ? null
          : (velocities: Float64Array) => {
              const { predicted } = engine.tables.nodes;
              let change = 0;
              for (let i = 0; i < elastic; i++) {
                if ((i & 3) < 3) change = Math.max(change, Math.abs(velocities[i] - predicted[i]));
              }
              if (change <= harmlessChange(engine)) return;
              for (let i = 0; i < elastic; i++) predicted[i] = velocities[i];
              const before = problem.contacts.count;
              const row = arena.i32[L.STRAND_CONTACT_COUNT >> 2];
              findNew(arena.i32[L.NODE_PREDICTED >> 2]);
              collectStrandContacts(engine, e, problem.contacts, row, false);
              if (problem.contacts.count === before) return;
              touchNodes(before);
              for (let c = 4 * before; c < 4 * problem.contacts.count; c++) {
                if (problem.contacts.coefficient[c] === 0) continue;
                const strand = nodes.strand[problem.contacts.node[c] >> 2];
                if (strands.flags[strand] & IDLE) continue;
                if (problem.weight[problem.contacts.node[c]] === 0) weighStrand(engine, strand);
                e.active[strand] = 1;
                if (problem.objectKind[strand] === OBJECT_IDLE) problem.objectKind[strand] = OBJECT_ACTIVE;
              }
              prepareJoints(held, problem, e.joints, operator);
            };
      const joints =
        e.joints.count > 0 ? (velocities: Float64Array) => applyJoints(held, problem, e.joints, velocities) : null;
      options.geometricCorrection = false;
      solveAdmm(problem, operator, state, options, report, lookAgain, joints);
      balanceWeights(engine, e);
      // Afresh from the forces alone: A v = f + Bᵀ r.
      const { right } = state;
      solveForces(engine, e, right);
      engine.report.strands.residual = Math.max(
        contactResidual(problem, right),
        jointResidual(problem, e.joints, right),
      );
      if (settings.elastic.geometricCorrection) correctVelocities(engine, problem, state.v, state.p);
      storeSolution(engine, e, problem, state, nextWeight);
    },

    integrate(engine) {
      const { arena, tables, settings } = engine;
      const { position, previous, velocity } = tables.nodes;
      const dt = settings.timeStep;
      const count = 4 * arena.i32[L.NODE_COUNT >> 2];
      for (let i = 0; i < count; i++) {
        previous[i] = position[i];
        position[i] += dt * velocity[i];
      }
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        if (tables.strands.flags[strand] & IDLE) continue;
        const start = 4 * tables.strands.first[strand];
        if (isFinite4(position, start, 4 * tables.strands.nodes[strand])) updateFrames(tables, strand);
        else quarantineStrand(engine, strand);
      }
    },
  };
}

const wind = new Float64Array(3);

function stepOf({ arena, settings }: Engine): StrandStep {
  for (let k = 0; k < 3; k++) wind[k] = arena.f64[(L.WIND >> 3) + k];
  return { timeStep: settings.timeStep, gravity: settings.gravity, wind };
}

/**
 * v := p where contacts act, the velocities that obey them (Daviet 2020, 6.2.7), but only across the strand: p knows no
 * elasticity, and what it stretched, where the solve was cut short, would come back as speed. For the same reason no
 * node goes farther towards p than a share of its edge.
 */
function correctVelocities(engine: Engine, problem: AdmmProblem, v: Float64Array, p: Float64Array): void {
  const { nodes, rods, strands } = engine.tables;
  const { elasticCount, weight } = problem;
  const x = nodes.position;
  const rate = CORRECTION_OF_EDGE / engine.settings.timeStep;
  for (let i = 0; i < elasticCount; i += 4) {
    if (!(weight[i] > 0)) continue;
    const strand = nodes.strand[i >> 2];
    const first = 4 * strands.first[strand];
    const last = first + 4 * strands.nodes[strand] - 4;
    const before = Math.max(first, i - 4);
    const after = Math.min(last, i + 4);
    let along = 0;
    let length = 0;
    for (let k = 0; k < 3; k++) {
      const t = x[after + k] - x[before + k];
      along += t * (p[i + k] - v[i + k]);
      length += t * t;
    }
    along = length > 0 ? along / length : 0;
    let far = 0;
    for (let k = 0; k < 3; k++) {
      across[k] = p[i + k] - v[i + k] - along * (x[after + k] - x[before + k]);
      far += across[k] * across[k];
    }
    far = Math.sqrt(far);
    const most = rate * nodes.rest[2 * Math.min(i, last - 4)];
    const radius = rods.parameter[8 * strands.rod[strand]];
    const over = far - (HARMLESS_OF_RADIUS * radius) / engine.settings.timeStep;
    const share = over > 0 ? Math.min(over, most) / far : 0;
    for (let k = 0; k < 3; k++) v[i + k] += share * across[k];
  }
  for (let i = elasticCount; i < unknownCount(problem); i++) v[i] = p[i];
}

const across = new Float64Array(3);

/** Is node i of the strand held by a clamp whose motion is prescribed? */
function isHeld(engine: Engine, strand: number, i: number): boolean {
  const { flags, nodes } = engine.tables.strands;
  const n = nodes[strand];
  if (i < 2 && flags[strand] & L.STRAND_CLAMP_START && !isClampJoint(engine, strand, 0)) return true;
  return i >= n - 2 && (flags[strand] & L.STRAND_CLAMP_END) !== 0 && !isClampJoint(engine, strand, 1);
}

/** assembleStrand, but ends that hang on dynamic bodies are free (joints hold them); only their twist follows the body. */
function assembleWithJoints(
  engine: Engine,
  strand: number,
  step: StrandStep,
  guess: Float64Array | null,
  A: Float64Array,
  f: Float64Array,
): void {
  const { strands } = engine.tables;
  const flags = strands.flags[strand];
  const start = isClampJoint(engine, strand, 0);
  const end = isClampJoint(engine, strand, 1);
  if (start) strands.flags[strand] &= ~L.STRAND_CLAMP_START;
  if (end) strands.flags[strand] &= ~L.STRAND_CLAMP_END;
  const first = strands.first[strand];
  assembleStrand(engine.tables, strand, step, guess, A, 4 * WIDTH * first, f, 4 * first);
  strands.flags[strand] = flags;
  if (start) holdJointTwist(engine, strand, 0, A, f);
  if (end) holdJointTwist(engine, strand, 1, A, f);
}
