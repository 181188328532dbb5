// Objects with a mesh on the wasm backend, beside the strands: on their kernels (kernels/assembly/mesh), those too
// stiff for f32 with their equations in double precision (mechanics).
//
// The same questions in the same order as the kernels' rodPredict, rodWeigh and rodSolve are asked; vectors of the
// solve are f32×4 a node.

import { BARE_WEIGHT } from '../../../../core/elastic-constants';
import type { SurfaceKernelExports } from '../../../../kernels/exports';
import type { ElasticStep } from '../../../../mechanics/elastic-kind';
import { systemOfKind } from '../../../../mechanics/kinds';
import { prescribePins } from '../../../../mechanics/pins';
import { firstRider, rideAlong } from '../../../../mechanics/solid/riders';
import * as L from '../../../../state/layout';
import {
  DAMPING,
  RADIUS,
  SHEAR_MODULUS,
  STRETCH_MODULUS,
  WEFT_MODULUS,
  YOUNG_MODULUS,
} from '../../../../state/material-places';
import { FROM_LAST, FROM_MULTIPLE, FROM_ZERO } from '../../../../state/mesh-layout';
import type { Engine } from '../../../engine';
import { elasticStepOf } from '../../elastic-step';
import { isFinite4, quarantineStrand } from '../../store-solution';
import { surfaceKernelsOf } from '../../surface-parts';
import { shareOf } from '../reference/weights';
import { giveMesh, holdMesh, keepGive, openMeshRecords, prescribedOf } from './mesh-records';
import { hasMeshes } from './mesh-systems';
import type { Wasm } from './wasm';

const IDLE = L.STRAND_QUARANTINED | L.STRAND_ASLEEP;

/**
 * Stiffness over inertia in a step, σ E edge/m of the lightest node and shortest edge, up to which the kernels solve
 * solids; what is stiffer goes the f64 way. (A block of 24 tetrahedra that hangs at one vertex is solved to a share of
 * 4·10⁻⁶ up to 10¹⁰; long bars ask for more.) [-]
 */
const STIFFEST_SOLID = 1e7;

/**
 * The same of shells [-]. (A strip of 10⁹ to 10¹³, in steps of 1 s, hung up to half of its length off, and buckled
 * late.)
 */
const STIFFEST_SHELL = 1e8;

/**
 * w of a node over 3/trace of (A⁻¹)_jj (kernels/assembly/mesh/give.ts), to begin with [-]: what a vertex of cloth
 * can hand to its neighbours it hands to many. A cloth of 961 vertices over a ball, 1000 contacts, took 11.4 rounds a
 * step with 2, 9.6 with 1, 8.4 with 0.5 and 0.2; a house of stiff cards stands with 2 and with 0.5.
 * With 0.3 sheets of 46 to 54 vertices a side over a ball take 0.89 to 0.96 of the time; but single edges of six capes
 * that turn about at 10 m/s stretch by 8 to 23 %, 14.4 in the mean, not by 8 to 15, 11.5.
 */
const SHELL_SHARE = 0.5;
/**
 * The same of solids, which have no more than their surface to hand a push to: of a heap of 20 cubes that lands the
 * iterations are 73 with 0.5, 53 with 1, 40 with 2, which leaves twice the residual at rest; loads of 5000 times a
 * block's mass take 210, 153 and 312.
 */
const SOLID_SHARE = 1;

/** Error that a round's solve may leave, of the solver's tolerance [-], and in any case of the largest velocity [-]. */
const ROUND_TOLERANCE = 0.05;
const ROUND_SHARE = 1e-4;
/** The same of solves that rounds rest on [m/s], [-]. */
const SOLVE_TOLERANCE = 1e-7;
const SOLVE_SHARE = 1e-5;
/** Iterations of conjugate gradients at most: of a round, of any other solve. */
const ROUND_ITERATIONS = 12;
const SOLVE_ITERATIONS = 60;

