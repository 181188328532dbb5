// `stiction run --backend webgpu`: the same scene on the device, and what is said where a world has to stay on wasm.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { dispatch } from '../../src/cli/dispatch';
import type { RunResult } from '../../src/cli/result';
import { isLong } from '../gpu/suite';
import { gpuTest, withDevice } from '../gpu/test-device';

/** What is opened in place of Dawn, if anything. */
const dawn = vi.hoisted(() => ({ gpu: null as GPU | null }));
vi.mock('../../src/cli/dawn', async (original) => {
  const real = await original<typeof import('../../src/cli/dawn')>();
  return { ...real, openDawn: async (adapter?: string) => dawn.gpu ?? real.openDawn(adapter) };
});

const folder = mkdtempSync(join(tmpdir(), 'stiction-webgpu-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A rope that is held at one end and swings down, for eight steps. */
async function runRope(solver: object, ...more: string[]): Promise<{ result: RunResult; err: string }> {
  const path = join(folder, 'rope.json');
  const points = [0, 1, 2, 3, 4].map((i) => [0.1 * i, 1, 0]);
  const rods = [{ name: 'rope', points, radius: 0.005, youngModulus: 1e7, clampStart: true }];
  writeFileSync(path, JSON.stringify({ version: 1, rods, solver: { admmIterations: 2, sweeps: 1, ...solver } }));
  let out = '';
  let err = '';
  const streams = { out: (text: string) => (out += text), err: (text: string) => (err += text), terminal: false };
  expect(await dispatch(['run', path, '--steps', '8', ...more], streams)).toBe(0);
  return { result: JSON.parse(out) as RunResult, err };
}

/** What lends a device that stays open, its kernels compiled. */
function lend(device: GPUDevice): GPU {
  Object.defineProperty(device, 'destroy', { value() {}, configurable: true });
  const { features, limits, adapterInfo: info } = device;
  return { requestAdapter: async () => ({ features, limits, info, requestDevice: async () => device }) } as never;
}

gpuTest(
  'stiction run puts the rods on the device, from the call or the scene, and tells every step of it',
  async () => {
    // The driver is looked for by the first that needs one.
    const { result: known } = await runRope({}, '--every', '1');
    const { result: found, err } = await withDevice(async ({ device }) => {
      // One of its own compiles all kernels anew: 20 s.
      dawn.gpu = isLong ? null : lend(device);
      const found = await runRope({ backend: 'webgpu' }, '--every', '1');
      dawn.gpu = null;
      Reflect.deleteProperty(device, 'destroy');
      return found;
    });
    expect([known.backend, found.backend, err]).toEqual(['wasm', 'webgpu', '']);
    const places = ({ trace = [] }: RunResult) =>
      trace.flatMap(({ rods }) => (rods?.rope.positions ?? []).flat() as number[]);
    const [here, there] = [places(found), places(known)];
    expect(here.length).toBe(8 * 5 * 3);
    expect(Math.max(...here.map((x, i) => Math.abs(x - there[i])))).toBeLessThan(2e-4);
    expect(found.rods.rope.positions[4][1]).toBeLessThan(0.95);
  },
);

test('a world for which there is no device stays on wasm, and the reason is told', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const adapters = [{}, null];
  dawn.gpu = { requestAdapter: async () => adapters.shift() } as unknown as GPU;
  const { result, err } = await runRope({}, '--backend', 'webgpu');
  dawn.gpu = null;
  expect(result.backend).toBe('wasm');
  expect(err).toMatch(/^stiction run: note: no webgpu here \(.*no adapter.*\), wasm was used\n$/);
  warn.mockRestore();
});
