// The strand kernels on the device against the reference in f64: seeded single steps.

import { expect } from 'vitest';
import { STRAND_SHARE } from '../../src/core/elastic-constants';
import { createRandom } from '../../src/core/random';
import { REPORT_WORDS } from '../../src/gpu/constants';
import { STATE_USAGE } from '../../src/gpu/device/buffers';
import { bind, compileKernels, dispatch } from '../../src/gpu/device/pipelines';
import { SOLVER_KERNELS } from '../../src/gpu/solve/solver-kernels';
import { bindBlock } from '../../src/gpu/tables/strand-buffers';
import { inverseDiagonal } from '../../src/math/banded-inverse';
import { factorBanded, solveBanded } from '../../src/math/banded-ldl';
import { updateFrames } from '../../src/mechanics/rod/update-frames';
import * as L from '../../src/state/layout';
import * as S from '../mechanics/rod/strand-world';
import {
  addStrands,
  createWorld,
  HAIR,
  nodeCount,
  ROPE,
  range,
  readColumn,
  relativeError,
  stepOnDevice,
  stepStrands,
  strandCount,
  withStrands,
} from './strand-worlds';
import { download, gpuTest, withDevice } from './test-device';

/** Tolerances: about four times what is measured on SwiftShader. */
const KINDS = [
  ['hair', HAIR, 5e-3, 1e-3],
  ['rope', ROPE, 0.05, 5e-5],
  ['the finest hair', { ...HAIR, radius: 20e-6 }, 3e-4, 1e-2],
  ["a ship's rope", { ...ROPE, radius: 0.05, young: 1e9 }, 1, 5e-5],
  ['a rope five times thicker than its edges are long', { ...ROPE, radius: 0.05, young: 1e7 }, 0.01, 1e-3],
] as const;

gpuTest.each(KINDS)('one step of %s is that of the reference', async (_, kind, edge, tolerance) => {
  await withDevice(async (context) => {
    for (const shake of [0.02, 1e-4]) {
      const world = createWorld();
      const strands = addStrands(world, kind, edge, shake);
      await withStrands(context, world, async (gpu) => {
        const found = await stepOnDevice(gpu, world);
        for (const strand of strands) {
          expect(relativeError(world, strand, found, S.solveStep(world, strand))).toBeLessThan(tolerance);
        }
      });
    }
  });
});

gpuTest.each([
  ['hair', HAIR, 5e-3, 1e-3],
  ['rope', ROPE, 0.05, 5e-5],
] as const)(
  'one step of %s is that of the reference where stiffness differs along it',
  async (_, kind, edge, tolerance) => {
    await withDevice(async (context) => {
      const world = createWorld();
      const strands = addStrands(world, kind, edge, 0.02, true);
      await withStrands(context, world, async (gpu) => {
        const found = await stepOnDevice(gpu, world);
        for (const strand of strands) {
          expect(relativeError(world, strand, found, S.solveStep(world, strand))).toBeLessThan(tolerance);
        }
      });
    });
  },
);

gpuTest('clamps on the world are held exactly, the rest moves as in the reference', async () => {
  const world = createWorld();
  const strands = addStrands(world, HAIR, 5e-3, 1e-3);
  const { strands: table } = world.tables;
  for (const s of strands) {
    if (table.nodes[s] < 4) continue;
    S.clampHere(world, s);
    table.flags[s] = s % 3 === 0 ? L.STRAND_CLAMP_START : s % 3 === 1 ? L.STRAND_CLAMP_END : 3;
    for (let k = 0; k < 6; k++) table.clamp[24 * s + 12 + k] += 1e-4 * (1 + (k % 3));
  }
  await withDevice((context) =>
    withStrands(context, world, async (gpu) => {
      const found = await stepOnDevice(gpu, world);
      for (const s of strands) {
        const known = S.solveStep(world, s);
        expect(relativeError(world, s, found, known)).toBeLessThan(1e-3);
        if (table.nodes[s] < 4) continue;
        const [start, end] = range(world, s);
        const held = [...(s % 3 === 1 ? [] : [0, 1, 2, 3, 4, 5, 6]), ...(s % 3 === 0 ? [] : [-8, -7, -6, -4, -3, -2])];
        // A target half a metre away is an f32: 3·10⁻⁸ m, within one step.
        for (const k of held) {
          const at = k < 0 ? end + k : start + k;
          expect(Math.abs(found[at] - known[at - start])).toBeLessThan(1e-5 * (1 + Math.abs(known[at - start])));
        }
      }
    }),
  );
});

