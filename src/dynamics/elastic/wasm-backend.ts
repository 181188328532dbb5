// Strands on the kernels: matrices and factors four strands at a time (kernels/assembly/rod/rods.ts), contacts and the
// vectors of ADMM in f32 SIMD (kernels/assembly/elastic/admm.ts).
//
// Conditioning sets the division of labour: matrices and the velocity without contacts are formed in f64, what contacts
// change is an increment that f32 holds. The start is v = v₀ + A⁻¹ Bᵀ r with the forces of the last step and λ = W⁻¹ Bᵀ r:
// it obeys the elastic equations with those forces, so every later solve has only changes on its right-hand side.

import { OBJECT_RESTLESS, STRAND_RELAXATION, STRAND_SHARE } from '../../core/elastic-constants';
import { createKernelScratch } from '../../core/scratch';
import { clampTarget } from '../../mechanics/rod/clamps';
import {
  applyJoints,
  createJointSystem,
  type JointRows,
  type JointSystem,
  jointResidual,
  prepareJoints,
} from '../../solvers/admm/joints';
import { type AdmmProblem, createAdmmProblem, resizeAdmmProblem, unknownCount } from '../../solvers/admm/problem';
import { prepareContacts } from '../../solvers/admm/project';
import { contactResidual } from '../../solvers/admm/residual';
import { beginRounds, mayRest, nextRound } from '../../solvers/admm/resting';
import { type AdmmOptions, type AdmmReport, defaultAdmmOptions, markContactBodies } from '../../solvers/admm/solve';
import * as L from '../../state/layout';
import * as R from '../../state/rod-layout';
import type { Engine } from '../engine';
import {
  createAdmmWork,
  growAdmmWork,
  movingCount,
  openAdmmWork,
  packBodyWeights,
  packContacts,
  refreshViews,
  restingCount,
  unpackForces,
} from './admm-work';
import type { Carried } from './carried';
import { type ElasticContacts, isClampJoint } from './collect-contacts';
import type { ElasticBackend, FindNew } from './elastic-backend';
import { jointSpin } from './hold-twist';
import { harmlessChange } from './near-contacts';
import { forgetDuals, giveUpContacts, isFinite4, quarantineStrand } from './store-solution';
import { strandKernelsOf } from './strand-kernels';

/** Bits of the holds of the start and of the end, and where their numbers begin. */
const HOLD_NODES = [R.HOLD_START, R.HOLD_END] as const;
const HOLD_TWIST = [R.HOLD_START_TWIST, R.HOLD_END_TWIST] as const;
const HOLD_OF = [R.HOLD_OF_START, R.HOLD_OF_END] as const;

const target = new Float64Array(8);

/** Searches along the velocities of a solve that was cut off, and how many times the usual sweeps follow each. */
const LAST_LOOKS = 3;
const LAST_SWEEPS = 4;

