// One solve of the wasm backend: weights, the start from the forces of the last step, the rounds of ADMM, the answer.

import { OBJECT_RESTLESS } from '../../../../core/elastic-constants';
import { jointResidual } from '../../../../solvers/admm/joints';
import { unknownCount } from '../../../../solvers/admm/problem';
import { prepareContacts } from '../../../../solvers/admm/project';
import { contactResidual } from '../../../../solvers/admm/residual';
import { type AdmmReport, markContactBodies } from '../../../../solvers/admm/solve';
import { leaderOf, toleranceOf } from '../../../../solvers/elastic/islands';
import { runRounds } from '../../../../solvers/elastic/loop';
import { SIDE_OBJECT_B } from '../../../../state/contact-places';
import * as L from '../../../../state/layout';
import { REST_GIVE, REST_GIVE_CONTACTS, TWIST } from '../../../../state/node-places';
import type { ElasticContacts } from '../../collect-contacts';
import { forgetDuals, giveUpContacts, isFinite4 } from '../../store-solution';
import { solveElastic, surfaceKernelsOf } from '../../surface-parts';
import type { FindNew } from '../elastic-backend';
import { readOptions } from '../read-options';
import { openAdmmWork, packBodyWeights, packContacts, unpackForces } from './admm-work';
import { addJoints, prepareColumns } from './joints';
import { createWasmSides, weigh } from './sides';
import { resizeVectors, type Wasm } from './wasm';

/** As ElasticBackend.solve. */
export function solveWasm(
  w: Wasm,
  e: ElasticContacts,
  free: number,
  findNew: FindNew | null,
  report: AdmmReport,
): void {
  const { engine, problem, options } = w;
  const { arena, settings } = engine;
  report.status = 'iteration-limit';
  report.iterations = report.sweeps = report.contactSolves = report.added = report.delta = 0;
  w.free = free;
  const awakeRows = arena.i32[L.NODE_CONTACT_COUNT >> 2] - arena.i32[L.NODE_CONTACT_ASLEEP >> 2];
  if (e.isFree || awakeRows + problem.contacts.count + e.joints.count === 0) {
    leaveFree(w, e, report);
    return;
  }

  readOptions(options, settings.elastic);
  resizeVectors(w, unknownCount(problem), e.joints.count);
  takePart(w, e);
  renewGive(w);
  weigh(w, 0);
  gather(w, e);
  const isSolved = !options.isPaper;
  if (isSolved) start(w, e);
  else startOnNodes(w, e);

  const sides = createWasmSides(w, e, findNew);
  const { islands } = e;
  const looks = findNew !== null;
  runRounds(sides, sides, options, { timeStep: settings.timeStep, isSolved, looks, islands }, report);

  // What the last projection found reaches the velocities; in the paper's profile it is the answer.
  if (isSolved) sides.solve(true);
  balanceWeights(w, e);
  engine.report.strands.residual = measureResidual(w, e);
  if (!hasConverged(report)) forgetGive(w, e);
  store(w, e);
}

const hasConverged = ({ status }: AdmmReport) => status === 'converged';

/**
 * Has the kernels find anew how far the shells of islands that have not converged give way: they need weights of the
 * state at hand, not of some steps before.
 */
function forgetGive({ engine, meshes }: Wasm, { islands }: ElasticContacts): void {
  const { strands, nodes } = engine.tables;
  for (const object of meshes.objects) {
    if (strands.kind[object] === L.KIND_SHELL && isUnsolved(islands, object))
      nodes.rest[8 * strands.first[object] + REST_GIVE] = 0;
  }
}

/** Whether the object's island took part in a solve that did not converge as a whole, and has not itself. */
function isUnsolved(islands: ElasticContacts['islands'], object: number): boolean {
  if (islands.isWhole) return true;
  const own = islands.ofObject[object];
  if (own < 0) return false;
  const { state } = islands.list[leaderOf(islands, own)];
  return state === 'going' || state === 'spent';
}

