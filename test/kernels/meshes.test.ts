// The kernels of shells against the equations in double precision (mechanics): A and b, velocities without contacts,
// solves with A + W.

import { expect, test } from 'vitest';
import { BARE_WEIGHT } from '../../src/core/elastic-constants';
import { createRandom } from '../../src/core/random';
import { createKernelScratch } from '../../src/core/scratch';
import { holdMesh, openMeshRecords, prescribedOf } from '../../src/dynamics/elastic/backends/wasm/mesh-records';
import { elasticStepOf } from '../../src/dynamics/elastic/elastic-step';
import { surfaceKernelsOf } from '../../src/dynamics/elastic/surface-parts';
import { elasticKind } from '../../src/mechanics/kinds';
import { prescribePins } from '../../src/mechanics/pins';
import * as L from '../../src/state/layout';
import * as M from '../../src/state/mesh-layout';
import { REST_GIVE, REST_GIVE_STEP } from '../../src/state/node-places';
import { addShellRows, gridMesh, pin, shellDefinition } from '../mechanics/shell/shell-world';
import { createRodWorld } from '../validation/strand-worlds';

interface Cloth {
  cells: number;
  bending: number;
  stretch?: number;
  damping: number;
  drag: number;
}

const EDGE = 0.015;

/**
 * A square of cloth in folds and in motion, held at two corners, with its record; behind another, so that no number is
 * 0.
 */
function createCloth({ cells, bending, stretch = 1e6, damping, drag }: Cloth) {
  const world = createRodWorld({});
  const { engine } = world.physics.internal;
  addShellRows(world, shellDefinition(gridMesh(2, 2, 0.03, 0.03)));
  const mesh = gridMesh(cells, cells, cells * EDGE, cells * EDGE);
  const parameter = [0.5e-3, 400, bending, 0, stretch, damping, 0.3, 0];
  const slot = addShellRows(world, shellDefinition(mesh, { parameter, extra: [1, drag, 0, 0.3] }));
  pin(engine, slot, 0);
  pin(engine, slot, cells);
  const { arena, tables } = engine;
  const { nodes, rods, strands } = tables;
  const object = rods.strandStart[slot];
  const first = strands.first[object];
  const count = strands.nodes[object];
  const random = createRandom(3);
  for (let i = 0; i < count; i++) {
    if (i === 0 || i === cells) continue;
    const [x, z] = [mesh.points[3 * i], mesh.points[3 * i + 2]];
    const at = 4 * (first + i);
    const shake = () => 2e-5 * (random() - 0.5);
    nodes.position.set([0.99 * x + shake(), 0.01 * Math.sin(x / 0.02) + shake(), z + shake()], at);
    for (let k = 0; k < 3; k++) {
      nodes.velocity[at + k] = 1 + 0.1 * Math.sin(20 * x + k + 9 * z);
      nodes.previous[at + k] = nodes.position[at + k] - nodes.velocity[at + k] / 60;
      nodes.force[at + k] = 1e-4 * random();
    }
  }
  const header = arena.f64;
  header[L.TIME_STEP >> 3] = engine.settings.timeStep;
  for (let k = 0; k < 3; k++) {
    header[(L.GRAVITY >> 3) + k] = engine.settings.gravity[k];
    header[(L.WIND >> 3) + k] = k + 0.5;
  }
  const patterns = { kept: [] };
  const records: number[] = [];
  const work = createKernelScratch(arena, { address: L.MESH_WORK_ADDRESS, size: L.MESH_WORK_SIZE });
  openMeshRecords(engine, patterns, work, [object], records);
  const step = elasticStepOf(engine);
  const { held, heldVelocity } = prescribedOf(patterns, object);
  prescribePins(held, heldVelocity, tables, object, step);
  holdMesh(engine, patterns, object, records[object]);

  const guess = new Float64Array(4 * count);
  for (let i = 0; i < guess.length; i++) {
    if (i % 4 < 3) guess[i] = 1.02 * nodes.velocity[4 * first + i] + 0.01 * Math.sin(i);
  }
  const spare = createKernelScratch(arena, { address: L.STRAND_NOTES_ADDRESS, size: L.STRAND_NOTES_SIZE });
  const block = spare.address(128 * (first + count));
  arena.f64.set(guess, (block >> 3) + 4 * first);
  const system = elasticKind(L.KIND_SHELL).createSystem();
  system.resize(first + count);
  /** Velocities without contacts in double precision. */
  const solveExact = (isGuessed: boolean) => {
    const f = new Float64Array(4 * (first + count));
    expect(system.assemble(tables, object, step, isGuessed ? guess : null, f)).toBe(true);
    system.solve(f, tables, object, false);
    return f;
  };
  const record = records[object];
  const cell = (field: number) => arena.i32[(record + field) >> 2];
  const kernels = surfaceKernelsOf(engine)!;
  const out = arena.i32[L.NODE_PREDICTED >> 2];
  const predict = (isGuessed: boolean) => kernels.meshPredict(record, isGuessed ? block : 0, out);
  const rows = block + 32 * (first + count);
  return { arena, tables, object, first, count, guess, system, record, cell, kernels, rows, solveExact, predict };
}

