// Captions, cards, panels and buttons lie beside each other and within the page, at the four sizes it is made for:
// some scenes in `npm run test:long`, all of them in `npm run test:gallery`.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCENES } from '../../demos/scenes/index';
import { findBrowser } from '../setup/find-browser.mjs';
import { isLongSuite } from '../setup/suite';
import { type Gallery, startGallery } from './launch';

declare const stiction: { select(id: string): void; player: { stepOnce(): void } };

const isLong = process.env.GALLERY === 'long';
/** A duel, one with a chart, one picture with two worlds, sliders, labels. */
const SOME = ['arch', 'capstan', 'oscillating-sphere', 'flag', 'strengths'];
const ids = isLong ? SCENES.map(({ id }) => id) : SOME;

/** What lies over another thing, or ends beyond the page where nothing scrolls, a line each. */
const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const isSeen = (element: Element) => {
      const { visibility, opacity } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      return visibility !== 'hidden' && Number(opacity) > 0.05 && width > 1 && height > 1;
    };
    const parts = [...document.querySelectorAll('#ui .glass')].filter(isSeen);
    const faults = parts.flatMap((part, i) => {
      const a = part.getBoundingClientRect();
      const under = parts.slice(i + 1).filter((other) => {
        const b = other.getBoundingClientRect();
        const isInside = part.contains(other) || other.contains(part);
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        return !isInside && width > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
      });
      return [
        ...under.map((other) => `${part.className} over ${other.className}`),
        ...(a.left < -1 || a.right > innerWidth + 1 || a.top < -1 ? [`${part.className} beyond the page`] : []),
      ];
    });
    return document.documentElement.scrollWidth > innerWidth + 1 ? [...faults, 'the page scrolls sideways'] : faults;
  });

describe.runIf((isLong || isLongSuite) && findBrowser())('what stands on the page', () => {
  let gallery: Gallery;
  beforeAll(async () => {
    gallery = await startGallery();
  });
  afterAll(() => gallery?.close());

  const sizes = [
    [1366, 768],
    [1280, 720],
    [820, 1180],
    [390, 844],
  ];
  test.each(sizes)(
    'lies beside each other at %i × %i, and beside the panels where there is room for them',
    async (width, height) => {
      const options = { viewport: { width, height }, isMobile: width < 600, hasTouch: width < 900 };
      const { page, close } = await gallery.open('?quality=low&engine=webgl2&strands=wasm&paused', options);
      // On narrow pages panels are a sheet over the scene.
      for (const hasPanels of width > 900 ? [false, true] : [false]) {
        if (hasPanels) await page.keyboard.press('p');
        for (const id of ids) {
          await page.evaluate((scene) => {
            stiction.select(scene);
            stiction.player.stepOnce();
          }, `${id}?amount=0`);
          await expect.poll(() => faultsOf(page), { timeout: 20_000 }).toEqual([]);
        }
      }
      await close();
    },
    900_000,
  );
});
