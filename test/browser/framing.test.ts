// Where a scene stands on the page: in the middle of what the panels leave free, all of its width in sight.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CameraFile, cameraFor } from '../../demos/scenes/camera';
import { SCENES } from '../../demos/scenes/index';
import { findBrowser, missingBrowser } from '../setup/find-browser.mjs';
import { longTest } from '../setup/suite';
import { type Gallery, startGallery } from './launch';

declare const stiction: {
  select(id: string): void;
  view: {
    camera: { project(point: number[]): [number, number] };
    split: { direction: 'beside' | 'below'; at: number } | null;
  };
};

const browser = findBrowser();
const wide = SCENES.filter(({ camera }) => camera.width !== undefined);

/** Ends of the width that must be in sight, and the target between them. */
function endsOf({ target, yaw, width = 0 }: CameraFile): number[][] {
  const [x, z] = [0.5 * width * Math.cos(yaw), -0.5 * width * Math.sin(yaw)];
  return [-1, 0, 1].map((side) => [target[0] + side * x, target[1], target[2] + side * z]);
}

/** The ends lie between the panels, and the target in the middle of what they leave free. */
async function expectFramed(page: Page, id: string, camera: CameraFile): Promise<void> {
  const [[left, middle, right], free] = await page.evaluate((ends) => {
    const box = (name: string) => document.querySelector(name)?.getBoundingClientRect() as DOMRect;
    const isBeside = innerWidth > 900;
    // Shut panels take nothing, and a low card stands in the corner of the picture.
    const isLow = box('.left').bottom < 0.3 * innerHeight;
    const free = {
      left: isBeside && !isLow ? box('.left').right : 0,
      right: innerWidth,
      top: isBeside ? 0 : Math.max(box('.chip').bottom, box('.left').bottom),
      bottom: box('.transport').top,
    };
    return [ends.map((point) => stiction.view.camera.project(point)), free] as const;
  }, endsOf(camera));
  expect(left[0], id).toBeGreaterThan(free.left - 1);
  expect(right[0], id).toBeLessThan(free.right + 1);
  expect(middle[0], id).toBeCloseTo((free.left + free.right) / 2, 0);
  expect(middle[1], id).toBeCloseTo((free.top + free.bottom) / 2, 0);
}

function framingTests(): void {
  let gallery: Gallery;
  beforeAll(async () => {
    gallery = await startGallery();
  });
  afterAll(() => gallery?.close());

  longTest.each([
    [1440, 900],
    [390, 844],
  ])(
    'the wide scenes are between the panels at %i × %i',
    async (width, height) => {
      const options = { viewport: { width, height }, deviceScaleFactor: width > height ? 0.5 : 1 };
      const { page, close } = await gallery.open('?quality=low&engine=webgl2&paused', options);
      const strands = page.locator('.controls').getByText('strands alone');
      // Of what scenes have many of, the least: it stands in the same place.
      for (const { id, camera } of wide) {
        await page.evaluate((scene) => stiction.select(scene), `${id}?duel=0&amount=0`);
        // The card grows by its verdict where there is one, whenever that comes, and the camera follows.
        const shot = cameraFor(camera, height > width);
        await vi.waitFor(() => expectFramed(page, id, shot), { timeout: 100_000, interval: 30 });
      }
      // In a duel, each in its half.
      const { id, camera } = wide.find(({ rival }) => rival && !rival.strands) as (typeof wide)[number];
      const duel = await page.evaluate(
        ({ id, ends }) => {
          stiction.select(id);
          return { ends: ends.map((point) => stiction.view.camera.project(point)), split: stiction.view.split };
        },
        { id, ends: endsOf(camera) },
      );
      const isBeside = width > height;
      expect(duel.split?.direction).toBe(isBeside ? 'beside' : 'below');
      const at = duel.split?.at ?? 0;
      for (const [x, y] of duel.ends) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(isBeside ? at : width);
        expect(y).toBeLessThan(isBeside ? height : at);
      }
      // What does nothing here is not offered.
      expect(await strands.isVisible()).toBe(false);
      await close();
    },
    600_000,
  );
}

if (browser) describe('framing', () => framingTests());
else
  test('there is a browser where one is required', () => {
    console.log(missingBrowser());
    expect(process.env.CI, missingBrowser()).not.toBe('true');
  });