/** Makes the backend of one world. */
export function createWasmBackend(engine: Engine): ElasticBackend {
  const { arena } = engine;
  const kernels = strandKernelsOf(engine);
  const rodScratch = createKernelScratch(arena, { address: L.ROD_WORK_ADDRESS, size: L.ROD_WORK_SIZE });
  const weightedScratch = createKernelScratch(arena, {
    address: L.WEIGHTED_WORK_ADDRESS,
    size: L.WEIGHTED_WORK_SIZE,
  });
  const admmScratch = createKernelScratch(arena, { address: L.ADMM_WORK_ADDRESS, size: L.ADMM_WORK_SIZE });
  const problem = createAdmmProblem();
  const work = createAdmmWork();
  const options: AdmmOptions = { ...defaultAdmmOptions };
  let v = new Float64Array(0);
  let base = new Float64Array(0);
  let heldImpulse = new Float64Array(0);
  const freeJoints = createJointSystem(false);
  const heldJoints = createJointSystem(true);
  // Places in the rods' block: holds, active strands, one f32 a node of weights and so on, then the kernel's own.
  const at = {
    holds: 0,
    active: 0,
    weights: 0,
    bodies: 0,
    holders: 0,
    lastLook: 0,
    touched: 0,
    guess: 0,
    work: 0,
    /** Velocities without contacts, f64×4 a node. */
    free: 0,
    carried: 0,
    probes: 0,
    changes: 0,
  };
  const none = new Uint8Array(0);
  const view = { f32: new Float32Array(0), f64: new Float64Array(0), i32: new Int32Array(0), u8: none };

  const refresh = (): void => {
    const { buffer } = arena.memory;
    if (view.u8.buffer === buffer) return;
    view.f32 = new Float32Array(buffer);
    view.f64 = new Float64Array(buffer);
    view.i32 = new Int32Array(buffer);
    view.u8 = new Uint8Array(buffer);
  };

  const openWork = (carried: Carried): void => {
    const strands = arena.i32[L.STRAND_COUNT >> 2];
    const nodes = arena.i32[L.NODE_COUNT >> 2];
    const round = (bytes: number) => Math.ceil(bytes / 64) * 64;
    const bodies = engine.tables.bodies.capacity;
    const sizes = [R.HOLD_BYTES * strands, strands, 4 * nodes, 4 * bodies, 4 * nodes, 16 * nodes, strands];
    // Matrices are made once more for A + W, at the same guess.
    sizes.push(engine.settings.elastic.newtonIterations > 1 ? 32 * nodes : 0);
    const isCarrying = carried.bodies.length > 0;
    sizes.push(4 * strands, isCarrying ? R.STRAND_PROBE_BYTES * strands : 0, R.CHANGE_BYTES * carried.bodies.length);
    for (let k = 0; k < sizes.length; k++) sizes[k] = round(sizes[k]);
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    let address = rodScratch.address(total + kernels.rodWorkSize());
    at.holds = address;
    at.active = address += sizes[0];
    at.weights = address += sizes[1];
    at.bodies = address += sizes[2];
    at.holders = address += sizes[3];
    at.lastLook = address += sizes[4];
    at.touched = address += sizes[5];
    at.guess = address += sizes[6];
    at.carried = address += sizes[7];
    at.probes = address += sizes[8];
    at.changes = address += sizes[9];
    at.work = address + sizes[10];
    refresh();
  };

  /** Prescribed velocities of clamped ends; ends that hang on dynamic bodies are held by joints, but for their twist. */
  const writeHolds = (): void => {
    const { strands, nodes } = engine.tables;
    const dt = engine.settings.timeStep;
    const { f64 } = view;
    for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
      if (strands.flags[strand] & L.STRAND_ASLEEP) continue;
      const base = (at.holds >> 3) + R.HOLD_NUMBERS * strand;
      let bits = 0;
      for (let end = 0; end < 2; end++) {
        if (!(strands.flags[strand] & (end === 0 ? L.STRAND_CLAMP_START : L.STRAND_CLAMP_END))) continue;
        const to = base + HOLD_OF[end];
        bits |= HOLD_TWIST[end];
        if (isClampJoint(engine, strand, end)) {
          f64[to + 6] = jointSpin(engine, strand, end as 0 | 1);
          continue;
        }
        bits |= HOLD_NODES[end];
        clampTarget(target, engine.tables, strand, end as 0 | 1, dt);
        const n = strands.nodes[strand];
        const first = strands.first[strand];
        const outer = 4 * (end === 0 ? first : first + n - 1);
        const inner = 4 * (end === 0 ? first + 1 : first + n - 2);
        const edge = 4 * (end === 0 ? first : first + n - 2);
        for (let k = 0; k < 3; k++) {
          f64[to + k] = (target[k] - nodes.position[outer + k]) / dt;
          f64[to + 3 + k] = (target[4 + k] - nodes.position[inner + k]) / dt;
        }
        f64[to + 6] = (target[3] - nodes.position[edge + 3]) / dt;
      }
      f64[base] = bits;
    }
  };

  /** W of the nodes with contacts in the table's rows from `first` on, and A + W factored: bare nodes are solved exactly at once. */
  const weigh = (first: number): void => {
    if (kernels.admmMark(at.weights, first, at.touched) === 0 && first > 0) return;
    const strands = first === 0 ? at.active : at.touched;
    const weighted = weightedScratch.address(kernels.rodWeightedSize(at.work));
    kernels.rodWeigh(at.work, weighted, at.weights, at.holds, strands, STRAND_SHARE);
    refresh();
  };

  /** W for the contacts that TypeScript prepares. */
  const widenWeights = (): void => {
    const from = at.weights >> 2;
    const { f32 } = view;
    for (let node = 0; node < problem.elasticCount >> 2; node++) {
      const w = Math.max(f32[from + node], 0);
      const inverse = w > 0 ? 1 / w : 0;
      for (let k = 4 * node; k < 4 * node + 3; k++) {
        problem.weight[k] = w;
        problem.inverseWeight[k] = inverse;
      }
      problem.weight[4 * node + 3] = problem.inverseWeight[4 * node + 3] = 0;
    }
  };

  /** rows := A⁻¹ right; a body's row is already divided by its mass. */
  const solveFree = (rows: number): void => {
    const { f32 } = work;
    f32.fill(0, rows >> 2, (rows >> 2) + problem.elasticCount);
    kernels.rodSolve(at.work, 0, work.right, rows, at.active);
    for (let i = problem.elasticCount; i < unknownCount(problem); i++)
      f32[(rows >> 2) + i] = f32[(work.right >> 2) + i];
  };

  /** Makes v₀ + δ₀ + rows (δ₀ itself, or all that came after v₀, if `rows` is not δ) obey the joints. */
  const addJoints = (system: JointSystem, joints: JointRows, rows: number): void => {
    const { f32 } = work;
    const { f64 } = view;
    const count = unknownCount(problem);
    const start = work.start >> 2;
    const isDelta = rows === work.delta;
    for (let i = 0; i < count; i++) {
      v[i] =
        (i < problem.elasticCount ? f64[(at.free >> 3) + i] : problem.f[i]) +
        f32[(rows >> 2) + i] +
        (isDelta ? f32[start + i] : 0);
      base[i] = v[i];
    }
    applyJoints(system, problem, joints, v);
    for (let i = 0; i < count; i++) f32[(rows >> 2) + i] += v[i] - base[i];
  };

  /** Contacts that the latest velocities would bring, or the projected ones at the end; returns how many were added. */
  const lookAgain = (e: ElasticContacts, findNew: FindNew, free: number, projected: 0 | 1): number => {
    const row = arena.i32[L.STRAND_CONTACT_COUNT >> 2];
    if (projected === 0 && kernels.admmMoved(work.address, at.lastLook) <= harmlessChange(engine)) return 0;
    if (projected === 0) kernels.admmLook(work.address, at.lastLook);
    const latest = arena.i32[L.NODE_PREDICTED >> 2];
    kernels.admmVelocities(work.address, free, latest, projected);
    findNew(latest);
    refresh();
    refreshViews(work, arena.memory.buffer);
    const count = arena.i32[L.STRAND_CONTACT_COUNT >> 2];
    if (count === row) return 0;
    activateStrands(engine, e.active, view.u8, at.active, row);
    kernels.admmRouseTouched(work.address, row);
    weigh(row);
    kernels.admmWeights(work.address, at.weights);
    if (e.joints.count > 0) prepareJoints(heldJoints, problem, e.joints, jointOperator);
    let taken = kernels.admmGather(work.address, row, at.bodies, at.holders, free);
    while (taken < count) {
      growAdmmWork(engine, admmScratch, work, count - taken);
      refresh();
      taken = kernels.admmGather(work.address, taken, at.bodies, at.holders, free);
    }
    kernels.admmOffset(work.address, row);
    return count - row;
  };

  const jointOperator = {
    solve: (): void => {},
    solveOne(x: Float64Array, unknown: number, weighted: boolean): void {
      refresh();
      const { f32, u8 } = view;
      const { strands, nodes } = engine.tables;
      const strand = nodes.strand[unknown >> 2];
      const count = arena.i32[L.STRAND_COUNT >> 2];
      const active = u8.slice(at.active, at.active + count);
      u8.fill(0, at.active, at.active + count);
      u8[at.active + strand] = 1;
      // Between solves the rows of the right-hand side are free.
      const right = work.right >> 2;
      const start = 4 * strands.first[strand];
      f32.fill(0, right, right + problem.elasticCount);
      for (let i = start; i < start + 4 * strands.nodes[strand]; i++) f32[right + i] = x[i];
      kernels.rodSolve(at.work, weighted ? 1 : 0, work.right, work.right, at.active);
      for (let i = start; i < start + 4 * strands.nodes[strand]; i++) x[i] = f32[right + i];
      u8.set(active, at.active);
    },
    rangeOf(out: Int32Array, unknown: number): void {
      const { strands, nodes } = engine.tables;
      const strand = nodes.strand[unknown >> 2];
      out[0] = 4 * strands.first[strand];
      out[1] = out[0] + 4 * strands.nodes[strand];
    },
  };

  return {
    name: 'wasm',
    gathersStrands: true,
    problem,

    predict(_engine, atGuess, carried) {
      const { strands, nodes } = engine.tables;
      resizeAdmmProblem(problem, 4 * arena.i32[L.NODE_COUNT >> 2], problem.bodyCount);
      openWork(carried);
      view.i32.set(carried.of.subarray(0, arena.i32[L.STRAND_COUNT >> 2]), at.carried >> 2);
      const isCarrying = carried.bodies.length > 0;
      const [of, probes] = isCarrying ? [at.carried, at.probes] : [0, 0];
      writeHolds();
      const out = arena.i32[L.NODE_PREDICTED >> 2];
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        if (!(strands.flags[strand] & L.STRAND_QUARANTINED)) continue;
        nodes.predicted.fill(0, 4 * strands.first[strand], 4 * (strands.first[strand] + strands.nodes[strand]));
      }
      if (atGuess) view.u8.copyWithin(at.guess, out, out + 32 * arena.i32[L.NODE_COUNT >> 2]);
      const guess = atGuess ? at.guess : 0;
      if (kernels.rodPredict(at.work, guess, out, at.holds, of, probes) === 0) return;
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        const start = 4 * strands.first[strand];
        if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
        if (!isFinite4(nodes.predicted, start, 4 * strands.nodes[strand])) quarantineStrand(engine, strand);
      }
      // The groups have changed.
      kernels.rodPredict(at.work, guess, out, at.holds, of, probes);
    },

    respond(_engine, carried, changes, out) {
      const strands = arena.i32[L.STRAND_COUNT >> 2];
      refresh();
      for (let s = 0; s < strands; s++) view.u8[at.active + s] = carried.of[s] >= 0 ? 1 : 0;
      view.f64.set(changes.subarray(0, 8 * carried.bodies.length), at.changes >> 3);
      // Rows that the solve uses only later.
      kernels.rodDrive(at.lastLook, at.carried, at.probes, at.changes);
      kernels.rodSolve(at.work, 0, at.lastLook, at.lastLook, at.active);
      kernels.rodAnswer(at.lastLook, at.carried, out);
    },

    solve(_engine, e, free, findNew, report) {
      const { settings, tables } = engine;
      const elastic = problem.elasticCount;
      const count = unknownCount(problem);
      const strandCount = arena.i32[L.STRAND_COUNT >> 2];
      Object.assign(options, settings.elastic, {
        iterations: e.iterationLimit,
        newCollisionsEvery: settings.elastic.newContactsEvery,
      });
      report.status = 'iteration-limit';
      report.iterations = report.sweeps = report.contactSolves = report.added = report.delta = 0;
      refresh();
      at.free = free;
      const awakeRows = arena.i32[L.STRAND_CONTACT_COUNT >> 2] - arena.i32[L.STRAND_CONTACT_ASLEEP >> 2];
      if (e.isFree || awakeRows + problem.contacts.count + e.joints.count === 0) {
        leaveFree(engine, e, problem, report);
        return;
      }
      view.u8.set(e.active.subarray(0, strandCount), at.active);
      // What a joint holds is moved by it after each solve, not only by contacts.
      for (let i = 0; i < e.joints.count; i++)
        view.u8[at.active + tables.nodes.strand[e.joints.node[i] >> 2]] = OBJECT_RESTLESS;
      view.i32.set(e.bodyIndex.subarray(0, tables.bodies.capacity), at.bodies >> 2);
      view.i32.set(e.holder.subarray(0, elastic >> 2), at.holders >> 2);
      weigh(0);
      const hasJoints = e.joints.count > 0;
      const isWide = hasJoints || problem.contacts.count > 0;
      if (v.length < count) {
        v = new Float64Array(2 * count);
        base = new Float64Array(2 * count);
      }
      if (heldImpulse.length < e.joints.count) heldImpulse = new Float64Array(2 * e.joints.count);
      if (problem.contacts.count > 0) widenWeights();
      if (isWide) for (let i = 0; i < elastic; i++) v[i] = tables.nodes.predicted[i];
      for (let i = elastic; i < count; i++) v[i] = problem.f[i];
      prepareContacts(problem, 0);
      markContactBodies(problem);
      const tableRows = arena.i32[L.STRAND_CONTACT_COUNT >> 2];
      for (let filled = 1; ; filled /= 2) {
        openAdmmWork(engine, admmScratch, problem, work, tableRows, filled);
        refresh();
        kernels.admmWeights(work.address, at.weights);
        if (kernels.admmGather(work.address, 0, at.bodies, at.holders, free) === tableRows) break;
      }
      packBodyWeights(work, problem);
      packContacts(work, problem, v, options.cohesion);

      // Start: λ₀ = W⁻¹ Bᵀ r and the velocities that these forces give, as far as they do no harm.
      if (hasJoints) {
        prepareJoints(freeJoints, problem, e.joints, jointOperator);
        addJoints(freeJoints, e.joints, work.last);
        heldImpulse.set(e.joints.impulse.subarray(0, e.joints.count));
      }
      kernels.admmStart(work.address);
      solveFree(work.start);
      if (hasJoints) addJoints(freeJoints, e.joints, work.start);
      const without = hasJoints ? work.last : 0;
      const share = kernels.admmShare(work.address, without);
      if (share < 1) kernels.admmScale(work.address, without, share);
      if (hasJoints) {
        const { impulse, base: started } = e.joints;
        for (let i = 0; i < e.joints.count; i++) started[i] = heldImpulse[i] + share * (impulse[i] - heldImpulse[i]);
        impulse.set(started);
        work.f32.fill(0, work.last >> 2, (work.last >> 2) + 4 * work.rows);
        prepareJoints(heldJoints, problem, e.joints, jointOperator);
      }
      kernels.admmOffset(work.address, 0);

      view.u8.fill(0, at.lastLook, at.lastLook + 4 * elastic);
      // A solve that reaches the tolerance stops: no δ∞ to come is smaller.
      const leastSleep = options.sleeping ? (options.sleepShare * options.tolerance) / settings.timeStep : 0;
      let sleepBelow = leastSleep;
      // δ of (A + W) v = f + W (p + λ), of the strands named. Every projection that moved λ is followed by one before the next.
      const solveWeighted = (which: number): void => {
        kernels.admmRight(work.address);
        kernels.rodSolve(at.work, 1, work.right, work.delta, which);
        kernels.admmBodies(work.address);
        if (hasJoints) addJoints(heldJoints, e.joints, work.delta);
      };
      const project = (sweeps: number, below: number): number =>
        kernels.admmProject(work.address, sweeps, below, options.sleepSweeps, STRAND_RELAXATION);
      const looks = findNew !== null && options.newCollisionsEvery > 0;
      let isSeen = false;
      const tolerance = options.tolerance / settings.timeStep;
      const rounds = beginRounds(options.iterations, tolerance, options.resting);
      kernels.admmRouse(work.address, at.active);
      for (let resting = 0; nextRound(rounds, movingCount(work), resting); resting = restingCount(work)) {
        // Nothing moves before the first projection.
        if (rounds.done > 1) solveWeighted(work.moving);
        if (looks && rounds.done % options.newCollisionsEvery === 0) {
          report.added += lookAgain(e, findNew, free, 0);
        }
        report.contactSolves += project(options.sweeps, sleepBelow);
        report.iterations = Math.ceil(rounds.spent);
        report.sweeps += options.sweeps;
        const reached = kernels.admmUpdate(work.address, at.active, mayRest(rounds) ? rounds.rest : 0);
        report.delta = settings.timeStep * reached;
        if (options.sleeping) sleepBelow = Math.max(leastSleep, options.sleepShare * reached);
        // Also where a number went bad.
        if (!(reached < tolerance)) continue;
        // The last word is with a round that all take part in.
        kernels.admmRouse(work.address, at.active);
        if (resting > 0) continue;
        // What no search has seen yet may be in its way.
        const added = looks ? lookAgain(e, findNew, free, 0) : 0;
        report.added += added;
        isSeen = added === 0;
        if (isSeen) {
          report.status = 'converged';
          break;
        }
      }

      // Cut off before it converged, the answer is the projection, which no search has seen yet: what it would run
      // into is added and projected once more.
      if (looks && options.geometricCorrection) {
        for (let round = 0; round < LAST_LOOKS && !isSeen; round++) {
          const added = lookAgain(e, findNew, free, 1);
          report.added += added;
          isSeen = added === 0;
          if (isSeen) break;
          solveWeighted(at.active);
          report.contactSolves += project(LAST_SWEEPS * options.sweeps, 0);
          report.sweeps += LAST_SWEEPS * options.sweeps;
          kernels.admmUpdate(work.address, at.active, 0);
        }
      }

      // What the last projection found reaches the velocities.
      solveWeighted(at.active);
      kernels.admmBalance(work.address, at.weights, tolerance);

      // The residual afresh from the forces alone: A v = f + Bᵀ r.
      refreshViews(work, arena.memory.buffer);
      kernels.admmEnd(work.address);
      solveFree(work.last);
      if (hasJoints) {
        e.joints.base.fill(0);
        heldImpulse.set(e.joints.impulse.subarray(0, e.joints.count));
        addJoints(freeJoints, e.joints, work.last);
        e.joints.impulse.set(heldImpulse.subarray(0, e.joints.count));
      }
      let residual = kernels.admmResidual(work.address, work.last);
      unpackForces(work, problem);
      if (isWide) {
        for (let i = 0; i < count; i++) {
          v[i] = (i < elastic ? view.f64[(free >> 3) + i] : problem.f[i]) + work.f32[(work.last >> 2) + i];
        }
        residual = Math.max(residual, contactResidual(problem, v), jointResidual(problem, e.joints, v));
      }
      engine.report.strands.residual = residual;

      for (let i = 0; i < 8 * e.bodyCount; i++) {
        const row = (work.start >> 2) + elastic + i;
        const open = options.geometricCorrection && work.f32[(work.weight >> 2) + elastic + i] > 0;
        const change = work.f32[((open ? work.projected : work.delta) >> 2) + elastic + i];
        e.bodyVelocity[i] = problem.f[elastic + i] + work.f32[row] + change;
      }
      kernels.admmVelocities(work.address, free, arena.i32[L.NODE_PREDICTED >> 2], options.geometricCorrection ? 1 : 0);
      kernels.admmStore(work.address, at.weights);
      if (isFinite4(tables.nodes.predicted, 0, elastic) && isFinite4(e.bodyVelocity, 0, 8 * e.bodyCount)) return;
      giveUpContacts(engine, e, problem);
    },

    integrate() {
      if (kernels.rodIntegrate() === 0) return;
      const { strands, nodes } = engine.tables;
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
        if (!isFinite4(nodes.position, 4 * strands.first[strand], 4 * strands.nodes[strand])) {
          quarantineStrand(engine, strand);
        }
      }
    },
  };
}

/** Nothing touches, nothing is joined: the velocities without contacts are the answer. */
function leaveFree(engine: Engine, e: ElasticContacts, problem: AdmmProblem, report: AdmmReport): void {
  forgetDuals(engine);
  for (let i = 0; i < 8 * e.bodyCount; i++) e.bodyVelocity[i] = problem.f[problem.elasticCount + i];
  engine.report.strands.residual = 0;
  report.status = 'converged';
}

/** Strands of rows that were appended in the middle of a solve take part from now on. */
function activateStrands(engine: Engine, active: Uint8Array, bytes: Uint8Array, at: number, first: number): void {
  const { nodes, strands, strandContacts } = engine.tables;
  for (let c = first; c < engine.arena.i32[L.STRAND_CONTACT_COUNT >> 2]; c++) {
    for (let k = 0; k < 4; k += 2) {
      const node = strandContacts.node[4 * c + k];
      if (node < 0) continue;
      const strand = nodes.strand[node];
      if (active[strand] !== 0 || strands.flags[strand] & (L.STRAND_QUARANTINED | L.STRAND_ASLEEP)) continue;
      active[strand] = 1;
      bytes[at + strand] = 1;
    }
  }
}
