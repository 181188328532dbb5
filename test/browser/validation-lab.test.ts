// The validation lab: its experiments meet the master curves, headless and on the page.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPERIMENTS } from '../../demos/validation/experiments';
import type { ExperimentId } from '../../demos/validation/protocol';
import { findBrowser, missingBrowser } from '../setup/find-browser.mjs';
import { bySuite, longTest } from '../setup/suite';
import { type Gallery, startGallery } from './launch';

/** What the page shows to tests: see the end of demos/validation/main.ts. */
declare const stiction: { findings: { deviations: { experiment: string; label: string; deviation: number }[] } };

/** Farthest apart that is allowed, and findings that there must be. */
const ALLOWED: Record<ExperimentId, [share: number, count: number]> = {
  'heavy-elastica': [0.01, 12],
  'stick-slip': [0.03, 5],
  capstan: [0.02, 6],
};

const ids = Object.keys(EXPERIMENTS) as ExperimentId[];

// The page below runs all three with 16 points; stick–slip and capstan of 64 are also in test/validation.
describe.each(bySuite(['heavy-elastica'] as const, ids))('%s', (id) => {
  test('rods of 64 points lie on the master curve', () => {
    let count = 0;
    for (const outcome of EXPERIMENTS[id]({ backend: 'wasm', vertices: 64 })) {
      if (outcome.kind !== 'finding') continue;
      count++;
      const { label, measured, expected } = outcome;
      expect(Math.abs(measured / expected - 1), `${label}: ${measured} for ${expected}`).toBeLessThan(ALLOWED[id][0]);
    }
    expect(count).toBe(ALLOWED[id][1]);
  });
});

const browser = findBrowser();

function pageTests(): void {
  let gallery: Gallery;

  beforeAll(async () => {
    gallery = await startGallery();
  });
  afterAll(() => gallery?.close());

  longTest('runs by itself, draws and lists every figure', async () => {
    const { page, errors, external, close } = await gallery.open('validation.html');
    // The worker's first answer waits until the kernels are compiled.
    const rows = () => page.getByTestId('findings').locator('tr').count();
    await expect.poll(rows).toBeGreaterThan(0);
    // Changing the points starts it anew, with less to do.
    await page.getByTestId('vertices').selectOption('16');
    await expect.poll(() => page.getByTestId('progress').textContent()).toMatch(/^done: 23 figures/);
    const found = await page.evaluate(() => stiction.findings.deviations);
    expect(await rows()).toBe(found.length);
    for (const { experiment, label, deviation } of found) {
      // Sixteen points are few, but the curve is the same.
      expect(Math.abs(deviation), `${experiment}, ${label}`).toBeLessThan(0.2);
    }
    expect(errors).toEqual([]);
    expect(external).toEqual([]);
    await close();
  });
}

if (browser) describe('validation lab', () => pageTests());
else
  test('there is a browser where one is required', () => {
    expect(process.env.CI, missingBrowser()).not.toBe('true');
  });
