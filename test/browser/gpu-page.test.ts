// Ten seconds' worth of frames of a page whose strands are on WebGPU: nothing complains, no device is lost, no memory
// grows, and the panel shows what it should; and the same page in a browser without WebGPU.
//
// A step has hundreds of dispatches, each a fraction of a millisecond in software: the page runs in slow motion and,
// after a look at a full step, under the smallest budget of the panel's slider, which must cut iterations.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLong } from '../gpu/suite';
import { findBrowser, missingBrowser } from '../setup/find-browser.mjs';
import { keepFrames } from './keep-frames';
import { type Gallery, readFact, startGallery } from './launch';

/** What the page shows to tests: see the end of `start` in demos/main.ts. */
interface Shown {
  player: {
    paused: boolean;
    rate: number;
    session: { gpu: { state: string; report: { step: number; bytes: number } } | null; isStarting: boolean };
    open(demo: unknown, amount: number): void;
  };
  scenes: { id: string }[];
  physics: { stepCount: number };
}
declare const stiction: Shown;
/** What watchDevices leaves in the page. */
declare const devices: { errors: string[]; lost: string[]; frames: number };

const longTest = test.runIf(isLong);
const FRAMES = 600;
/** Frames after which everything has found its size. */
const WARM = 240;
const STRANDS = 40;
/** A step in software beside other tests, or a start [ms]. */
const SLOWEST = 300_000;
const VIEW = { viewport: { width: 240, height: 160 }, deviceScaleFactor: 1 };

/**
 * Runs in the page before its own scripts: notes what becomes of every device. It must refer to nothing outside itself.
 */
