// Lays out the work memory of kernels/assembly/admm.ts and runs ADMM on it: the fast twin of solvers/admm/solve.ts.
//
// In: a problem whose start (state.v, state.lambda) obeys A v = f + W λ, with contacts prepared. All rows are
// increments about that start (numerics, f32). Out: state.v, state.lambda and the forces, in f64 again.

import type { KernelScratch } from '../../core/scratch';
import { type AdmmProblem, BLOCK_SIZE, unknownCount } from '../../solvers/admm/problem';
import { contactVelocity, prepareContacts } from '../../solvers/admm/project';
import type { AdmmOptions, AdmmReport, AdmmState } from '../../solvers/admm/solve';
import type { Engine } from '../engine';

const RECORD = 128;
const BLOCK = 240;
const HEADER = 64;

/** Views of one work memory; made anew when the memory grows. */
interface Work {
  address: number;
  rows: number;
  /** Contacts that have room. */
  capacity: number;
  delta: number;
  projected: number;
  dual: number;
  dualStart: number;
  weight: number;
  right: number;
  last: number;
  records: number;
  blocks: number;
  f32: Float32Array;
  i32: Int32Array;
}

const u = new Float64Array(3);

function refreshViews(work: Work, buffer: ArrayBufferLike): void {
  if (work.f32.buffer === buffer) return;
  work.f32 = new Float32Array(buffer as ArrayBuffer);
  work.i32 = new Int32Array(buffer as ArrayBuffer);
}

/** Rows: nodes, two a body, one that takes what has no node. */
function openWork(engine: Engine, scratch: KernelScratch, problem: AdmmProblem, work: Work): void {
  const { contacts, elasticCount, bodyCount } = problem;
  const rows = elasticCount / 4 + 2 * bodyCount + 1;
  const capacity = Math.ceil(1.25 * contacts.count) + 256;
  const blockRoom = bodyCount > 0 ? capacity : 0;
  const address = scratch.address(HEADER + 7 * 16 * rows + RECORD * capacity + BLOCK * blockRoom);
  refreshViews(work, engine.arena.memory.buffer);
  work.address = address;
  work.rows = rows;
  work.capacity = capacity;
  let at = address + HEADER;
  const take = () => {
    const here = at;
    at += 16 * rows;
    return here;
  };
  work.delta = take();
  work.projected = take();
  work.dual = take();
  work.dualStart = take();
  work.weight = take();
  work.right = take();
  work.last = take();
  work.records = at;
  work.blocks = at + RECORD * capacity;
  work.f32.fill(0, (address + HEADER) >> 2, work.records >> 2);
  const { i32 } = work;
  const header = [
    rows,
    0,
    work.delta,
    work.projected,
    work.dual,
    work.dualStart,
    work.weight,
    work.right,
    work.last,
    work.records,
    work.blocks,
    elasticCount / 4,
  ];
  for (let k = 0; k < header.length; k++) i32[(address >> 2) + k] = header[k];
}

/** W and λ₀. The spare lane has neither. */
function packRows(work: Work, problem: AdmmProblem, state: AdmmState): void {
  const { f32 } = work;
  const { elasticCount, bodyCount, weight, bodyHasContacts, bodyWeight } = problem;
  const w = work.weight >> 2;
  const l = work.dualStart >> 2;
  for (let i = 0; i < elasticCount; i++) {
    f32[w + i] = weight[i];
    f32[l + i] = weight[i] > 0 ? state.lambda[i] : 0;
  }
  for (let body = 0; body < bodyCount; body++) {
    if (bodyHasContacts[body] === 0) continue;
    for (let k = 0; k < 8; k++) {
      const i = elasticCount + 8 * body + k;
      f32[w + i] = (k & 3) === 3 ? 0 : bodyWeight;
      f32[l + i] = (k & 3) === 3 ? 0 : state.lambda[i];
    }
  }
}

/** Contacts from `first` on; offsets hold B v at the start. Returns how many have room. */
function packContacts(work: Work, problem: AdmmProblem, start: Float64Array, first: number, cohesion: boolean): number {
  const { f32, i32 } = work;
  const { contacts, elasticCount } = problem;
  const { node, coefficient, gamma, normal, offset, force, slack, blockOf } = contacts;
  const count = Math.min(contacts.count, work.capacity);
  const idle = 16 * (work.rows - 1);
  for (let c = first; c < count; c++) {
    const at = (work.records + RECORD * c) >> 2;
    const four = 4 * c;
    const s = force[four + 3];
    const works = s > 0;
    contactVelocity(u, problem, start, c);
    const give = works ? slack[c] / s : 0;
    const pull = works && cohesion ? s * offset[four + 3] : 0;
    for (let k = 0; k < 4; k++) {
      const isUsed = works && coefficient[four + k] !== 0;
      i32[at + k] = isUsed ? 4 * node[four + k] : idle;
      f32[at + 4 + k] = isUsed ? coefficient[four + k] : 0;
      f32[at + 8 + k] = isUsed ? gamma[four + k] : 0;
      const isVector = works && k < 3;
      f32[at + 12 + k] = isVector ? normal[four + k] : 0;
      // The kernel adds the slack's part itself.
      f32[at + 16 + k] = isVector ? u[k] - give * force[four + k] : 0;
      f32[at + 20 + k] = isVector ? force[four + k] : 0;
      f32[at + 28 + k] = isVector ? pull * normal[four + k] : 0;
    }
    f32[at + 24] = normal[four + 3];
    f32[at + 25] = give;
    i32[at + 26] = works ? blockOf[c] : -1;
    i32[at + 27] = 0;
    if (works && blockOf[c] >= 0) packBlock(work, problem, c, elasticCount);
  }
  i32[(work.address >> 2) + 1] = count;
  return count;
}

