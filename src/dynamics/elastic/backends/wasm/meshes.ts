// Objects with a mesh on the wasm backend: their equations in double precision (mechanics), beside the strands'
// kernels.
//
// The same questions in the same order as the kernels' rodPredict, rodWeigh and rodSolve are asked; vectors of the
// solve are f32×4 a node.

import { BARE_WEIGHT } from '../../../../core/elastic-constants';
import * as L from '../../../../state/layout';
import { elasticStepOf } from '../../elastic-step';
import { isFinite4, quarantineStrand } from '../../store-solution';
import { shareOf } from '../reference/weights';
import type { Wasm } from './wasm';

const IDLE = L.STRAND_QUARANTINED | L.STRAND_ASLEEP;

/** As ElasticBackend.predict. `guess`: address of the velocities to linearise at, 0: the state as it is. */
export function predictMeshes({ engine, meshes }: Wasm, guess: number): void {
  const { arena, tables } = engine;
  const { strands, nodes } = tables;
  const count = arena.i32[L.NODE_COUNT >> 2];
  meshes.objects.length = 0;
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (strands.kind[object] === L.KIND_ROD || strands.flags[object] & IDLE) continue;
    meshes.objects.push(object);
  }
  if (meshes.objects.length === 0) return;
  if (meshes.give.length < count) {
    meshes.f = new Float64Array(8 * count);
    meshes.give = new Float64Array(2 * count);
  }
  const { f } = meshes;
  const step = elasticStepOf(engine);
  for (const object of meshes.objects) {
    const start = 4 * strands.first[object];
    const size = 4 * strands.nodes[object];
    const at = guess === 0 ? null : arena.f64.subarray((guess >> 3) + start, (guess >> 3) + start + size);
    const system = meshes.systems[strands.kind[object]];
    let isGood = system.assemble(tables, object, step, at, f);
    if (isGood) {
      system.solve(f, tables, object, false);
      for (let i = start; i < start + size; i++) nodes.predicted[i] = f[i];
      isGood = isFinite4(nodes.predicted, start, size);
    }
    if (!isGood) quarantineStrand(engine, object);
  }
  meshes.objects.splice(0, Number.POSITIVE_INFINITY, ...meshes.objects.filter((o) => !(strands.flags[o] & IDLE)));
}

/** As the kernels' rodWeigh: nodes that are BARE_WEIGHT in the weights get 0; `active`: address of a byte an object. */
export function weighMeshes({ engine, meshes, at }: Wasm, active: number): void {
  const { arena, tables } = engine;
  const { f32, u8 } = arena;
  const { strands } = tables;
  const from = at.weights >> 2;
  const { f, give } = meshes;
  for (const object of meshes.objects) {
    if (u8[active + object] === 0) continue;
    const system = meshes.systems[strands.kind[object]];
    system.give(give, tables, object);
    const share = shareOf(tables, give, object);
    const first = strands.first[object];
    for (let node = first; node < first + strands.nodes[object]; node++) {
      const isFree = f32[from + node] !== BARE_WEIGHT && !system.isHeld?.(tables, object, node);
      const weight = isFree ? share / give[node] : 0;
      f32[from + node] = weight;
      f.fill(f32[from + node], 4 * node, 4 * node + 4);
    }
    system.weigh(f, tables, object);
  }
}

/** As the kernels' rodSolve. */
export function solveMeshes(
  { engine, meshes }: Wasm,
  isWeighted: boolean,
  right: number,
  out: number,
  active: number,
): void {
  const { arena, tables } = engine;
  const { f32, u8 } = arena;
  const { strands } = tables;
  const { f } = meshes;
  for (const object of meshes.objects) {
    if (u8[active + object] === 0) continue;
    const start = 4 * strands.first[object];
    const end = start + 4 * strands.nodes[object];
    for (let i = start; i < end; i++) f[i] = f32[(right >> 2) + i];
    meshes.systems[strands.kind[object]].solve(f, tables, object, isWeighted);
    for (let i = start; i < end; i++) f32[(out >> 2) + i] = f[i];
  }
}

/**
 * x := A⁻¹ x or (A + W)⁻¹ x of the objects where the byte at `active` is not 0: rows at `right`, answers at `out` [B].
 */
export function solveElastic(w: Wasm, isWeighted: boolean, right: number, out: number, active: number): void {
  w.kernels.rodSolve(w.at.work, isWeighted ? 1 : 0, right, out, active);
  if (w.meshes.objects.length > 0) solveMeshes(w, isWeighted, right, out, active);
}