const kernelsOf = ({ engine }: Wasm): SurfaceKernelExports => surfaceKernelsOf(engine)!;

/** As ElasticBackend.predict. `guess`: address of the velocities to linearise at, 0: the state as it is. */
export function predictMeshes(w: Wasm, guess: number): void {
  const { engine, meshes } = w;
  const { arena, tables } = engine;
  const { strands, nodes } = tables;
  meshes.objects.length = meshes.others.length = 0;
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (strands.kind[object] === L.KIND_ROD || strands.flags[object] & IDLE) continue;
    (isOnKernels(engine, object) ? meshes.objects : meshes.others).push(object);
  }
  if (!hasMeshes(meshes)) return;
  const kernels = kernelsOf(w);
  const step = elasticStepOf(engine);
  if (meshes.objects.length > 0)
    openMeshRecords(engine, meshes.patterns, meshes.scratch, meshes.objects, meshes.records);
  for (const object of meshes.objects) {
    const { held, heldVelocity } = prescribedOf(meshes.patterns, object);
    prescribePins(held, heldVelocity, tables, object, step);
    const record = meshes.records[object];
    holdMesh(engine, meshes.patterns, object, record);
    if (strands.kind[object] === L.KIND_SOLID && !giveMesh(engine, meshes.patterns, object, record)) {
      kernels.meshGive(record);
      keepGive(engine, meshes.patterns, object, record);
    }
    const bad = kernels.meshPredict(record, guess, arena.i32[L.NODE_PREDICTED >> 2]);
    rideAlong(nodes.predicted, tables, object);
    if (bad !== 0 || !isFinite4(nodes.predicted, 4 * strands.first[object], 4 * strands.nodes[object])) {
      quarantineStrand(engine, object);
    }
  }
  for (const object of meshes.others) predictOther(w, object, step, guess);
  dropIdle(meshes.objects, strands.flags);
  dropIdle(meshes.others, strands.flags);
}

/** Whether the kernels solve it: sheets and solids up to some stiffness. */
function isOnKernels({ tables, settings }: Engine, object: number): boolean {
  const { strands, rods, nodes } = tables;
  const at = 8 * strands.rod[object];
  const { parameter } = rods;
  const first = strands.first[object];
  let mass = Number.POSITIVE_INFINITY;
  let edge = Number.POSITIVE_INFINITY;
  for (let node = first; node < firstRider(tables, object); node++) {
    mass = Math.min(mass, nodes.mass[2 * node]);
    edge = Math.min(edge, nodes.rest[8 * node]);
  }
  const step = settings.timeStep * (settings.timeStep + parameter[at + DAMPING]);
  if (strands.kind[object] === L.KIND_SOLID)
    return step * parameter[at + STRETCH_MODULUS] * edge <= STIFFEST_SOLID * mass;
  const plane =
    2 *
    parameter[at + RADIUS] *
    Math.max(parameter[at + STRETCH_MODULUS], parameter[at + SHEAR_MODULUS], rods.weave[at / 2 + WEFT_MODULUS]);
  const plate = (8 * parameter[at + YOUNG_MODULUS] * parameter[at + RADIUS] ** 3) / edge ** 2;
  return step * Math.max(plane, plate) <= STIFFEST_SHELL * mass;
}

/** Takes those that were quarantined out of a list, in place. */
function dropIdle(objects: number[], flags: Int32Array): void {
  let kept = 0;
  for (const object of objects) if (!(flags[object] & IDLE)) objects[kept++] = object;
  objects.length = kept;
}

