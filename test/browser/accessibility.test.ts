// What axe-core says of the pages: names, roles, contrast, order of headings. Two pages in `npm run test:long`, all of
// them, on desktop and phone, in `npm run test:gallery`.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCENES } from '../../demos/scenes/index';
import { findBrowser } from '../setup/find-browser.mjs';
import { isLongSuite } from '../setup/suite';
import { type Gallery, startGallery } from './launch';

declare const stiction: { select(id: string): void };
declare const axe: { run(context: Document, options: object): Promise<AxeResults> };

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const isLong = process.env.GALLERY === 'long';
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 720 } };
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Faults, a line each: rule, where, why. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const where = target.flat().join(' ');
      return `${id}: ${where}: ${(failureSummary ?? '').split('\n').slice(1).join(';').trim()}`;
    }),
  );
}

describe.runIf((isLong || isLongSuite) && findBrowser())('pages for everybody', () => {
  let gallery: Gallery;
  beforeAll(async () => {
    gallery = await startGallery();
  });
  afterAll(() => gallery?.close());

  /** Faults of the gallery once `act` has been done; `id` is the scene's. */
  async function galleryFaults(
    id: string,
    options: BrowserContextOptions,
    act?: (page: Page) => Promise<void>,
  ): Promise<string[]> {
    const { page, close } = await gallery.open(`?quality=low&engine=webgl2&strands=wasm&paused#${id}`, options);
    try {
      await act?.(page);
      await page.waitForTimeout(700);
      return await faultsOf(page);
    } finally {
      await close();
    }
  }

  test('the gallery with its menu open', async () => {
    expect(await galleryFaults('pyramid', desktop, (page) => page.getByTestId('scene-menu').click())).toEqual([]);
  });

  test.runIf(isLong)('a duel with the profiler frozen, help, instruments, sliders', async () => {
    const slowest = async (page: Page) => {
      await page.keyboard.press('p');
      await page.getByTestId('step').click();
      await page.getByTestId('panel-slowest').click();
    };
    expect(await galleryFaults('arch', desktop, slowest)).toEqual([]);
    expect(await galleryFaults('capstan', desktop, (page) => page.keyboard.press('?'))).toEqual([]);
    expect(await galleryFaults('hairy-ball', desktop)).toEqual([]);
  });

  test.runIf(isLong)('the gallery on a phone: closed, with its menu, with its panels', async () => {
    expect(await galleryFaults('arch', phone)).toEqual([]);
    expect(await galleryFaults('arch', phone, (page) => page.getByTestId('scene-menu').tap())).toEqual([]);
    expect(await galleryFaults('capstan', phone, (page) => page.getByTestId('chip').tap())).toEqual([]);
  });

  test.runIf(isLong).each([desktop, phone])('every scene', async (options) => {
    const { page, close } = await gallery.open('?quality=low&engine=webgl2&strands=wasm&paused', options);
    for (const { id } of SCENES) {
      await page.evaluate((scene) => stiction.select(scene), `${id}?amount=0`);
      await page.waitForTimeout(500);
      expect([id, ...(await faultsOf(page))]).toEqual([id]);
    }
    await close();
  });

  for (const name of isLong ? ['lab', 'validation', 'sag-free'] : ['lab'])
    test(`${name}.html`, async () => {
      const { page, close } = await gallery.open(`${name}.html`, desktop);
      try {
        await page.waitForTimeout(3000);
        expect(await faultsOf(page)).toEqual([]);
        if (isLong) {
          await page.setViewportSize({ width: 390, height: 844 });
          expect(await faultsOf(page)).toEqual([]);
        }
      } finally {
        await close();
      }
    });
});
