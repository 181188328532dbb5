// Strands on the kernels: matrices and factors four strands at a time (kernels/assembly/rod/rods.ts), contacts and the
// vectors of ADMM in f32 SIMD (kernels/assembly/elastic/admm.ts).
//
// Conditioning sets the division of labour: matrices and the velocity without contacts are formed in f64, what contacts
// change is an increment that f32 holds. The start is v = v₀ + A⁻¹ Bᵀ r with the forces of the last
// step and λ = W⁻¹ Bᵀ r: it obeys the elastic equations with those forces, so every later solve has
// only changes on its right-hand side.

import { resizeAdmmProblem } from '../../../../solvers/admm/problem';
import * as L from '../../../../state/layout';
import type { Engine } from '../../../engine';
import type { Carried } from '../../carried';
import { isFinite4, quarantineStrand } from '../../store-solution';
import { surfacePartsOf } from '../../surface-parts';
import type { ElasticBackend } from '../elastic-backend';
import { writeHolds } from './holds';
import { forgetMeshes } from './mesh-systems';
import { solveWasm } from './solve';
import { createWasm, openRodBlock, type Wasm } from './wasm';

/** Makes the backend of one world. */
export function createWasmBackend(engine: Engine): ElasticBackend {
  const w = createWasm(engine);
  return {
    name: 'wasm',
    gathersStrands: true,
    problem: w.problem,
    predict: (_engine, atGuess, carried) => predict(w, atGuess, carried),
    respond: (_engine, carried, changes, out) => respond(w, carried, changes, out),
    solve: (_engine, e, free, findNew, report) => solveWasm(w, e, free, findNew, report),
    integrate: () => integrate(w),
  };
}

function predict(w: Wasm, atGuess: boolean, carried: Carried): void {
  const { engine, kernels, problem, at } = w;
  const { arena } = engine;
  const { strands, nodes } = engine.tables;
  resizeAdmmProblem(problem, 4 * arena.i32[L.NODE_COUNT >> 2], problem.bodyCount);
  openRodBlock(w, carried);
  const count = arena.i32[L.STRAND_COUNT >> 2];
  arena.i32.set(carried.of.subarray(0, count), at.carried >> 2);
  const isCarrying = carried.bodies.length > 0;
  const [of, probes] = isCarrying ? [at.carried, at.probes] : [0, 0];
  writeHolds(w);

  const out = arena.i32[L.NODE_PREDICTED >> 2];
  for (let strand = 0; strand < count; strand++) {
    if (!(strands.flags[strand] & L.STRAND_QUARANTINED)) continue;
    nodes.predicted.fill(0, 4 * strands.first[strand], 4 * (strands.first[strand] + strands.nodes[strand]));
  }
  if (atGuess) arena.u8.copyWithin(at.guess, out, out + 32 * arena.i32[L.NODE_COUNT >> 2]);
  const guess = atGuess ? at.guess : 0;
  const bad = kernels.rodPredict(at.work, guess, out, at.holds, of, probes);
  const surfaces = surfacePartsOf(engine);
  if (surfaces) surfaces.predictMeshes(w, guess);
  else forgetMeshes(w.meshes);
  if (bad === 0) return;

  for (let strand = 0; strand < count; strand++) {
    if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
    const start = 4 * strands.first[strand];
    if (!isFinite4(nodes.predicted, start, 4 * strands.nodes[strand])) quarantineStrand(engine, strand);
  }
  // The groups have changed.
  kernels.rodPredict(at.work, guess, out, at.holds, of, probes);
}

function respond({ engine, kernels, at }: Wasm, carried: Carried, changes: Float64Array, out: number): void {
  const { arena } = engine;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) arena.u8[at.active + s] = carried.of[s] >= 0 ? 1 : 0;
  arena.f64.set(changes.subarray(0, 8 * carried.bodies.length), at.changes >> 3);
  // Rows that the solve uses only later.
  kernels.rodDrive(at.lastLook, at.carried, at.probes, at.changes);
  kernels.rodSolve(at.work, 0, at.lastLook, at.lastLook, at.active);
  kernels.rodAnswer(at.lastLook, at.carried, out);
}

function integrate({ engine, kernels }: Wasm): void {
  if (kernels.rodIntegrate() === 0) return;
  const { strands, nodes } = engine.tables;
  for (let strand = 0; strand < engine.arena.i32[L.STRAND_COUNT >> 2]; strand++) {
    if (strands.flags[strand] & L.STRAND_QUARANTINED) continue;
    if (!isFinite4(nodes.position, 4 * strands.first[strand], 4 * strands.nodes[strand])) {
      quarantineStrand(engine, strand);
    }
  }
}