function predictOther({ engine, meshes }: Wasm, object: number, step: ElasticStep, guess: number): void {
  const { arena, tables } = engine;
  const { strands, nodes } = tables;
  const count = arena.i32[L.NODE_COUNT >> 2];
  if (meshes.give.length < count) {
    meshes.f = new Float64Array(8 * count);
    meshes.give = new Float64Array(2 * count);
  }
  const { f } = meshes;
  const start = 4 * strands.first[object];
  const size = 4 * strands.nodes[object];
  const at = guess === 0 ? null : arena.f64.subarray((guess >> 3) + start, (guess >> 3) + start + size);
  const system = systemOfKind(meshes.systems, strands.kind[object]);
  let isGood = system.assemble(tables, object, step, at, f);
  if (isGood) {
    system.solve(f, tables, object, false);
    for (let i = start; i < start + size; i++) nodes.predicted[i] = f[i];
    isGood = isFinite4(nodes.predicted, start, size);
  }
  if (!isGood) quarantineStrand(engine, object);
}

/** As the kernels' rodWeigh: nodes that are BARE_WEIGHT in the weights get 0; `active`: address of a byte an object. */
export function weighMeshes(w: Wasm, active: number): void {
  const { engine, meshes, at } = w;
  const kernels = kernelsOf(w);
  const { kind } = engine.tables.strands;
  for (const object of meshes.objects) {
    if (engine.arena.u8[active + object] === 0) continue;
    kernels.meshWeigh(meshes.records[object], at.weights, kind[object] === L.KIND_SOLID ? SOLID_SHARE : SHELL_SHARE);
  }
  for (const object of meshes.others) if (engine.arena.u8[active + object] !== 0) weighOther(w, object);
}

function weighOther({ engine, meshes, at }: Wasm, object: number): void {
  const { arena, tables } = engine;
  const { f32 } = arena;
  const { strands } = tables;
  const from = at.weights >> 2;
  const { f, give } = meshes;
  const system = systemOfKind(meshes.systems, strands.kind[object]);
  system.give(give, tables, object);
  const share = shareOf(tables, give, object);
  const first = strands.first[object];
  for (let node = first; node < first + strands.nodes[object]; node++) {
    const isFree = f32[from + node] !== BARE_WEIGHT && !system.isHeld?.(tables, object, node);
    f32[from + node] = isFree ? share / give[node] : 0;
    f.fill(f32[from + node], 4 * node, 4 * node + 4);
  }
  system.weigh(f, tables, object);
}

/**
 * As the kernels' rodSolve. With other rows for the answer these hold where the solve begins: with A + W the answer of
 * the last round, with A a guess.
 */
export function solveMeshes(w: Wasm, isWeighted: boolean, right: number, out: number, active: number): void {
  const { engine, meshes, options } = w;
  const kernels = kernelsOf(w);
  const { u8 } = engine.arena;
  const isRound = isWeighted && right !== out;
  const tolerance = isRound ? (ROUND_TOLERANCE * options.tolerance) / engine.settings.timeStep : SOLVE_TOLERANCE;
  const share = isRound ? ROUND_SHARE : SOLVE_SHARE;
  const most = isRound ? ROUND_ITERATIONS : SOLVE_ITERATIONS;
  const from = right === out ? FROM_ZERO : isWeighted ? FROM_LAST : FROM_MULTIPLE;
  for (const object of meshes.objects) {
    if (u8[active + object] === 0) continue;
    kernels.meshSolve(meshes.records[object], isWeighted ? 1 : 0, right, out, from, tolerance, share, most);
  }
  for (const object of meshes.others) if (u8[active + object] !== 0) solveOther(w, object, isWeighted, right, out);
}

function solveOther({ engine, meshes }: Wasm, object: number, isWeighted: boolean, right: number, out: number): void {
  const { arena, tables } = engine;
  const { f32 } = arena;
  const { strands } = tables;
  const { f } = meshes;
  const start = 4 * strands.first[object];
  const end = start + 4 * strands.nodes[object];
  for (let i = start; i < end; i++) f[i] = f32[(right >> 2) + i];
  systemOfKind(meshes.systems, strands.kind[object]).solve(f, tables, object, isWeighted);
  for (let i = start; i < end; i++) f32[(out >> 2) + i] = f[i];
}
