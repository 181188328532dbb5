// Strands on the kernels: matrices and factors four strands at a time (kernels/assembly/rods.ts), contacts and the
// vectors of ADMM in f32 SIMD (kernels/assembly/admm.ts).
//
// Conditioning sets the division of labour: matrices and the velocity without contacts are formed in f64, what contacts
// change is an increment that f32 holds. The start is v = v₀ + A⁻¹ Bᵀ r with the forces of the last step and λ = W⁻¹ Bᵀ r:
// it obeys the elastic equations with those forces, so every later solve has only changes on its right-hand side.

import { createKernelScratch } from '../../core/scratch';
import { clampTarget } from '../../mechanics/rod/clamps';
import { addJointImpulses, applyJoints, createJointSystem, prepareJoints } from '../../solvers/admm/joints';
import { createAdmmProblem, resizeAdmmProblem, unknownCount } from '../../solvers/admm/problem';
import { applyForces, prepareContacts } from '../../solvers/admm/project';
import { addContactImpulses, contactResidual } from '../../solvers/admm/residual';
import {
  type AdmmOptions,
  createAdmmState,
  defaultAdmmOptions,
  markContactBodies,
  resizeAdmmState,
} from '../../solvers/admm/solve';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { createKernelAdmm } from './admm-work';
import { isClampJoint } from './collect-contacts';
import type { ElasticBackend } from './elastic-backend';
import { jointSpin } from './hold-twist';
import { isFinite4, quarantineStrand, storeSolution } from './store-solution';

/** Numbers a strand in the table of holds (kernels/assembly/rod-holds.ts), and its bits. */
const HOLD_NUMBERS = 16;
const HOLD_NODES = [1, 4] as const;
const HOLD_TWIST = [2, 8] as const;

const target = new Float64Array(8);