/** Share by which the number of a shell's contacts may differ from what it was when its weights were found. */
const SAME_CONTACTS = 0.1;

/** Contacts of each object; work memory. */
let contactCounts = new Int32Array(0);

/** The same for shells that touch more or less than when it was found: what falls on one presses it out of shape. */
function renewGive({ engine, meshes }: Wasm): void {
  const { arena, tables } = engine;
  const { strands, nodes, nodeContacts } = tables;
  if (meshes.objects.length === 0) return;
  const objects = arena.i32[L.STRAND_COUNT >> 2];
  if (contactCounts.length < objects) contactCounts = new Int32Array(2 * objects);
  contactCounts.fill(0, 0, objects);
  const end = 4 * arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let c = 4 * arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; c < end; c += 4) {
    contactCounts[nodeContacts.side[c]]++;
    const other = nodeContacts.side[c + SIDE_OBJECT_B];
    if (other >= 0) contactCounts[other]++;
  }
  for (const object of meshes.objects) {
    if (strands.kind[object] !== L.KIND_SHELL) continue;
    const first = 8 * strands.first[object];
    const at = first + 8 + REST_GIVE_CONTACTS;
    const count = contactCounts[object];
    if (Math.abs(count - nodes.rest[at]) <= SAME_CONTACTS * nodes.rest[at]) continue;
    nodes.rest[first + REST_GIVE] = 0;
    nodes.rest[at] = count;
  }
}

/** Of a step's islands [m]. */
const tolerances = new Set<number>();

/** Weights for the next step, of each object by what is exact enough for its island. */
function balanceWeights({ engine, kernels, work, at }: Wasm, { islands }: ElasticContacts): void {
  const { arena, settings } = engine;
  const strands = arena.i32[L.STRAND_COUNT >> 2];
  const { u8 } = arena;
  const [{ tolerance: first }] = islands.list;
  if (islands.isWhole) {
    u8.fill(1, at.touched, at.touched + strands);
    kernels.admmBalance(work.address, at.weights, first / settings.timeStep, at.touched);
    return;
  }
  tolerances.clear();
  for (let object = 0; object < strands; object++) tolerances.add(toleranceOf(islands, object));
  for (const tolerance of tolerances) {
    for (let object = 0; object < strands; object++)
      u8[at.touched + object] = toleranceOf(islands, object) === tolerance ? 1 : 0;
    kernels.admmBalance(work.address, at.weights, tolerance / settings.timeStep, at.touched);
  }
}

/** Nothing touches, nothing is joined: the velocities without contacts are the answer. */
function leaveFree({ engine, problem }: Wasm, e: ElasticContacts, report: AdmmReport): void {
  forgetDuals(engine);
  for (let i = 0; i < 8 * e.bodyCount; i++) e.bodyVelocity[i] = problem.f[problem.elasticCount + i];
  engine.report.strands.residual = 0;
  report.status = 'converged';
}

/** Which strands and bodies take part, and what does not touch, for the kernels. */
function takePart({ engine, problem, at }: Wasm, e: ElasticContacts): void {
  const { arena, tables } = engine;
  const strands = arena.i32[L.STRAND_COUNT >> 2];
  arena.u8.set(e.active.subarray(0, strands), at.active);
  // What a joint holds is moved by it after each solve, not only by contacts.
  const { node, other } = e.joints;
  const { strand } = tables.nodes;
  for (let i = 0; i < e.joints.count; i++) {
    if (node[i] >= 0) arena.u8[at.active + strand[node[i] >> 2]] = OBJECT_RESTLESS;
    if (other[i] >= 0) arena.u8[at.active + strand[other[i] >> 2]] = OBJECT_RESTLESS;
  }
  arena.i32.set(e.bodyIndex.subarray(0, tables.bodies.capacity), at.bodies >> 2);
  arena.i32.set(e.excluded.subarray(0, problem.elasticCount >> 2), at.excluded >> 2);
  arena.u8.fill(0, at.lastLook, at.lastLook + 4 * problem.elasticCount);
}

