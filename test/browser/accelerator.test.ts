// Where a gallery scene's strands go, and how much of it is shown there. No page, no adapter:
// what visitors without WebGPU get.

import { expect, test, vi } from 'vitest';
import { type Accelerator, createAccelerator } from '../../demos/app/accelerator';
import { worlds } from '../../demos/app/open-session';
import { createPlayer, type Player } from '../../demos/app/player';
import type { DemoScene } from '../../demos/scenes/demo-scene';
import { hairyBall } from '../../demos/scenes/hairy-ball';
import { pyramid } from '../../demos/scenes/pyramid';
import { ropeBridge } from '../../demos/scenes/rope-bridge';
import type { LentDevice } from '../../demos/view/create-engine';

/** A small hairy ball: 30 strands on the processor, 60 on a device. */
const SMALL: DemoScene = {
  ...hairyBall,
  amount: { label: 'strands', least: 10, most: 40, step: 10, usual: 30, onGpu: { usual: 60, most: 90 } },
};

const noDevice: LentDevice = {
  isSoftware: false,
  get: () => Promise.reject(new Error('the device went away')),
};

function play(device: LentDevice | null, reason: string | null, wanted = true): [Player, Accelerator] {
  const accelerator = createAccelerator(device, reason, wanted);
  return [createPlayer(worlds, () => ({}), vi.fn(), accelerator), accelerator];
}

test('without WebGPU a scene has as many strands as the processor can do, and the panel says why', () => {
  const said = vi.spyOn(console, 'info').mockImplementation(() => {});
  const [player, accelerator] = play(null, 'this browser offers no WebGPU');
  expect(said.mock.calls.flat().join()).toContain('this browser offers no WebGPU');
  said.mockRestore();
  player.open(SMALL);
  expect(player.amount).toBe(30);
  expect(accelerator.amounts(SMALL)).toBeNull();
  expect(accelerator.facts(player.session, SMALL)).toMatchObject({
    backend: 'wasm',
    reason: 'this browser offers no WebGPU',
  });
  expect(player.advance(0.05)).toBeGreaterThan(0);
  player.session.close();
});

test('scenes without strands for the device say nothing of it', () => {
  const [player, accelerator] = play(noDevice, null);
  player.open(pyramid);
  expect(player.session.isStarting).toBe(false);
  expect(accelerator.facts(player.session, pyramid)).toBeNull();
  player.session.close();
});

test('a device that does not work leaves the scene on the processor, with as many strands as that can do', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const [player, accelerator] = play(noDevice, null);
  player.open(SMALL);
  expect(player.amount).toBe(60);
  // No step before it is known where.
  expect(player.session.isStarting).toBe(true);
  expect(player.advance(0.05)).toBe(0);
  await expect.poll(() => player.session.isStarting).toBe(false);
  expect(player.amount).toBe(30);
  expect(player.session.physics.strands.strandCount).toBe(30);
  expect(accelerator.facts(player.session, SMALL)).toMatchObject({ backend: 'wasm' });
  expect(accelerator.facts(player.session, SMALL)?.reason).not.toBe('');
  expect(player.advance(0.05)).toBeGreaterThan(0);
  // The next scene does not ask again.
  player.open(SMALL);
  expect(player.amount).toBe(30);
  player.session.close();
  said.mockRestore();
});

test('a software adapter is asked for no more than the processor', () => {
  const software = createAccelerator({ ...noDevice, isSoftware: true }, null, true);
  expect(software.amounts(SMALL)).toEqual({ usual: 30, most: 90 });
  expect(createAccelerator(noDevice, null, true).amounts(SMALL)).toEqual({ usual: 60, most: 90 });
});

test('the visitor chooses in any scene with strands; what fails says why and is not offered again', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const [player, accelerator] = play(noDevice, null);
  player.open(ropeBridge);
  expect(player.session.isStarting).toBe(false);
  expect(accelerator.facts(player.session, ropeBridge)).toMatchObject({ backend: 'wasm', canSwitch: true });
  const done = player.toggleBackend();
  expect(player.session.isStarting).toBe(true);
  expect(accelerator.facts(player.session, ropeBridge)).toMatchObject({ canSwitch: false });
  await done;
  expect(player.session.isStarting).toBe(false);
  player.open(SMALL);
  expect(accelerator.facts(player.session, SMALL)).toMatchObject({ backend: 'wasm', canSwitch: false });
  expect(accelerator.facts(player.session, SMALL)?.reason).toMatch(/went away/);
  await player.toggleBackend();
  expect(player.session.isStarting).toBe(false);
  player.session.close();
  said.mockRestore();
});

test('there is no choice without WebGPU or without strands', async () => {
  const said = vi.spyOn(console, 'info').mockImplementation(() => {});
  const [without, none] = play(null, 'this browser offers no WebGPU');
  said.mockRestore();
  without.open(ropeBridge);
  expect(none.facts(without.session, ropeBridge)).toBeNull();
  await without.toggleBackend();
  expect(without.session.isStarting).toBe(false);
  without.session.close();
  const [player] = play(noDevice, null);
  player.open(pyramid);
  const done = player.toggleBackend();
  expect(player.session.isStarting).toBe(false);
  await done;
  expect(player.session.gpu).toBeNull();
  player.session.close();
});