function packBlock(work: Work, problem: AdmmProblem, c: number, elasticCount: number): void {
  const { f32, i32 } = work;
  const { contacts, bodyInverseMass, bodyWeight } = problem;
  const from = BLOCK_SIZE * contacts.blockOf[c];
  const at = (work.blocks + BLOCK * contacts.blockOf[c]) >> 2;
  for (let k = 0; k < 45; k++) f32[at + k] = contacts.block[from + k];
  for (let side = 0; side < 2; side++) {
    const body = contacts.body[2 * c + side];
    for (let k = 0; k < 3; k++) f32[at + 48 + 4 * side + k] = contacts.arm[8 * c + 4 * side + k];
    f32[at + 51 + 4 * side] = body >= 0 ? bodyInverseMass[body] / bodyWeight : 0;
    i32[at + 56 + side] = body >= 0 ? 4 * (elasticCount + 8 * body) : -1;
  }
  f32[at + 58] = contacts.force[4 * c + 3];
}

/** What the solver asks of the strands; addresses [B] of f32×4 rows. */
export interface RowOperator {
  /** δ := (A + W)⁻¹ right for the elastic rows. */
  solveRows(right: number, delta: number): void;
  /** Makes velocities obey the joints; null where there are none. */
  joints: ((v: Float64Array) => void) | null;
  /** Appends contacts that the velocities would violate, with their weights; null: never. */
  findNew: ((v: Float64Array) => void) | null;
}

/**
 * A solver on the kernels of this engine's memory. Start: state.v with A v = f + W λ, λ = W⁻¹ Bᵀ r of the forces that the
 * prepared contacts hold. The answer as of `solveAdmm`.
 */
export function createKernelAdmm(engine: Engine, scratch: KernelScratch) {
  const none = new Float32Array(0);
  const work: Work = {
    address: 0,
    rows: 0,
    capacity: 0,
    delta: 0,
    projected: 0,
    dual: 0,
    dualStart: 0,
    weight: 0,
    right: 0,
    last: 0,
    records: 0,
    blocks: 0,
    f32: none,
    i32: new Int32Array(0),
  };
  let start = new Float64Array(0);

  return (
    problem: AdmmProblem,
    operator: RowOperator,
    state: AdmmState,
    options: AdmmOptions,
    report: AdmmReport,
  ): void => {
    const { kernels, arena } = engine;
    const { joints, findNew } = operator;
    const { contacts, elasticCount, timeStep } = problem;
    const count = unknownCount(problem);
    report.status = 'iteration-limit';
    report.iterations = report.sweeps = report.contactSolves = report.added = 0;
    report.delta = 0;
    if (start.length < count) start = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) start[i] = state.v[i];
    openWork(engine, scratch, problem, work);
    packRows(work, problem, state);
    packContacts(work, problem, start, 0, options.cohesion);
    let sleepBelow = 0;
    for (let l = 1; l <= options.iterations; l++) {
      // Nothing moves before the first projection.
      if (l > 1) {
        kernels.admmRight(work.address);
        operator.solveRows(work.right, work.delta);
        kernels.admmBodies(work.address);
        if (joints) applyToRows(problem, state, work, start, joints);
      }
      if (findNew && l % options.newCollisionsEvery === 0) {
        const before = contacts.count;
        readRows(work, problem, state.v, start, work.delta);
        findNew(state.v);
        refreshViews(work, arena.memory.buffer);
        if (contacts.count > before) {
          prepareContacts(problem, before);
          contacts.count = Math.min(contacts.count, work.capacity);
          packContacts(work, problem, start, before, options.cohesion);
          for (let i = 0; i < elasticCount; i++) work.f32[(work.weight >> 2) + i] = problem.weight[i];
          report.added += contacts.count - before;
        }
      }
      report.contactSolves += kernels.admmProject(work.address, options.sweeps, sleepBelow, options.sleepSweeps);
      report.iterations = l;
      report.sweeps += options.sweeps;
      const reached = kernels.admmUpdate(work.address, 0);
      report.delta = timeStep * reached;
      if (options.sleeping) sleepBelow = options.sleepShare * reached;
      if (report.delta < options.tolerance) {
        report.status = 'converged';
        break;
      }
    }
    readRows(work, problem, state.v, start, work.delta);
    if (options.geometricCorrection) {
      const p = work.projected >> 2;
      for (let i = 0; i < count; i++) {
        if (work.f32[(work.weight >> 2) + i] > 0) state.v[i] = start[i] + work.f32[p + i];
      }
    }
    for (let i = 0; i < elasticCount; i++) {
      state.lambda[i] = work.f32[(work.dualStart >> 2) + i] + work.f32[(work.dual >> 2) + i];
    }
    for (let c = 0; c < contacts.count; c++) {
      const at = (work.records + RECORD * c + 80) >> 2;
      for (let k = 0; k < 3; k++) contacts.force[4 * c + k] = work.f32[at + k];
    }
  };
}

/** Makes the rows of v obey the joints. */
function applyToRows(
  problem: AdmmProblem,
  state: AdmmState,
  work: Work,
  start: Float64Array,
  joints: (v: Float64Array) => void,
): void {
  readRows(work, problem, state.v, start, work.delta);
  joints(state.v);
  const delta = work.delta >> 2;
  const count = unknownCount(problem);
  for (let i = 0; i < count; i++) work.f32[delta + i] = state.v[i] - start[i];
}

/** v := start + rows. */
function readRows(work: Work, problem: AdmmProblem, v: Float64Array, start: Float64Array, rows: number): void {
  const count = unknownCount(problem);
  const at = rows >> 2;
  for (let i = 0; i < count; i++) v[i] = start[i] + work.f32[at + i];
}