/** Whether anything is solved in double precision beside the kernels: joints, contacts with bodies of the problem. */
function isWide({ problem }: Wasm, e: ElasticContacts): boolean {
  return e.joints.count > 0 || problem.contacts.count > 0;
}

/** Contacts with bodies into records, all others into groups. */
function gather(w: Wasm, e: ElasticContacts): void {
  const { engine, kernels, problem, options, work, at, v } = w;
  const { arena, tables } = engine;
  if (problem.contacts.count > 0) widenWeights(w);
  if (isWide(w, e)) for (let i = 0; i < problem.elasticCount; i++) v[i] = tables.nodes.predicted[i];
  for (let i = problem.elasticCount; i < unknownCount(problem); i++) v[i] = problem.f[i];
  prepareContacts(problem, 0);
  markContactBodies(problem);
  const rows = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  const hasSurfaces = surfaceKernelsOf(engine) !== null;
  for (let filled = 1; ; filled /= 2) {
    openAdmmWork(work, w.admmScratch, problem, rows, filled, hasSurfaces);
    kernels.admmWeights(work.address, at.weights);
    if (kernels.admmGather(work.address, 0, at.bodies, at.excluded, w.free) === rows) break;
  }
  packBodyWeights(work, problem);
  packContacts(work, problem, v, options.cohesion);
}

/** W for the contacts that TypeScript prepares. */
function widenWeights({ engine, problem, at }: Wasm): void {
  const { f32 } = engine.arena;
  const from = at.weights >> 2;
  for (let node = 0; node < problem.elasticCount >> 2; node++) {
    const w = Math.max(f32[from + node], 0);
    const inverse = w > 0 ? 1 / w : 0;
    for (let k = 4 * node; k < 4 * node + 3; k++) {
      problem.weight[k] = w;
      problem.inverseWeight[k] = inverse;
    }
    problem.weight[4 * node + TWIST] = problem.inverseWeight[4 * node + TWIST] = 0;
  }
}

/** rows := A⁻¹ right; a body's row is already divided by its mass. Rows of meshes hold a guess at that before. */
function solveFree(w: Wasm, rows: number): void {
  const { engine, problem, work, at } = w;
  const { f32 } = engine.arena;
  solveElastic(w, false, work.right, rows, at.active);
  for (let i = problem.elasticCount; i < unknownCount(problem); i++) f32[(rows >> 2) + i] = f32[(work.right >> 2) + i];
}

/** rows := 0, for a mesh the change that the last round left. */
function guessLast({ engine, problem, meshes, work }: Wasm, rows: number): void {
  const { f32 } = engine.arena;
  const { strands } = engine.tables;
  const [to, base, change] = [rows >> 2, work.start >> 2, work.delta >> 2];
  f32.fill(0, to, to + problem.elasticCount);
  for (const object of meshes.objects) {
    const start = 4 * strands.first[object];
    const end = start + 4 * strands.nodes[object];
    for (let i = start; i < end; i++) f32[to + i] = f32[base + i] + f32[change + i];
  }
}

/** Start: λ₀ = W⁻¹ Bᵀ r and the velocities that these forces give, as far as they do no harm. */
function start(w: Wasm, e: ElasticContacts): void {
  const { engine, kernels, problem, work, impulse: held } = w;
  const { joints } = e;
  const hasJoints = joints.count > 0;
  prepareColumns(w, w.freeJoints, joints);
  addJoints(w, w.freeJoints, joints, work.last);
  held.set(joints.impulse.subarray(0, joints.count));

  kernels.admmStart(work.address);
  engine.arena.f32.fill(0, work.start >> 2, (work.start >> 2) + problem.elasticCount);
  solveFree(w, work.start);
  addJoints(w, w.freeJoints, joints, work.start);
  const without = hasJoints ? work.last : 0;
  const share = kernels.admmShare(work.address, without);
  if (share < 1) kernels.admmScale(work.address, without, share);

  if (hasJoints) {
    const { impulse, base } = joints;
    for (let i = 0; i < joints.count; i++) base[i] = held[i] + share * (impulse[i] - held[i]);
    impulse.set(base);
    engine.arena.f32.fill(0, work.last >> 2, (work.last >> 2) + 4 * work.rows);
    prepareColumns(w, w.heldJoints, joints);
  }
  kernels.admmOffset(work.address, 0);
}

