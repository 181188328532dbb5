// Worlds of the public face whose strands are on the software device, for tests.

import { createWorld } from 'bitecs';
import { expect } from 'vitest';
import {
  createPhysics,
  enableGpuStrands,
  type GpuStrandsHandle,
  type GpuStrandsOptions,
  type Physics,
  type PhysicsSettings,
} from '../../src/index';
import { openInstance, withDevice } from './test-device';

export interface GpuRodWorld {
  physics: Physics;
  handle: GpuStrandsHandle;
}

/** An instance of Dawn on SwiftShader, for who asks for a device of his own. */
export async function openGpu(): Promise<GPU> {
  // The driver is looked for by the first that needs one.
  await withDevice(async () => {});
  return openInstance();
}

/** A software device takes a tenth of a second for a few iterations: enough where nothing touches. */
const FEW = { iterations: 2, sweeps: 1, looks: 1, auto: 'all' } as const;

/**
 * Runs `work` with a world on the device of this test file, or of `options`; nothing may have been complained about.
 */
export function withGpuWorld<T>(
  work: (world: GpuRodWorld) => T | Promise<T>,
  options: GpuStrandsOptions = {},
  settings: PhysicsSettings = {},
): Promise<T> {
  return withDevice(async ({ device }) => {
    const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false, ...settings });
    const where = options.gpu || options.device ? {} : { device };
    const handle = await enableGpuStrands(physics, { ...where, ...FEW, ...options });
    expect(handle.reason).toBe(null);
    try {
      return await work({ physics, handle });
    } finally {
      await handle.settle();
      physics.dispose();
    }
  });
}

/** Steps the world. With `everyStep` what each step brings back is waited for. */
export async function stepGpu({ physics, handle }: GpuRodWorld, count: number, everyStep = false): Promise<void> {
  for (let k = 0; k < count; k++) {
    physics.step();
    if (everyStep) await handle.settle();
  }
  await handle.settle();
}
