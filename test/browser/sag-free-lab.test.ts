// The sag-free lab: draws its figures by itself in workers, and colours strands by what their bounds leave.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, missingBrowser } from '../setup/find-browser.mjs';
import { longTest } from '../setup/suite';
import { countColors, type Gallery, startGallery } from './launch';

const browser = findBrowser();

function pageTests(): void {
  let gallery: Gallery;

  beforeAll(async () => {
    gallery = await startGallery();
  });
  afterAll(() => gallery?.close());

  longTest(
    'the page lists every solver, and fewer forces are left where strands may be stiffer',
    async () => {
      const { page, errors, external, close } = await gallery.open('sag-free.html');
      const rows = () => page.getByTestId('iterations').locator('tbody tr').count();
      await expect.poll(rows).toBe(3);
      expect(await page.evaluate('stiction.traces().length')).toBe(9);
      const counts = await page.locator('[data-solver="MPRGP, active-set-cholesky"] td').allTextContents();
      expect(counts.map((text) => text.replace(/^\d+ /, ''))).toEqual(['(122)', '(47)', '(19)', '(11)', '(2)']);
      expect(Number.parseInt(counts[2], 10)).toBeLessThan(25);

      const left = () => page.getByTestId('forces').getAttribute('data-left');
      await page.getByTestId('stiffest').selectOption('1');
      await expect.poll(async () => Number(await left())).toBeGreaterThan(10);
      await page.getByTestId('stiffest').selectOption('1000');
      await expect.poll(left).toBe('0');
      await expect.poll(() => page.getByTestId('left').textContent()).toBe('all in equilibrium');

      // A choice made while the solvers are at work replaces it.
      await page.getByTestId('strand').selectOption('long-level');
      await page.getByTestId('strand').selectOption('curl');
      const caption = () => page.getByTestId('iterations').locator('caption').textContent();
      await expect.poll(caption).toBe('Iterations by μ.');
      expect(await rows()).toBe(3);
      for (const id of ['preconditioners', 'solvers', 'forces']) {
        const png = (await page.getByTestId(id).screenshot()).toString('base64');
        expect(await countColors(page, png)).toBeGreaterThan(10);
      }
      expect(errors).toEqual([]);
      expect(external).toEqual([]);
      await close();
    },
    600_000,
  );
}

if (browser) describe('the page', () => pageTests());
else
  test('there is a browser where one is required', () => {
    expect(process.env.CI, missingBrowser()).not.toBe('true');
  });
