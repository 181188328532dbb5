// Worlds for tests, on wasm and on the device: the same scene in both, stepped side by side.

import { expect } from 'vitest';
import { enableGpuStrands, type GpuStrandsHandle, type GpuStrandsOptions, type PhysicsSettings } from '../../src/index';
import { createRodWorld, type RodWorld } from '../validation/strand-worlds';
import { withDevice } from './test-device';

export interface Twins {
  readonly wasm: RodWorld;
  readonly gpu: RodWorld;
  readonly handle: GpuStrandsHandle;
  /** Steps both; what comes back is waited for. */
  step(count: number): Promise<void>;
}

/** One iteration: enough where nothing touches. */
const FEW = { iterations: 1, sweeps: 1, looks: 1, readBack: 0, auto: 'all' } as const;

/** Runs `work` with a scene on wasm and on the device, where it must be to the end. */
export async function withTwins(
  build: (world: RodWorld) => void,
  work: (twins: Twins) => Promise<void>,
  settings: PhysicsSettings = {},
  options: GpuStrandsOptions = {},
): Promise<void> {
  await withDevice(async ({ device }) => {
    const [wasm, gpu] = [createRodWorld(settings), createRodWorld(settings)];
    const handle = await enableGpuStrands(gpu.physics, { device, ...FEW, ...options });
    build(wasm);
    build(gpu);
    const step = async (count: number) => {
      for (let k = 0; k < count; k++) {
        wasm.physics.step();
        gpu.physics.step();
        await handle.settle();
      }
    };
    await work({ wasm, gpu, handle, step });
    expect(handle.reason).toBe(null);
    wasm.physics.dispose();
    gpu.physics.dispose();
  });
}

/** Largest distance of the nodes of two worlds [m]. */
export function nodesApart({ wasm, gpu }: Twins, nodes: number): number {
  let most = 0;
  for (let i = 0; i < nodes; i++) {
    let square = 0;
    for (let k = 4 * i; k < 4 * i + 3; k++) {
      square += (wasm.tables.nodes.position[k] - gpu.tables.nodes.position[k]) ** 2;
    }
    most = Math.max(most, Math.sqrt(square));
  }
  return most;
}

/** Largest difference of the nodes' velocities over the largest change of one. */
export function velocityError(wasm: RodWorld, gpu: RodWorld, before: Float64Array, nodes: number): number {
  let error = 0;
  let change = 0;
  for (let i = 0; i < 4 * nodes; i++) {
    if (i % 4 === 3) continue;
    error = Math.max(error, Math.abs(wasm.tables.nodes.velocity[i] - gpu.tables.nodes.velocity[i]));
    change = Math.max(change, Math.abs(wasm.tables.nodes.velocity[i] - before[i]));
  }
  return error / change;
}
