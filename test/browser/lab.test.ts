// The solver lab in a real browser: a shipped problem is solved by every method, a bad file is refused in words.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, missingBrowser } from '../setup/find-browser.mjs';
import { longTest } from '../setup/suite';
import { type Gallery, type GalleryPage, startGallery } from './launch';

/** What the page shows to tests: see the end of demos/lab/main.ts. */
declare const stiction: {
  curves: { iterations: Map<string, { x: number[]; residual: number[] }> };
  methods: { id: string; isFullForm?: boolean }[];
};

const browser = findBrowser();

function labTests(): void {
  let gallery: Gallery;
  let shown: GalleryPage;

  beforeAll(async () => {
    gallery = await startGallery();
    shown = await gallery.open('lab.html');
  });
  afterAll(() => gallery?.close());

  longTest('every method runs on a problem of ours; exact solvers converge; curves fall', async () => {
    const { page } = shown;
    await page.getByTestId('sample-heavy-top').click();
    // The worker's first answer waits until the kernels are compiled.
    const facts = () => page.getByTestId('facts').textContent();
    await expect.poll(facts).toMatch(/^40 contacts · mu 0\.6/);
    await expect.poll(() => page.getByTestId('auto-status').textContent()).toBe('converged');
    for (const id of ['dantzig', 'contact-admm'])
      expect(await page.getByTestId(`${id}-status`).textContent()).toBe('converged');
    expect(await page.getByTestId('hybrid-fail-safe').textContent()).toMatch(/ %$/);
    const curves = await page.evaluate(() =>
      stiction.methods.map(({ id, isFullForm }) => ({
        isFullForm,
        id,
        ...(stiction.curves.iterations.get(id) ?? { x: [], residual: [] }),
      })),
    );
    for (const { id, isFullForm, x, residual } of curves) {
      if (isFullForm) {
        expect(x, id).toEqual([]);
        continue;
      }
      expect(x.length, id).toBeGreaterThan(2);
      for (let i = 1; i < x.length; i++) {
        expect(x[i], id).toBeGreaterThan(x[i - 1]);
        expect(residual[i], id).toBeLessThanOrEqual(residual[i - 1]);
      }
    }
    expect(shown.errors).toEqual([]);
    expect(shown.external).toEqual([]);
  });

  longTest('a problem in full form is solved by conjugate residuals, ADMM and the comparators, too', async () => {
    const { page } = shown;
    await page.getByTestId('sample-elastic-blocks').click();
    const status = (id: string) => page.getByTestId(`${id}-status`).textContent();
    await expect.poll(() => status('staggered')).toMatch(/converged|limit/);
    for (const id of ['cr-full', 'cr-diagonal', 'admm', 'nested']) expect(await status(id), id).toBe('converged');
    const counts = await page.evaluate(() =>
      stiction.methods.map(({ id }) => stiction.curves.iterations.get(id)?.x.length ?? 0),
    );
    for (const count of counts) expect(count).toBeGreaterThan(2);
    expect(shown.errors).toEqual([]);
  });

  test('a file that is no problem is refused with what is wrong in it', async () => {
    const { page } = shown;
    await page.evaluate(() => {
      const data = new DataTransfer();
      const text = JSON.stringify({ version: 1, contacts: 1, mu: [-1], b: [0, 0, 0], W: { rows: 3, columns: 3 } });
      data.items.add(new File([text], 'bad.problem.json'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await expect.poll(() => page.getByTestId('message').textContent()).toMatch(/mu\[0\]: must be >= 0.*got -1/);
    expect(await page.getByTestId('problem').textContent()).toBe('bad.problem.json');
    expect(await page.getByTestId('run').isDisabled()).toBe(true);
    expect(shown.errors).toEqual([]);
  });
}

if (browser) describe('solver lab', () => labTests());
else
  test('there is a browser where one is required', () => {
    expect(process.env.CI, missingBrowser()).not.toBe('true');
  });