type Made = ReturnType<typeof createCloth>;

/**
 * Largest part of b − A d of the kernels' f64 blocks, over what is added up in it: d the exact change of velocity.
 */
function worstMisfit({ arena, cell, count, first }: Made, exact: Float64Array, base: Float64Array): number {
  const { f64, i32 } = arena;
  const residual = new Float64Array(3 * count);
  const size = new Float64Array(3 * count);
  const nodeOf = cell(M.M_NODE_OF) >> 2;
  const d = (row: number, k: number) => {
    const at = 4 * i32[nodeOf + row] + k;
    return exact[4 * first + at] - base[at];
  };
  const add = (i: number, j: number, less: number, block: number, isTransposed: boolean) => {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const own = i === j ? 0 : d(less, c);
        const part = f64[(block >> 3) + (isTransposed ? 4 * r + c : 4 * c + r)] * (d(j, c) - own);
        residual[3 * i + r] -= part;
        size[3 * i + r] += Math.abs(part);
      }
    }
  };
  for (let j = 0; j < count; j++) {
    for (let k = 0; k < 3; k++) residual[3 * j + k] += f64[(cell(M.M_RIGHT) >> 3) + 4 * j + k];
    add(j, j, j, cell(M.M_ROW_SUM) + M.BLOCK64 * j, false);
    const start = (cell(M.M_A_START) >> 2) + j;
    for (let p = i32[start]; p < i32[start + 1]; p++) {
      const i = i32[(cell(M.M_A_ROW) >> 2) + p];
      // Of A_ij and of what it takes from the diagonal.
      add(i, j, i, cell(M.M_BELOW) + M.BLOCK64 * p, false);
      add(j, i, j, cell(M.M_BELOW) + M.BLOCK64 * p, true);
    }
  }
  return Math.max(...residual.map((x, k) => Math.abs(x) / Math.max(size[k], 1e-12)));
}

const CLOTHS: [string, Cloth][] = [
  ['cotton', { cells: 12, bending: 1e6, damping: 0, drag: 0 }],
  ['cotton in the wind, with damping', { cells: 9, bending: 1e6, damping: 1e-3, drag: 0.3 }],
  // 2·10⁶ and 6·10⁹ times as stiff as its inertia in a step.
  ['foil', { cells: 12, bending: 1e6, stretch: 3e8, damping: 0, drag: 0 }],
  ['foil beyond what f32 holds', { cells: 9, bending: 1e6, stretch: 1e12, damping: 0, drag: 0 }],
  ['board, factored with its hinges', { cells: 9, bending: 1e9, damping: 0, drag: 0 }],
];

test.each(CLOTHS)('A and b are those of the mechanics, and f32 solves them: %s', (_name, cloth) => {
  const made = createCloth(cloth);
  const { tables, first, count, guess, solveExact, predict } = made;
  for (const isGuessed of [false, true]) {
    const exact = solveExact(isGuessed);
    const base = isGuessed ? guess : tables.nodes.velocity.slice(4 * first, 4 * (first + count));
    expect(predict(isGuessed)).toBe(0);
    // Edges so stiff that f32 would lose what is across them are hardened by as much (mesh/assemble.ts).
    const stretch = cloth.stretch ?? 0;
    const isHardened = stretch > 1e10;
    expect(worstMisfit(made, exact, base)).toBeLessThan(stretch > 1e8 ? 1e-5 : 1e-10);
    let error = 0;
    let change = 0;
    for (let i = 0; i < 4 * count; i++) {
      error = Math.max(error, Math.abs(exact[4 * first + i] - tables.nodes.predicted[4 * first + i]));
      change = Math.max(change, Math.abs(exact[4 * first + i] - base[i]));
    }
    expect(change).toBeGreaterThan(0.1);
    // Such a sheet is only held together.
    const share = isHardened ? 1 : 1e-3;
    if (!(isHardened && isGuessed)) expect(error).toBeLessThan(share * change);
  }
});

test.each(CLOTHS)('weights are a share of what the inverse of A resists: %s', (_name, cloth) => {
  const made = createCloth(cloth);
  const { arena, tables, first, count, object, system, record, kernels, rows, solveExact, predict } = made;
  solveExact(false);
  predict(false);
  const { f32 } = arena;
  f32.fill(0, rows >> 2, (rows >> 2) + first + count);
  kernels.meshWeigh(record, rows, 2);
  const give = new Float64Array(first + count);
  system.give(give, tables, object);
  const off: number[] = [];
  for (let i = first; i < first + count; i++) {
    if (i !== first && i !== first + cloth.cells) off.push((f32[(rows >> 2) + i] * give[i]) / 2);
  }
  expect(Math.min(...off)).toBeGreaterThan(0.99);
  // The factor of cloth is that of a somewhat stiffer one.
  expect(Math.max(...off)).toBeLessThan(cloth.bending > 1e8 ? 1.01 : 1.7);
});

