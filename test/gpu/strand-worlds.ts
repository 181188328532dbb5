// Strands for the tests on the device, and what the reference makes of them.

import { createRandom } from '../../src/core/random';
import type { GpuContext } from '../../src/gpu/device/device';
import { createGpuStrands, type GpuStepInputs, type GpuStrands } from '../../src/gpu/rod/strands';
import * as L from '../../src/state/layout';
import * as S from '../mechanics/rod/strand-world';
import { download } from './test-device';

export const HAIR = { radius: 35e-6, young: 4e9, density: 1300, airDrag: 0.5 };
export const ROPE = { radius: 0.01, young: 5e8, density: 1000, damping: 1e-3, gravityScale: 0.5 };
export const LENGTHS = [2, 3, 4, 7, 16, 16, 16, 16, 31, 32, 33, 64, 100];

export function createWorld(dt = 1 / 60): S.StrandWorld {
  const world = S.createStrandWorld(dt);
  world.wind = [0.5, 0, -1];
  world.arena.f64[L.TIME_STEP >> 3] = dt;
  return world;
}

export function nodeCount(world: S.StrandWorld): number {
  return world.arena.i32[L.NODE_COUNT >> 2];
}

export function strandCount(world: S.StrandWorld): number {
  return world.arena.i32[L.STRAND_COUNT >> 2];
}

/** First and last number of a strand in a column of four numbers a node. */
export function range(world: S.StrandWorld, strand: number): [number, number] {
  const { first, nodes } = world.tables.strands;
  return [4 * first[strand], 4 * (first[strand] + nodes[strand])];
}

/** Strands of many lengths and shapes, bent and twisted by `shake` of an edge, pushed, moving. */
export function addStrands(
  world: S.StrandWorld,
  kind: Omit<S.StrandOptions, 'points'>,
  edge: number,
  shake = 0.02,
  uneven = false,
): number[] {
  const random = createRandom(5);
  return LENGTHS.map((n, s) => {
    const points = s % 2 ? S.helix(n, 4 * edge, 6 * edge, n / 14) : S.straight(n, edge * (n - 1), [0, -1, 0]);
    // Beside even ones: the kernels take four strands at a time.
    const along = uneven && s % 3 > 0 ? S.uneven(points, s, 0.02) : undefined;
    const strand = S.addStrand(world, { ...kind, points, along });
    S.shake(world, strand, shake * edge, 0.3, s);
    const [start, end] = range(world, strand);
    const { velocity, force, mass } = world.tables.nodes;
    for (let i = start; i < end; i++) {
      velocity[i] = i === end - 1 ? 0 : 2 * random() - 1;
      force[i] = i % 4 === 3 ? 0 : mass[2 * (i >> 2)] * 10 * (2 * random() - 1);
    }
    return strand;
  });
}

/** Runs `work` with the strands of a world on the device. */
export async function withStrands<T>(
  context: GpuContext,
  world: S.StrandWorld,
  work: (gpu: GpuStrands) => Promise<T>,
): Promise<T> {
  const gpu = await createGpuStrands(context);
  try {
    gpu.upload(world.arena, world.tables);
    return await work(gpu);
  } finally {
    gpu.dispose();
  }
}

/** One step without contacts, as src/gpu/world/world records it, in one submission. */
export function stepStrands(gpu: GpuStrands, inputs: GpuStepInputs): void {
  gpu.begin(inputs);
  const encoder = gpu.context.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  gpu.encodePredict(pass);
  gpu.encodeIntegrate(pass);
  pass.end();
  gpu.encodeEnd(encoder);
  gpu.context.device.queue.submit([encoder.finish()]);
}

/** One step on the device; returns the velocities after it. */
export async function stepOnDevice(gpu: GpuStrands, { timeStep, gravity, wind }: S.StrandWorld): Promise<Float32Array> {
  stepStrands(gpu, { timeStep, gravity, wind });
  return readColumn(gpu, 'velocities');
}

type Column = keyof GpuStrands['buffers']['columns'];

/** A column of four numbers a node (or another width), waited for. */
export async function readColumn(gpu: GpuStrands, name: Column, width = 4): Promise<Float32Array> {
  const { buffers, context } = gpu;
  return new Float32Array(await download(context, buffers.columns[name].buffer, 4 * width * buffers.nodeCount));
}

/** Largest difference of x y z, relative to the largest change from the velocities of the step's start. */
export function relativeError(
  world: S.StrandWorld,
  strand: number,
  found: ArrayLike<number>,
  known: ArrayLike<number>,
): number {
  const [start] = range(world, strand);
  let error = 0;
  let change = 0;
  for (let k = 0; k < known.length; k++) {
    if (k % 4 === 3) continue;
    error = Math.max(error, Math.abs(found[start + k] - known[k]));
    change = Math.max(change, Math.abs(known[k] - world.tables.nodes.velocity[start + k]));
  }
  if (process.env.SHOW_ERRORS) console.log(known.length / 4, (error / change).toExponential(1));
  return error / change;
}