/**
 * The paper's start (6.2.1, 6.2.2): velocities without contacts, and λ of the nodes from the step before; bodies, of
 * which it has none, have theirs from the forces.
 */
function startOnNodes(w: Wasm, e: ElasticContacts): void {
  const { engine, kernels, problem, work } = w;
  const { f32 } = engine.arena;
  const { dual } = engine.tables.nodes;
  const { joints } = e;
  const elastic = problem.elasticCount;
  const count = unknownCount(problem);
  kernels.admmStart(work.address);
  const [own, first, weight, start] = [work.dual >> 2, work.dualStart >> 2, work.weight >> 2, work.start >> 2];
  for (let i = 0; i < elastic; i++) f32[own + i] = f32[weight + i] > 0 ? dual[i] : 0;
  for (let i = elastic; i < count; i++) f32[own + i] = f32[first + i];
  f32.fill(0, first, first + 4 * work.rows);
  f32.fill(0, start, start + 4 * work.rows);
  if (joints.count > 0) {
    prepareColumns(w, w.freeJoints, joints);
    addJoints(w, w.freeJoints, joints, work.start);
    joints.base.set(joints.impulse.subarray(0, joints.count));
    f32.fill(0, work.last >> 2, (work.last >> 2) + 4 * work.rows);
    prepareColumns(w, w.heldJoints, joints);
  }
  kernels.admmOffset(work.address, 0);
}

/** The residual afresh from the forces alone: A v = f + Bᵀ r [m/s]. */
function measureResidual(w: Wasm, e: ElasticContacts): number {
  const { engine, kernels, problem, work, impulse: held, v } = w;
  const { joints } = e;
  kernels.admmEnd(work.address);
  guessLast(w, work.last);
  solveFree(w, work.last);
  if (joints.count > 0) {
    joints.base.fill(0);
    held.set(joints.impulse.subarray(0, joints.count));
    addJoints(w, w.freeJoints, joints, work.last);
    joints.impulse.set(held.subarray(0, joints.count));
  }
  const residual = kernels.admmResidual(work.address, work.last);
  unpackForces(work, problem);
  if (!isWide(w, e)) return residual;
  const { f32, f64 } = engine.arena;
  for (let i = 0; i < unknownCount(problem); i++) {
    v[i] = (i < problem.elasticCount ? f64[(w.free >> 3) + i] : problem.f[i]) + f32[(work.last >> 2) + i];
  }
  return Math.max(residual, contactResidual(problem, v), jointResidual(problem, joints, v));
}

/** Velocities of nodes and bodies, λ, weights and forces back to the tables. */
function store({ engine, kernels, problem, options, work, at, free }: Wasm, e: ElasticContacts): void {
  const { arena, tables } = engine;
  const { f32 } = arena;
  const elastic = problem.elasticCount;
  for (let i = 0; i < 8 * e.bodyCount; i++) {
    const isOpen = options.geometricCorrection && f32[(work.weight >> 2) + elastic + i] > 0;
    const change = f32[((isOpen ? work.projected : work.delta) >> 2) + elastic + i];
    e.bodyVelocity[i] = problem.f[elastic + i] + f32[(work.start >> 2) + elastic + i] + change;
  }
  const latest = arena.i32[L.NODE_PREDICTED >> 2];
  kernels.admmVelocities(work.address, free, latest, options.geometricCorrection ? 1 : 0);
  kernels.admmStore(work.address, at.weights);
  const { predicted } = tables.nodes;
  if (isFinite4(predicted, 0, elastic) && isFinite4(e.bodyVelocity, 0, 8 * e.bodyCount)) return;
  giveUpContacts(engine, e, problem);
}
