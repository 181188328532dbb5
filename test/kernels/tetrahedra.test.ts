// The kernels of solids against the equations in double precision (mechanics): velocities without contacts, of bodies
// that turn, are stretched, crushed and inside out; rigid motion is left alone.

import { expect, test } from 'vitest';
import { COROTATED, FIXED_COROTATED, NEO_HOOKEAN } from '../../src/core/elastic-constants';
import { createRandom } from '../../src/core/random';
import { createKernelScratch } from '../../src/core/scratch';
import {
  holdMesh,
  type MeshPatterns,
  openMeshRecords,
  prescribedOf,
} from '../../src/dynamics/elastic/backends/wasm/mesh-records';
import { elasticStepOf } from '../../src/dynamics/elastic/elastic-step';
import { surfaceKernelsOf } from '../../src/dynamics/elastic/surface-parts';
import { elasticKind } from '../../src/mechanics/kinds';
import { prescribePins } from '../../src/mechanics/pins';
import * as L from '../../src/state/layout';
import * as M from '../../src/state/mesh-layout';
import { pin } from '../mechanics/shell/shell-world';
import { addSolidRows, box, solidDefinition } from '../mechanics/solid/solid-world';
import { createRodWorld } from '../validation/strand-worlds';

interface Case {
  model: number;
  damping: number;
  poisson: number;
  /** Where a vertex is. */
  place(p: readonly number[], shake: () => number): number[];
}

const EDGE = 0.06;
const turn = ([x, y, z]: readonly number[]) => [0.6 * x - 0.8 * z, y, 0.8 * x + 0.6 * z];
const STATES: [string, Case['place']][] = [
  ['turned and shaken', (p, shake) => turn(p).map((x) => x + 0.004 * shake())],
  ['stretched to twice', ([x, y, z], shake) => turn([2 * x, 0.7 * y + 0.003 * shake(), z])],
  ['blown up', ([x, y, z], shake) => turn([4 * x, 3 * y + 0.003 * shake(), 3 * z])],
  ['crushed flat', ([x, y, z], shake) => turn([x, 0.002 * y + 1e-4 * shake(), z])],
  ['inside out', ([x, y, z], shake) => turn([x, -0.9 * y + 0.002 * shake(), z])],
];
const MODELS: [string, number, number][] = [
  ['corotated', COROTATED, 0.3],
  ['corotated that widens', COROTATED, -0.4],
  ['fixed corotated', FIXED_COROTATED, 0.3],
  ['neo-Hookean', NEO_HOOKEAN, 0.45],
];