gpuTest('a strand clamped to a body follows its pose at the end of the step, turned and moved', async () => {
  const world = createWorld();
  const { tables, arena } = world;
  const s = S.addStrand(world, { ...HAIR, points: S.straight(16, 0.1), clampStart: true });
  tables.control.bodies.ensure(2);
  tables.strands.attach[2 * s] = 1;
  tables.bodies.flags[1] = L.BODY_KINEMATIC | L.BODY_HAS_TARGET;
  const half = 0.05;
  tables.bodies.targetPosition.set([0.003, 0.001, -0.002], 4);
  tables.bodies.targetRotation.set([0, 0, Math.sin(half), Math.cos(half)], 4);
  const bodies = new Float64Array(8 * tables.bodies.capacity);
  bodies.set(tables.bodies.targetPosition.subarray(4, 7), 8);
  bodies.set(tables.bodies.targetRotation.subarray(4, 8), 12);
  expect(arena.i32[L.STRAND_COUNT >> 2]).toBe(1);
  await withDevice((context) =>
    withStrands(context, world, async (gpu) => {
      stepStrands(gpu, { ...world, bodies });
      const found = await readColumn(gpu, 'velocities');
      const known = S.solveStep(world, s);
      expect(relativeError(world, s, found, known)).toBeLessThan(1e-3);
      for (let k = 0; k < 8; k++) expect(found[k]).toBeCloseTo(known[k], 4);
      expect(Math.abs(known[3])).toBeLessThan(1e-3);
    }),
  );
});

gpuTest('a fast strand loses little against its speed', async () => {
  const world = createWorld();
  const strand = S.addStrand(world, { ...HAIR, airDrag: 0, points: S.helix(32, 0.02, 0.03, 2) });
  for (let i = 0; i < 32; i++) world.tables.nodes.velocity.set([20, -7, 30, 0], 4 * i);
  await withDevice((context) =>
    withStrands(context, world, async (gpu) => {
      const found = await stepOnDevice(gpu, world);
      // Velocities are f32: half a digit of 30 m/s is 10⁻⁶, of the change by gravity 10⁻⁵.
      expect(relativeError(world, strand, found, S.solveStep(world, strand))).toBeLessThan(4e-5);
    }),
  );
});

gpuTest('weights and solves with A and A + W are those of the reference', async () => {
  await withDevice(async (context) => {
    const { trial } = await compileKernels(context, { trial: SOLVER_KERNELS.admmTrial });
    for (const [kind, edge] of [
      [HAIR, 5e-3],
      [ROPE, 0.05],
    ] as const) {
      const world = createWorld();
      const strands = addStrands(world, kind, edge);
      await withStrands(context, world, async (gpu) => {
        const size = 4 * nodeCount(world);
        const report = gpu.buffers.pool.create('report', 4 * REPORT_WORDS, STATE_USAGE);
        const right = gpu.buffers.pool.create('right', 4 * size, STATE_USAGE);
        const outs = [0, 1].map((k) => gpu.buffers.pool.create(`out ${k}`, 4 * size, STATE_USAGE));
        const run = (encode: (pass: GPUComputePassEncoder) => void) => {
          const encoder = context.device.createCommandEncoder();
          const pass = encoder.beginComputePass();
          encode(pass);
          pass.end();
          context.device.queue.submit([encoder.finish()]);
        };
        gpu.begin(world);
        run((pass) => {
          gpu.encodePredict(pass);
          gpu.encodeWeigh(pass);
        });
        const weights = await readColumn(gpu, 'weights', 1);
        const random = createRandom(3);
        const pushes = Float32Array.from({ length: size }, (_, i) => (i % 4 === 3 ? 0 : 2 * random() - 1));
        const b = pushes.map((push, i) => weights[i >> 2] * push);
        context.device.queue.writeBuffer(right.buffer, 0, pushes);
        run((pass) => {
          gpu.buffers.blocks.forEach((block, b) => {
            for (const k of [0, 1]) {
              const { strands: headers, weights: given } = gpu.buffers.columns;
              const group = bind(context, trial, {
                block: bindBlock(gpu.buffers, b, k),
                strands: { buffer: headers.buffer },
                factors: { buffer: block.factors[k].buffer },
                reduced: { buffer: block.reduced.buffer },
                weights: { buffer: given.buffer },
                projected: { buffer: right.buffer },
                free: { buffer: right.buffer },
                reference: { buffer: outs[k].buffer },
                report: { buffer: report.buffer },
              });
              dispatch(pass, trial, 'main', group, block.strands);
            }
          });
        });
        const found = await Promise.all(
          outs.map(async ({ buffer }) => new Float32Array(await download(context, buffer, 4 * size))),
        );
        for (const s of strands) {
          const [start, end] = range(world, s);
          for (const k of [0, 1]) {
            const { A } = S.assemble(world, s);
            const factor = A.slice();
            const give = new Float64Array(end - start);
            factorBanded(factor, 0, give.length, 10);
            inverseDiagonal(give, factor, 0, give.length, 10);
            for (let i = start; i < end; i += 4) {
              const w = weights[i >> 2];
              const [x, y, z] = give.subarray(i - start, i - start + 3);
              expect(Math.abs((w * (x + y + z)) / (3 * STRAND_SHARE) - 1)).toBeLessThan(2e-3);
              for (let c = 0; c < 3 * k; c++) A[11 * (i - start + c)] += w;
            }
            const x = Float64Array.from(b.subarray(start, end));
            factorBanded(A, 0, x.length, 10);
            solveBanded(A, 0, x.length, 10, x, 0);
            const largest = Math.max(...x.map((v, c) => (c % 4 === 3 ? 0 : Math.abs(v))));
            const error = Math.max(...x.map((v, c) => (c % 4 === 3 ? 0 : Math.abs(v - found[k][start + c]))));
            if (process.env.SHOW_ERRORS) console.log('solve', k, x.length / 4, (error / largest).toExponential(1));
            expect(error).toBeLessThan(1e-3 * largest);
          }
        }
      });
    }
  });
});