test('A + W is solved, from nothing and from an answer nearby; held and bare nodes have no weight', () => {
  const made = createCloth({ cells: 12, bending: 1e6, damping: 0, drag: 0 });
  const { arena, tables, object, first, count, system, record, kernels, rows, solveExact, predict, cell } = made;
  solveExact(false);
  predict(false);
  const { f32 } = arena;
  const end = first + count;
  const weights = rows;
  const right = rows + 16 * end;
  const out = rows + 32 * end;
  for (let i = 0; i < end; i++) f32[(weights >> 2) + i] = i % 3 === 0 ? BARE_WEIGHT : 0;
  kernels.meshWeigh(record, weights, 2);
  const weight = new Float64Array(4 * end);
  for (let i = first; i < end; i++) {
    const w = f32[(weights >> 2) + i];
    if (i % 3 === 0 || i === first || i === first + 12) expect(w).toBe(0);
    else expect(w).toBeGreaterThan(tables.nodes.mass[2 * i]);
    weight.fill(w, 4 * i, 4 * i + 3);
  }
  system.weigh(weight, tables, object);
  for (const which of [0, 1]) {
    const x = new Float64Array(4 * end);
    for (let i = 4 * first; i < 4 * end; i++) {
      const isHeld = i >> 2 === first || i >> 2 === first + 12;
      x[i] = i % 4 < 3 && !isHeld ? Math.fround(1e-5 * Math.sin(i)) : 0;
      f32[(right >> 2) + i] = x[i];
      f32[(out >> 2) + i] = 0;
    }
    system.solve(x, tables, object, which === 1);
    const most = Math.max(...x.map(Math.abs));
    const error = () => Math.max(...x.slice(4 * first).map((v, k) => Math.abs(v - f32[(out >> 2) + 4 * first + k])));
    kernels.meshSolve(record, which, right, out, 0, 0, 1e-4, 60);
    expect(error()).toBeLessThan(1e-3 * most);
    const before = cell(M.M_ITERATIONS);
    kernels.meshSolve(record, which, right, out, 1, 0, 1e-3, 60);
    expect(cell(M.M_ITERATIONS)).toBe(before);
    // From a multiple of the answer; what lies at nodes that are held is none.
    for (let i = 4 * first; i < 4 * end; i++) f32[(out >> 2) + i] = 0.4 * x[i];
    f32.fill(5, (out >> 2) + 4 * first, (out >> 2) + 4 * first + 3);
    kernels.meshSolve(record, which, right, out, M.FROM_MULTIPLE, 0, 1e-3, 60);
    expect(cell(M.M_ITERATIONS)).toBe(before);
    expect(error()).toBeLessThan(1e-3 * most);
    // In place: from nothing.
    kernels.meshSolve(record, which, right, right, 0, 0, 1e-4, 60);
    expect(f32[(right >> 2) + 4 * first + 5]).toBeCloseTo(x[4 * first + 5], 2 - Math.round(Math.log10(most)));
  }
});

test('how far the nodes of a shell give way is found once for four steps', () => {
  const { arena, tables, first, count, record, kernels, rows, predict, cell } = createCloth(CLOTHS[0][1]);
  const { f32, i32 } = arena;
  const { rest } = tables.nodes;
  const give = (step: number) => {
    i32[L.STEP_INDEX >> 2] = step;
    predict(false);
    f32.fill(0, rows >> 2, (rows >> 2) + first + count);
    kernels.meshWeigh(record, rows, 2);
    return f32.slice(cell(M.M_GIVE) >> 2, (cell(M.M_GIVE) >> 2) + count);
  };
  const found = give(9);
  expect(rest[8 * first + REST_GIVE_STEP]).toBe(9);
  for (let i = first; i < first + count; i++) rest[8 * i + REST_GIVE] *= 2;
  expect(give(12)).toEqual(found.map((value) => 2 * value));
  expect(give(13)).toEqual(found);
  expect(rest[8 * first + REST_GIVE_STEP]).toBe(13);
  // A state of before.
  for (let i = first; i < first + count; i++) rest[8 * i + REST_GIVE] *= 2;
  expect(give(12)).toEqual(found);
});

test('a cloth that cannot be solved is told', () => {
  const { tables, first, predict } = createCloth({ cells: 4, bending: 1e6, damping: 0, drag: 0 });
  tables.nodes.position[4 * (first + 7)] = Number.NaN;
  expect(predict(false)).toBe(1);
});
