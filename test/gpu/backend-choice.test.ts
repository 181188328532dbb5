// The gallery's strands between WebGPU and WebAssembly: the visitor's choice, and scenes with more
// strands than the processor can do.

import { afterAll, expect, vi } from 'vitest';
import { createAccelerator } from '../../demos/app/accelerator';
import { worlds } from '../../demos/app/open-session';
import { createPlayer } from '../../demos/app/player';
import { capstan } from '../../demos/scenes/capstan';
import type { DemoScene } from '../../demos/scenes/demo-scene';
import { hairyBall } from '../../demos/scenes/hairy-ball';
import { pyramid } from '../../demos/scenes/pyramid';
import { ropeBridge } from '../../demos/scenes/rope-bridge';
import { rodPositions } from '../../src/index';
import { longGpuTest, withDevice } from './test-device';

/** 20 strands at most on the processor, 24 on the device. */
const SMALL: DemoScene = {
  ...hairyBall,
  amount: { label: 'strands', least: 10, most: 20, step: 2, usual: 16, onGpu: { usual: 24, most: 40 } },
};

const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
afterAll(() => said.mockRestore());

/** Plays with the test's device as if it were the renderer's. */
const withPlayer = (work: (player: ReturnType<typeof createPlayer>, opened: () => void) => Promise<void>) =>
  withDevice(async ({ device }) => {
    const accelerator = createAccelerator({ isSoftware: false, get: () => Promise.resolve(device) }, null, true);
    const opened = vi.fn();
    const player = createPlayer(worlds, () => ({}), opened, accelerator);
    await work(player, opened);
    player.session.close();
  });

const started = (player: ReturnType<typeof createPlayer>) => expect.poll(() => player.session.isStarting).toBe(false);

longGpuTest('strands change from one to the other where they are, and scenes follow the choice', () =>
  withPlayer(async (player) => {
    player.open(ropeBridge);
    expect(player.session.gpu).toBeNull();
    const { session } = player;
    const rope = () => Array.from(rodPositions(session.physics, session.rods.get('hand1') as number));
    player.stepOnce();
    await player.toggleBackend();
    expect(player.session).toBe(session);
    expect(session.gpu?.state).toBe('webgpu');
    for (let k = 0; k < 5; k++) player.stepOnce();
    expect(session.gpu?.state).toBe('webgpu');
    await session.gpu?.settle();
    const before = rope();
    await player.toggleBackend();
    expect(session.gpu).toBeNull();
    expect(rope()).toEqual(before);
    player.stepOnce();
    expect(rope()).not.toEqual(before);
    // Chosen once, it holds: the ball, which goes to the device by itself, has what the processor can do.
    player.open(SMALL);
    expect(player.amount).toBe(16);
    expect(player.session.isStarting).toBe(false);
  }),
);

longGpuTest('a scene with more strands than the processor can do ends without beginning anew', () =>
  withPlayer(async (player, opened) => {
    player.open(SMALL);
    await started(player);
    expect(player.amount).toBe(24);
    expect(player.session.gpu?.state).toBe('webgpu');
    player.stepOnce();
    const { physics } = player.session;
    player.open(pyramid);
    expect(opened).toHaveBeenCalledTimes(2);
    expect(player.demo).toBe(pyramid);
    expect(() => physics.step()).toThrow();
    // And the next one finds the device again.
    player.open(SMALL);
    await started(player);
    expect(player.session.gpu?.state).toBe('webgpu');
    // Back on the processor there are too many.
    await player.toggleBackend();
    expect(player.amount).toBe(16);
    expect(player.session.gpu).toBeNull();
    expect(player.session.physics.strands.strandCount).toBe(16);
  }),
);

longGpuTest('ropes that carry loads stay on wasm when the visitor chooses the device, and go on', () =>
  withPlayer(async (player) => {
    for (const scene of [capstan, ropeBridge]) {
      player.open(scene);
      player.stepOnce();
      if (!player.session.gpu) await player.toggleBackend();
      await started(player);
      const { session } = player;
      const { gpu, physics, rods } = session;
      const [rope] = rods.values();
      const before = Array.from(rodPositions(physics, rope));
      for (let k = 0; k < 5; k++) player.stepOnce();
      expect(gpu?.state).toBe('webgpu');
      expect(gpu?.report.strands).toBe(0);
      for (const eid of rods.values()) expect(gpu?.where(eid).backend).toBe('wasm');
      expect(Array.from(rodPositions(physics, rope))).not.toEqual(before);
    }
  }),
);