/** Makes the backend of one world. */
export function createWasmBackend(engine: Engine): ElasticBackend {
  const { kernels, arena } = engine;
  const rodScratch = createKernelScratch(arena, { address: L.ROD_WORK_ADDRESS, size: L.ROD_WORK_SIZE });
  const admmScratch = createKernelScratch(arena, { address: L.ADMM_WORK_ADDRESS, size: L.ADMM_WORK_SIZE });
  const solveContacts = createKernelAdmm(engine, admmScratch);
  const problem = createAdmmProblem();
  const state = createAdmmState();
  const options: AdmmOptions = { ...defaultAdmmOptions };
  let unforced = new Float64Array(0);
  const free = createJointSystem(false);
  const held = createJointSystem(true);
  // Places in the rods' block: holds, active strands, one f32 a node of weights, two f32×4 a node of rows, then the kernel's own.
  const at = { holds: 0, active: 0, weights: 0, right: 0, out: 0, work: 0 };
  const none = new Uint8Array(0);
  const view = { f32: new Float32Array(0), f64: new Float64Array(0), u8: none };

  const refresh = (): void => {
    const { buffer } = arena.memory;
    if (view.u8.buffer === buffer) return;
    view.f32 = new Float32Array(buffer);
    view.f64 = new Float64Array(buffer);
    view.u8 = new Uint8Array(buffer);
  };

  const openWork = (): void => {
    const strands = arena.i32[L.STRAND_COUNT >> 2];
    const nodes = arena.i32[L.NODE_COUNT >> 2];
    const round = (bytes: number) => Math.ceil(bytes / 64) * 64;
    const sizes = [8 * HOLD_NUMBERS * strands, strands, 4 * nodes, 16 * nodes, 16 * nodes].map(round);
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    let address = rodScratch.address(total + kernels.rodWorkSize());
    at.holds = address;
    at.active = address += sizes[0];
    at.weights = address += sizes[1];
    at.right = address += sizes[2];
    at.out = address += sizes[3];
    at.work = address + sizes[4];
    refresh();
  };

  /** Prescribed velocities of clamped ends; ends that hang on dynamic bodies are held by joints, but for their twist. */
  const writeHolds = (): void => {
    const { strands, nodes } = engine.tables;
    const dt = engine.settings.timeStep;
    const { f64 } = view;
    for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
      const base = (at.holds >> 3) + HOLD_NUMBERS * strand;
      let bits = 0;
      for (let end = 0; end < 2; end++) {
        if (!(strands.flags[strand] & (end === 0 ? L.STRAND_CLAMP_START : L.STRAND_CLAMP_END))) continue;
        const to = base + 1 + 7 * end;
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

  /** W of all groups with active strands, and A + W factored. */
  const weigh = (): void => {
    kernels.rodWeigh(at.work, at.weights, at.holds, at.active);
    const from = at.weights >> 2;
    const { f32 } = view;
    for (let node = 0; node < problem.elasticCount >> 2; node++) {
      const w = f32[from + node];
      const inverse = w > 0 ? 1 / w : 0;
      for (let k = 4 * node; k < 4 * node + 3; k++) {
        problem.weight[k] = w;
        problem.inverseWeight[k] = inverse;
      }
      problem.weight[4 * node + 3] = problem.inverseWeight[4 * node + 3] = 0;
    }
  };

  /** x := K⁻¹ x over elastic unknowns of active groups, through f32 rows. */
  const solveWide = (x: Float64Array, which: number): void => {
    refresh();
    const { f32 } = view;
    const right = at.right >> 2;
    for (let i = 0; i < problem.elasticCount; i++) f32[right + i] = x[i];
    f32.fill(0, at.out >> 2, (at.out >> 2) + problem.elasticCount);
    kernels.rodSolve(at.work, which, at.right, at.out, at.active);
    for (let i = 0; i < problem.elasticCount; i++) x[i] = f32[(at.out >> 2) + i];
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
      const right = at.right >> 2;
      const start = 4 * strands.first[strand];
      f32.fill(0, right, right + problem.elasticCount);
      for (let i = start; i < start + 4 * strands.nodes[strand]; i++) f32[right + i] = x[i];
      kernels.rodSolve(at.work, weighted ? 1 : 0, at.right, at.out, at.active);
      for (let i = start; i < start + 4 * strands.nodes[strand]; i++) x[i] = f32[(at.out >> 2) + i];
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
    problem,

    predict(_engine, atGuess) {
      const { strands, nodes } = engine.tables;
      resizeAdmmProblem(problem, 4 * arena.i32[L.NODE_COUNT >> 2], problem.bodyCount);
      openWork();
      writeHolds();
      const out = arena.i32[L.NODE_PREDICTED >> 2];
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        if (!(strands.flags[strand] & L.STRAND_QUARANTINED)) continue;
        nodes.predicted.fill(0, 4 * strands.first[strand], 4 * (strands.first[strand] + strands.nodes[strand]));
      }
      if (kernels.rodPredict(at.work, atGuess ? out : 0, out, at.holds) === 0) return;
      for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) {
        const start = 4 * strands.first[strand];
        if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
        if (!isFinite4(nodes.predicted, start, 4 * strands.nodes[strand])) quarantineStrand(engine, strand);
      }
      // The groups have changed.
      kernels.rodPredict(at.work, atGuess ? out : 0, out, at.holds);
    },

    solve(_engine, e, findNew, report) {
      const { settings } = engine;
      const count = unknownCount(problem);
      const elastic = problem.elasticCount;
      const strandCount = arena.i32[L.STRAND_COUNT >> 2];
      resizeAdmmState(state, count);
      Object.assign(options, settings.elastic, { newCollisionsEvery: settings.elastic.newContactsEvery });
      refresh();
      view.f32.fill(0, at.weights >> 2, (at.weights >> 2) + (elastic >> 2));
      for (let s = 0; s < strandCount; s++) view.u8[at.active + s] = e.active[s];
      weigh();
      prepareContacts(problem, 0);
      markContactBodies(problem);

      // Start: λ = W⁻¹ Bᵀ r and the velocities that these forces give.
      const { v, right, lambda } = state;
      lambda.fill(0, 0, count);
      applyForces(problem, lambda, 0, options.cohesion);
      right.fill(0, 0, count);
      addContactImpulses(right, problem, options.cohesion);
      solveWide(right, 0);
      const { predicted } = engine.tables.nodes;
      for (let i = 0; i < elastic; i++) v[i] = predicted[i] + right[i];
      for (let i = elastic; i < count; i++) v[i] = problem.f[i] + right[i];
      const hasJoints = e.joints.count > 0;
      if (hasJoints) {
        prepareJoints(free, problem, e.joints, jointOperator);
        applyJoints(free, problem, e.joints, v);
        e.joints.base.set(e.joints.impulse);
        prepareJoints(held, problem, e.joints, jointOperator);
      }
      const operator = {
        solveRows: (from: number, to: number) => kernels.rodSolve(at.work, 1, from, to, at.active),
        joints: hasJoints ? (velocities: Float64Array) => applyJoints(held, problem, e.joints, velocities) : null,
        findNew:
          findNew === null || options.newCollisionsEvery === 0
            ? null
            : (velocities: Float64Array) => {
                const column = engine.tables.nodes.predicted;
                for (let i = 0; i < elastic; i++) column[i] = velocities[i];
                const before = problem.contacts.count;
                findNew();
                refresh();
                if (problem.contacts.count === before) return;
                activateStrands(engine, e.active, view.u8, at.active, problem.contacts, before);
                weigh();
                if (hasJoints) prepareJoints(held, problem, e.joints, jointOperator);
              },
      };
      // The velocities without contacts are wanted again for the residual, and the search for contacts overwrites them.
      if (unforced.length < elastic) unforced = new Float64Array(2 * elastic);
      for (let i = 0; i < elastic; i++) unforced[i] = predicted[i];
      solveContacts(problem, operator, state, options, report);
      storeSolution(engine, e, problem, state);
      right.fill(0, 0, count);
      addContactImpulses(right, problem, options.cohesion);
      if (hasJoints) addJointImpulses(right, problem, e.joints);
      solveWide(right, 0);
      for (let i = 0; i < elastic; i++) right[i] += unforced[i];
      for (let i = elastic; i < count; i++) right[i] += problem.f[i];
      engine.report.strands.residual = contactResidual(problem, right);
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

/** Strands of contacts that were appended in the middle of a solve take part from now on. */
function activateStrands(
  engine: Engine,
  active: Uint8Array,
  bytes: Uint8Array,
  at: number,
  contacts: { count: number; node: Int32Array; coefficient: Float64Array },
  first: number,
): void {
  const { nodes, strands } = engine.tables;
  for (let k = 4 * first; k < 4 * contacts.count; k++) {
    if (contacts.coefficient[k] === 0) continue;
    const strand = nodes.strand[contacts.node[k] >> 2];
    if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
    active[strand] = 1;
    bytes[at + strand] = 1;
  }
}
