// The conformance suite on the device.
import { afterEach, expect } from 'vitest';
import { enableGpuStrands, type GpuStrandsHandle } from '../../src/index';
import { strandChanges } from '../../src/state/strand-changes';
import { isAll } from '../gpu/suite';
import { gpuTest, longGpuTest, withDevice } from '../gpu/test-device';
import { createRodWorld, type RodWorld } from '../validation/strand-worlds';
import { jointSuite, type RodBackend, rodSuite } from './rod-suite';

/** Fewer iterations than by default: a software device takes a tenth of a second a step for these. */
const PLAN = { iterations: 6, sweeps: 1, looks: 1 };
/** Where the suite asks for an answer to many digits. */
const MOST = 200;
/**
 * Of the suite, what software has time for with `npm test` and in the long form
 * (test/gpu/suite.ts), which may be all of it.
 */
const QUICK = /without strands|height field/;
const LONG = /cross at|quarantined|own stiffness|rest curvatures|sticky|bit for bit|clamp on a falling/;

const handles = new Map<RodWorld, GpuStrandsHandle>();

afterEach(async () => {
  for (const [{ physics }, handle] of handles) {
    await handle.settle();
    expect(handle.state).toBe('webgpu');
    physics.dispose();
  }
  handles.clear();
});

const backend: RodBackend = {
  test(name, work) {
    if (QUICK.test(name)) gpuTest(name, work);
    else if (isAll || LONG.test(name)) longGpuTest(name, work);
  },
  async createWorld(settings = {}) {
    const world = createRodWorld(settings);
    await withDevice(async ({ device }) => {
      const asked = settings.elastic?.iterations ?? 'auto';
      const iterations = Math.min(asked === 'auto' ? PLAN.iterations : asked, MOST);
      handles.set(
        world,
        await enableGpuStrands(world.physics, { device, readBack: 0, auto: 'all', ...PLAN, iterations }),
      );
    });
    return world;
  },
  async steps(world, count) {
    for (let k = 0; k < count; k++) {
      world.physics.step();
      await handles.get(world)!.settle();
    }
  },
  written({ tables }) {
    strandChanges(tables).restored++;
  },
  hasWholeSnapshot: false,
  // Places are whole numbers of 10⁻⁹ of a strand: of a rope of 3·10⁵ N/m a grain is 3·10⁻⁴ N. Of momentum,
  // what bodies have not heard of yet is missing.
  exact: { force: 2, momentum: 3, rest: 1e-5 },
};

jointSuite(backend);
rodSuite(backend);
