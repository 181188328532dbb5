// Joints of heaps are shut at the end of a step by the factor that its solve made.

import { createWorld } from 'bitecs';
import { expect, it } from 'vitest';
import { addScene, createPhysics, readScene, sceneSettings } from '../../../src/index';
import { REACTION_APART } from '../../../src/state/contact-places';

interface Modules {
  buildScene(name: string): { scene: object };
}

it('shuts the joints of a heap of dolls by the factor of the step, and seldom makes another', async () => {
  // A plain script without types: read by address, so that the compiler does not look for them.
  const scenes: Modules = await import(new URL('../../bench/rigid/scenes.mjs', import.meta.url).href);
  const scene = readScene(scenes.buildScene('ragdolls10').scene);
  const physics = createPhysics(createWorld(), { ...sceneSettings(scene), sleeping: false });
  addScene(physics, scene);
  const { engine } = physics.internal;
  const { kernels } = engine;
  let [factors, closings, worst] = [0, 0, 0];
  const counted: typeof kernels = {
    ...kernels,
    projectJointed: (scratch) => {
      factors++;
      return kernels.projectJointed(scratch);
    },
    closeJointed: (scratch, tolerance) => {
      closings++;
      kernels.closeJointed(scratch, tolerance);
    },
  };
  Object.assign(engine, { kernels: counted });
  for (let k = 0; k < 300; k++) {
    physics.step();
    const { joints } = engine.tables;
    for (let j = 0; j < 100; j++) worst = Math.max(worst, joints.reaction[8 * j + REACTION_APART]);
  }
  // They fall on each other in half of these steps. With a factor of its own each closing made one.
  // 419 where each closing began with a factor of its own.
  expect(closings).toBeGreaterThan(100);
  expect(factors).toBeLessThan(300);
  expect(worst).toBeLessThan(1e-4);
});