gpuTest('places, frames and reference twists move as in the reference', async () => {
  const world = createWorld();
  const strands = addStrands(world, ROPE, 0.05);
  const { nodes } = world.tables;
  const size = 4 * nodeCount(world);
  await withDevice((context) =>
    withStrands(context, world, async (gpu) => {
      for (let step = 0; step < 3; step++) {
        const velocity = await stepOnDevice(gpu, world);
        const frames = await readColumn(gpu, 'frames');
        // The same velocities, quick enough to turn edges through large angles.
        for (let k = 0; k < size; k++) {
          nodes.previous[k] = nodes.position[k];
          nodes.position[k] += world.timeStep * velocity[k];
        }
        for (const s of strands) {
          updateFrames(world.tables, s);
          const [start, end] = range(world, s);
          for (let k = start; k < end - 4; k++) expect(Math.abs(frames[k] - nodes.frame[k])).toBeLessThan(2e-5);
        }
      }
      expect(gpu.readBack(world.tables)).toBe(true);
      const known = nodes.position.slice(0, size);
      await gpu.settle();
      for (let k = 0; k < size; k++) expect(Math.abs(nodes.position[k] - known[k])).toBeLessThan(1e-6);
    }),
  );
});

gpuTest('a strand gives the same bits in any company and on every run', async () => {
  await withDevice(async (context) => {
    const points = S.helix(20, 0.02, 0.03, 2);
    let known: Float32Array | null = null;
    for (const before of [0, 0, 1, 70]) {
      const world = createWorld();
      for (let k = 0; k < before; k++) S.addStrand(world, { ...ROPE, points: S.helix(20 + (k % 2), 0.03, 0.02, 2) });
      const strand = S.addStrand(world, { ...HAIR, points });
      S.shake(world, strand, 1e-4, 0.3, 1);
      const found = await withStrands(context, world, async (gpu) => {
        await stepOnDevice(gpu, world);
        return (await stepOnDevice(gpu, world)).slice(...range(world, strand));
      });
      known ??= found;
      expect(found).toEqual(known);
    }
  });
});

gpuTest('a strand gone bad stands still, is reported, and spoils no other', async () => {
  const world = createWorld();
  for (let s = 0; s < 6; s++) S.addStrand(world, { ...HAIR, points: S.helix(12, 0.02, 0.03, 1) });
  await withDevice(async (context) => {
    const known = await withStrands(context, world, (gpu) => stepOnDevice(gpu, world));
    world.tables.nodes.velocity[4 * 15] = Number.NaN;
    world.tables.strands.flags[4] |= L.STRAND_QUARANTINED;
    await withStrands(context, world, async (gpu) => {
      const found = await stepOnDevice(gpu, world);
      for (const s of [0, 2, 3, 5]) expect(found.slice(48 * s, 48 * s + 48)).toEqual(known.slice(48 * s, 48 * s + 48));
      for (const s of [1, 4]) expect(found.slice(48 * s, 48 * s + 48).every((x) => x === 0)).toBe(true);
      gpu.readBack(world.tables);
      await gpu.settle();
      expect([...world.tables.strands.flags.subarray(0, strandCount(world))]).toEqual([0, 4, 0, 0, 4, 0]);
      expect(world.tables.nodes.position.subarray(0, 4 * nodeCount(world)).every(Number.isFinite)).toBe(true);
    });
  });
});

gpuTest('collapsed edges stay finite', async () => {
  const world = createWorld();
  for (let s = 0; s < 3; s++) S.addStrand(world, { ...ROPE, points: S.straight(8, 1) });
  const { position } = world.tables.nodes;
  position.set(position.slice(8, 11), 12);
  position.fill(0, 32, 64);
  await withDevice((context) =>
    withStrands(context, world, async (gpu) => {
      for (let step = 0; step < 2; step++) await stepOnDevice(gpu, world);
      expect((await readColumn(gpu, 'velocities')).every(Number.isFinite)).toBe(true);
      expect((await readColumn(gpu, 'frames')).every(Number.isFinite)).toBe(true);
    }),
  );
});
