// Hair on the page as visitors get it: from the solver's own buffers with WebGPU in software, where a lock can be
// pulled; from the processor's columns with WebGPU and with WebGL2.

import { describe, expect, test } from 'vitest';
import { isLong } from '../gpu/suite';
import { findBrowser } from '../setup/find-browser.mjs';
import { longTest } from '../setup/suite';
import { keepFrames } from './keep-frames';
import { type Gallery, type GalleryPage, startGallery } from './launch';

/** What the page shows to tests: see the end of `start` in demos/main.ts. */
interface Shown {
  player: {
    demo: object;
    values: object;
    open(demo: object, amount?: number, values?: object): void;
    stepOnce(): void;
    grab: { active: boolean };
    session: { isStarting: boolean; gpu: { state: string; reason: string | null; grip: object | null } | null };
  };
  options: { strands: boolean };
  scenes: { id: string }[];
  physics: { strands: { positions: Float32Array; nodeCount: number } };
  view: {
    kind: string;
    strands: { count: number; hairs: number; isOnDevice: boolean };
    canvas: { clientHeight: number };
    camera: { project(point: number[]): [number, number] };
  };
}
declare const stiction: Shown;
declare function stictionFrame(): Promise<string>;

const STRANDS = 200;
/** Software rendering beside other tests [ms]. */
const SLOWEST = 900_000;

/** A point of the scene above the ball, where before the first step is nothing but hair and sky [m]. */
const ABOVE = [0, 0.42 + 0.1, 0];

/** Share of the pixels of the picture's part above `ABOVE` that are as brown as hair: the sky is grey. */
async function shareOfHair([base64, above]: [string, number[]]): Promise<number> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const pen = new OffscreenCanvas(image.width, image.height).getContext('2d') as OffscreenCanvasRenderingContext2D;
  pen.drawImage(image, 0, 0);
  const { view } = stiction;
  const rows = Math.floor((image.height * view.camera.project(above)[1]) / view.canvas.clientHeight);
  const { data } = pen.getImageData(0, 0, image.width, rows);
  let hair = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] > data[i + 2] + 30) hair++;
  return (4 * hair) / data.length;
}

/**
 * Presses on hair above the ball, where no panel is: the hand closes when the device has
 * said what is there, and opens again.
 */
async function pullLock({ page }: GalleryPage): Promise<void> {
  const [x, y] = await page.evaluate(() => {
    const { positions, nodeCount } = stiction.physics.strands;
    const pixels = Array.from({ length: nodeCount }, (_, node) =>
      stiction.view.camera.project([...positions.slice(4 * node, 4 * node + 3)]),
    ).filter((_, node) => node % 31 > 10);
    const away = ([a, b]: number[]) => Math.hypot(a - 200, b - 45);
    return pixels.reduce((best, pixel) => (away(pixel) < away(best) ? pixel : best));
  });
  const grip = () => page.evaluate(() => stiction.player.session.gpu?.grip ?? null);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await expect.poll(() => page.evaluate(() => stiction.player.grab.active), { interval: 200 }).toBe(true);
  await page.mouse.move(x + 10, y - 5);
  await page.evaluate(() => stiction.player.stepOnce());
  expect(await grip()).not.toBeNull();
  await page.mouse.up();
  expect(await page.evaluate(() => stiction.player.grab.active)).toBe(false);
  expect(await grip()).toBeNull();
}

const browser = findBrowser();

describe.runIf(browser)('hair', () => {
  test.runIf(isLong)(
    'on the device is drawn from its buffers, and a lock of it can be pulled',
    async () => {
      const gallery: Gallery = await startGallery();
      try {
        const where = '?quality=low&engine=webgpu&paused#hairy-ball';
        const shown = await gallery.open(where, { viewport: { width: 400, height: 300 }, deviceScaleFactor: 1 }, [
          keepFrames,
        ]);
        const { page } = shown;
        const uncaptured: string[] = [];
        page.on('console', (message) => {
          if (/uncaptured|validation/i.test(message.text())) uncaptured.push(message.text());
        });
        // Without an adapter the page has fallen back to WebGL2, which other tests look at.
        if ((await page.evaluate(() => stiction.view.kind)) !== 'webgpu') return;
        await page.evaluate((count) => {
          const { player } = stiction;
          player.open(player.demo, count, player.values);
        }, STRANDS);
        await expect
          .poll(() => page.evaluate(() => stiction.player.session.isStarting), { timeout: 200_000 })
          .toBe(false);
        expect(await page.evaluate(() => stiction.player.session.gpu?.reason ?? null)).toBeNull();
        expect(await page.evaluate(() => stiction.player.session.gpu?.state)).toBe('webgpu');
        // Strands go over with the first step.
        await page.evaluate(() => stiction.player.stepOnce());
        await expect.poll(() => page.evaluate(() => stiction.view.strands.isOnDevice), { interval: 1000 }).toBe(true);
        const hair = async () => {
          const frame = await page.evaluate(() => stictionFrame());
          return page.evaluate(shareOfHair, [frame, ABOVE] as [string, number[]]);
        };
        await expect.poll(hair, { interval: 1000 }).toBeGreaterThan(0.01);
        expect(await page.evaluate(() => stiction.view.strands.count)).toBe(STRANDS);
        await pullLock(shown);
        // Fibres that are never on the device: the columns go up for drawing.
        await page.evaluate(() => {
          const { player, scenes } = stiction;
          player.open(scenes.find(({ id }) => id === 'sticky-strands') as object, 100);
        });
        await expect.poll(() => page.evaluate(() => stiction.view.strands.isOnDevice)).toBe(false);
        await expect.poll(hair, { interval: 1000 }).toBeGreaterThan(0.01);
        expect(uncaptured).toEqual([]);
        expect(shown.errors).toEqual([]);
        expect(shown.external).toEqual([]);
      } finally {
        await gallery.close();
      }
    },
    SLOWEST,
  );

  longTest(
    'is drawn from the columns without WebGPU, with more hairs a strand unless the strands alone are wanted',
    async () => {
      const gallery: Gallery = await startGallery();
      try {
        const where = '?engine=webgl2&paused#hairy-ball?amount=100';
        const viewport = { width: 400, height: 300 };
        const shown = await gallery.open(where, { viewport, deviceScaleFactor: 0.5 });
        const { page } = shown;
        await page.evaluate(() => {
          document.getElementById('ui')?.remove();
          const { player } = stiction;
          player.open(player.demo, 60, player.values);
        });
        const hair = async () => {
          const picture = await page.screenshot();
          return page.evaluate(shareOfHair, [picture.toString('base64'), ABOVE] as [string, number[]]);
        };
        await expect.poll(hair, { interval: 500 }).toBeGreaterThan(0.01);
        expect(await page.evaluate(() => stiction.view.strands.hairs)).toBeGreaterThan(1);
        const full = await hair();
        await page.evaluate(() => {
          stiction.options.strands = true;
        });
        await expect.poll(hair, { interval: 500 }).toBeLessThan(0.8 * full);
        expect(shown.errors).toEqual([]);
        expect(shown.external).toEqual([]);
      } finally {
        await gallery.close();
      }
    },
    SLOWEST,
  );
});