/** A box of an odd number of tetrahedra, behind another one, held at a vertex, in the state at hand. */
function createBlock({ model, damping, poisson, place }: Case) {
  const world = createRodWorld({});
  const { engine } = world.physics.internal;
  const low = [0, 0, 0];
  addSolidRows(world, solidDefinition(box([1, 1, 1], low, [0.1, 0.1, 0.1]), { young: 1e5 }));
  const mesh = box([2, 2, 1], low, [2 * EDGE, 2 * EDGE, EDGE]);
  // All but one: the last group of four is not full.
  const tetrahedra = mesh.tetrahedra.slice(4);
  const material = { young: 5e4, poisson, damping, model };
  const slot = addSolidRows(world, solidDefinition({ vertices: mesh.vertices, tetrahedra }, material));
  pin(engine, slot, 0);
  const { arena, tables } = engine;
  const { nodes, rods, strands } = tables;
  const object = rods.strandStart[slot];
  const first = strands.first[object];
  const count = strands.nodes[object];
  const random = createRandom(5);
  const shake = () => random() - 0.5;
  for (let i = 0; i < count; i++) {
    const at = 4 * (first + i);
    nodes.position.set(place([...mesh.vertices.subarray(3 * i, 3 * i + 3)], shake), at);
    for (let k = 0; k < 3; k++) {
      nodes.velocity[at + k] = 1 + 0.3 * Math.sin(20 * nodes.position[at + ((k + 1) % 3)] + k) + 0.05 * shake();
      nodes.previous[at + k] = nodes.position[at + k] - nodes.velocity[at + k] / 60;
      nodes.force[at + k] = 1e-2 * random();
    }
  }
  arena.f64[L.TIME_STEP >> 3] = engine.settings.timeStep;
  for (let k = 0; k < 3; k++) arena.f64[(L.GRAVITY >> 3) + k] = engine.settings.gravity[k];
  const patterns: MeshPatterns = { kept: [] };
  const records: number[] = [];
  const work = createKernelScratch(arena, { address: L.MESH_WORK_ADDRESS, size: L.MESH_WORK_SIZE });
  openMeshRecords(engine, patterns, work, [object], records);
  const step = elasticStepOf(engine);
  const { held, heldVelocity } = prescribedOf(patterns, object);
  prescribePins(held, heldVelocity, tables, object, step);
  holdMesh(engine, patterns, object, records[object]);
  const spare = createKernelScratch(arena, { address: L.STRAND_NOTES_ADDRESS, size: L.STRAND_NOTES_SIZE });
  const block = spare.address(32 * (first + count));
  const guess = new Float64Array(4 * count);
  for (let i = 0; i < guess.length; i++) {
    if (i % 4 < 3) guess[i] = 1.02 * nodes.velocity[4 * first + i] + 0.01 * Math.sin(i);
  }
  arena.f64.set(guess, (block >> 3) + 4 * first);
  const system = elasticKind(L.KIND_SOLID).createSystem();
  system.resize(first + count);
  return {
    tables,
    first,
    count,
    /** Velocities without contacts: in double precision, and by the kernels. */
    exact(isGuessed: boolean) {
      const f = new Float64Array(4 * (first + count));
      expect(system.assemble(tables, object, step, isGuessed ? guess : null, f)).toBe(true);
      system.solve(f, tables, object, false);
      return f.slice(4 * first);
    },
    predict(isGuessed: boolean) {
      const out = arena.i32[L.NODE_PREDICTED >> 2];
      const bad = surfaceKernelsOf(engine)!.meshPredict(records[object], isGuessed ? block : 0, out);
      return { bad, velocity: nodes.predicted.slice(4 * first, 4 * (first + count)) };
    },
    /** How far the nodes give way to the kernels: in the state at hand, and in the shape at rest. */
    gives() {
      const kernels = surfaceKernelsOf(engine)!;
      const record = records[object];
      const read = () => {
        const found = arena.i32[(record + M.M_GIVE) >> 2] >> 2;
        return arena.f32.slice(found, found + count);
      };
      kernels.meshPredict(record, 0, arena.i32[L.NODE_PREDICTED >> 2]);
      kernels.meshWeigh(record, block, 1);
      const now = read();
      kernels.meshGive(record);
      return [now, read()];
    },
    base: (isGuessed: boolean) => (isGuessed ? guess : nodes.velocity.slice(4 * first, 4 * (first + count))),
  };
}

test('nodes give way as in the shape at rest, however the solid is turned; not where it is crushed', () => {
  const material = { model: NEO_HOOKEAN, poisson: 0.3, damping: 0.01 };
  const [now, atRest] = createBlock({ ...material, place: turn }).gives();
  now.forEach((give, row) => {
    expect(atRest[row] / give).toBeCloseTo(1, 1);
  });
  // To less than a tenth of its volume it would be on its way back, by another law.
  const pressed: Case['place'] = ([x, y, z], shake) => turn([x, 0.15 * y + 1e-4 * shake(), z]);
  const [crushed, again] = createBlock({ ...material, place: pressed }).gives();
  expect(again).toEqual(atRest);
  expect(Math.min(...crushed.map((give, row) => give / again[row]))).toBeLessThan(0.5);
});

const largest = (x: Float64Array) => x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

test.each(
  MODELS.flatMap(([name, model, poisson]) =>
    STATES.map(([state, place]) => [`${name}, ${state}`, { model, poisson, damping: 0, place }]),
  ) as [string, Case][],
)('a step is that of the mechanics: %s', (_name, given) => {
  for (const damping of [0, 0.01]) {
    const made = createBlock({ ...given, damping });
    for (const isGuessed of [false, true]) {
      const exact = made.exact(isGuessed);
      const { bad, velocity } = made.predict(isGuessed);
      expect(bad).toBe(0);
      const base = made.base(isGuessed);
      const change = largest(exact.map((v, i) => v - base[i]));
      expect(change).toBeGreaterThan(0.1);
      expect(largest(exact.map((v, i) => v - velocity[i])) / change).toBeLessThan(2e-4);
    }
  }
});
