// The self-locking belt (Daviet 2020, Fig. 2): one load on one way around three pegs, as the demo has it.
import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { belt } from '../../demos/scenes/belt';
import { addScene, createPhysics, readScene } from '../../src/index';
import { bySuite } from '../setup/suite';

test.each([
  ...bySuite([], [['reference', 60] as const, ['reference', 240] as const]),
  ['wasm', 60],
  ['wasm', 240],
] as const)('%s, dt 1/%i: friction 0.5 locks, 0.2 unravels', (backend, rate) => {
  const scene = readScene({ ...belt.build(1), timeStep: 1 / rate });
  const physics = createPhysics(createWorld(), {
    timeStep: 1 / rate,
    userTiming: false,
    sleeping: false,
    elastic: { backend },
  });
  const { entities } = addScene(physics, scene);
  const height = (load: string) => physics.components.Transform.position.y[entities.get(load) ?? -1];
  physics.step();
  const [left, right] = [height('load-left'), height('load-right')];
  for (let i = 0; i < 1.2 * rate; i++) physics.step();
  expect(left - height('load-left')).toBeLessThan(0.02);
  expect(right - height('load-right')).toBeGreaterThan(1.5);
});