function watchDevices(): void {
  const seen = { errors: [] as string[], lost: [] as string[], frames: 0 };
  Object.assign(window, { devices: seen });
  const adapters = (globalThis as { GPUAdapter?: { prototype: { requestDevice(options?: object): Promise<Device> } } })
    .GPUAdapter;
  interface Device {
    lost: Promise<{ reason: string; message: string }>;
    addEventListener(name: string, listen: (event: { error: { message: string } }) => void): void;
  }
  if (adapters) {
    const request = adapters.prototype.requestDevice;
    adapters.prototype.requestDevice = async function requestDevice(options) {
      const device = await request.call(this, options);
      device.addEventListener('uncapturederror', ({ error }) => seen.errors.push(error.message));
      void device.lost.then(({ reason, message }) => seen.lost.push(`${reason}: ${message}`));
      return device;
    };
  }
  const count = () => {
    seen.frames++;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}

/** A browser without WebGPU. */
function hideWebGpu(): void {
  Object.defineProperty(navigator, 'gpu', { value: undefined });
}

function pageTests(): void {
  // A browser for each: what a page leaves to the device in software goes on after the page.
  let gallery: Gallery;
  beforeEach(async () => {
    gallery = await startGallery();
  });
  afterEach(() => gallery?.close());

  longTest(
    `${FRAMES} frames on WebGPU: no error, no lost device, no growing memory`,
    async () => {
      const shown = await gallery.open('?quality=low&engine=webgpu&paused#hairy-ball', VIEW, [
        watchDevices,
        keepFrames,
      ]);
      const { page } = shown;
      try {
        const session = await page.context().newCDPSession(page);
        const heap = async () => {
          await session.send('HeapProfiler.collectGarbage');
          return (await session.send('Runtime.getHeapUsage')).usedSize;
        };
        await page.evaluate((strands) => {
          const { player, scenes } = stiction;
          player.open(
            scenes.find(({ id }) => id === 'hairy-ball'),
            strands,
          );
          player.rate = 0.01;
          player.paused = false;
        }, STRANDS);
        const onDevice = () => page.evaluate(() => stiction.player.session.gpu?.state);
        await expect.poll(onDevice, { timeout: SLOWEST }).toBe('webgpu');
        const reach = (frames: number) =>
          page.waitForFunction((count) => devices.frames >= count, frames, { timeout: SLOWEST, polling: 'raf' });
        const memory = async () => {
          const pool = await page.evaluate(() => stiction.player.session.gpu?.report.bytes ?? 0);
          return { pool, heap: await heap() };
        };
        const cell = (id: string) => page.getByTestId(id).textContent();
        const iterations = async () => ((await cell('gpu-iterations')) ?? '').match(/\d+/g)?.map(Number) ?? [];
        await expect.poll(async () => (await iterations())[0], { timeout: SLOWEST }).toBeGreaterThan(0);
        const [full, wanted] = await iterations();
        expect(full).toBe(wanted);
        expect(await cell('gpu-budget-value')).toBe('none');
        // The page is small, its panels are folded away.
        await page.getByTestId('gpu-budget').evaluate((slider: HTMLInputElement) => {
          slider.value = '0';
          slider.dispatchEvent(new Event('input'));
        });
        expect(await cell('gpu-budget-value')).toBe('0.5 ms');
        await expect.poll(async () => (await iterations())[0], { timeout: SLOWEST }).toBeLessThan(full / 2);
        const first = await page.evaluate(() => devices.frames);
        await reach(first + WARM);
        const warm = await memory();
        await reach(first + FRAMES);
        const end = await memory();
        const { errors, lost } = await page.evaluate(() => devices);
        expect(errors).toEqual([]);
        expect(lost).toEqual([]);
        expect(shown.errors).toEqual([]);
        expect(warm.pool).toBeGreaterThan(0);
        expect(end.pool).toBe(warm.pool);
        expect(end.heap - warm.heap).toBeLessThan(1e6);
        expect(await page.evaluate(() => stiction.player.session.gpu?.report.step)).toBeGreaterThan(5);

        expect(await page.getByTestId('backend').textContent()).toBe('WebGPU in software');
        expect(await page.getByTestId('backend-detail').textContent()).toMatch(/swiftshader/i);
        for (const stage of ['predict', 'find', 'solve', 'integrate'])
          expect(Number(await page.getByTestId(`gpu-stage-${stage}`).textContent()), stage).toBeGreaterThan(0);
        expect(await readFact(page, 'strands')).toBe(STRANDS);
        expect(await page.getByTestId('gpu-delta').textContent()).toMatch(/^[\d.e-]+ mm$/);

        // The visitor's choice, from where the strands are, and back.
        const backend = () => page.getByTestId('backend').textContent();
        const steps = await page.evaluate(() => stiction.physics.stepCount);
        await page.keyboard.press('g');
        await expect.poll(backend, { timeout: SLOWEST }).toBe('WebAssembly');
        expect(await page.getByTestId('backend-badge').getAttribute('data-state')).toBe('choice');
        await expect
          .poll(() => page.evaluate(() => stiction.physics.stepCount), { timeout: SLOWEST })
          .toBeGreaterThan(steps + 2);
        expect(await page.evaluate(() => stiction.player.session.gpu)).toBeNull();
        await page.getByTestId('backend').evaluate((button: HTMLElement) => button.click());
        await expect.poll(backend, { timeout: SLOWEST }).toBe('WebGPU in software');
        expect(await page.evaluate(() => devices.errors)).toEqual([]);
        expect(shown.errors).toEqual([]);
      } finally {
        await shown.close();
      }
    },
    900_000,
  );

  longTest(
    'without WebGPU the same page plays on WebAssembly and says why',
    async () => {
      const shown = await gallery.open('?quality=low#hairy-ball?amount=100', undefined, [hideWebGpu, watchDevices]);
      const { page } = shown;
      try {
        const steps = () => page.evaluate(() => stiction.physics.stepCount);
        await expect.poll(steps, { timeout: SLOWEST }).toBeGreaterThan(3);
        await expect.poll(() => page.getByTestId('backend').textContent()).toBe('WebAssembly');
        // Panels are open from the first on the widest pages only.
        await page.keyboard.press('p');
        const badge = page.getByTestId('backend-badge');
        expect(await badge.getAttribute('data-state')).toBe('fallback');
        await expect.poll(() => badge.isVisible()).toBe(true);
        expect(await page.getByTestId('backend-detail').textContent()).toMatch(/WebGPU/);
        expect(await page.getByTestId('gpu-track').isVisible()).toBe(false);
        expect(shown.errors).toEqual([]);
      } finally {
        await shown.close();
      }
    },
    400_000,
  );
}

const browser = findBrowser();
if (browser) describe('a page with strands on WebGPU', () => pageTests());
else
  test('there is a browser where one is required', () => {
    console.log(missingBrowser());
    expect(process.env.CI, missingBrowser()).not.toBe('true');
  });
