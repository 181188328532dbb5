// The profiler over the gallery, as it is put over a game: finds a step that was slow, and takes it again.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../setup/find-browser.mjs';
import { isLongSuite } from '../setup/suite';
import { type Gallery, type GalleryPage, SCREENSHOTS, startGallery } from './launch';

declare const stiction: {
  physics: {
    stepCount: number;
    hash(): string;
    schedule: { names: string[]; after(stage: string, system: () => void, name: string): () => void };
  };
  player: { paused: boolean };
};

const PATIENCE = 180_000; // [ms]

describe.runIf(isLongSuite && findBrowser())('the profiler', () => {
  let gallery: Gallery;
  let shown: GalleryPage;
  beforeAll(async () => {
    gallery = await startGallery();
    shown = await gallery.open('?quality=low&engine=webgl2&strands=wasm#pyramid', {
      viewport: { width: 1280, height: 720 },
    });
    // It is open from the first on the widest pages only.
    await shown.page.keyboard.press('p');
  });
  afterAll(() => gallery?.close());

  test('a step that took many times the median is found and taken again by two clicks', async () => {
    const { page } = shown;
    await page.evaluate(() => {
      const { physics } = stiction;
      const slow = physics.stepCount + 40;
      physics.schedule.after(
        'copy-out',
        () => {
          const end = performance.now() + 2000;
          while (physics.stepCount === slow && performance.now() < end);
        },
        'slow-system',
      );
      Object.assign(window, { slow });
    });
    await page.waitForFunction(
      () => stiction.physics.stepCount > (window as unknown as { slow: number }).slow + 20,
      null,
      {
        timeout: PATIENCE,
      },
    );
    const slow = await page.evaluate(() => (window as unknown as { slow: number }).slow);
    await page.getByTestId('panel-slowest').click();
    expect(await page.getByTestId('panel-step').textContent()).toMatch(new RegExp(`^Step ${slow}: \\d+ ms`));
    expect(await page.getByTestId('panel-detail').textContent()).toMatch(/slow-system[2-9]\d\d\d ms/);
    expect(await page.getByTestId('panel-counts').textContent()).toMatch(/bodies 56 · /);
    expect(await page.evaluate(() => stiction.player.paused)).toBe(true);
    const hash = () => page.evaluate(() => stiction.physics.hash());
    const before = await hash();
    await page.getByTestId('panel-replay').click();
    expect(await page.getByTestId('panel-answer').textContent()).toMatch(/slow again: it lies in the state/);
    expect(await hash()).toBe(before);
    await page.screenshot({ path: `${SCREENSHOTS}profiler.png` });
    await page.getByTestId('panel-slowest').click();
    expect(await page.evaluate(() => stiction.player.paused)).toBe(false);
    // What the visitor has paused stays so.
    await page.keyboard.press(' ');
    for (let click = 0; click < 2; click++) await page.getByTestId('panel-slowest').click();
    expect(await page.evaluate(() => stiction.player.paused)).toBe(true);
    await page.evaluate(() => {
      stiction.player.paused = false;
    });
    expect(shown.errors).toEqual([]);
  });

  test('open it takes little of a frame; closed it leaves the schedule as it was', async () => {
    const { page } = shown;
    await page.waitForTimeout(3000);
    const text = (await page.getByTestId('panel-cost').textContent()) ?? '';
    // 0.3 ms on a machine that has nothing else to do; here other tests run beside it.
    console.log(text);
    expect(Number(/([\d.]+) ms/.exec(text)?.[1])).toBeGreaterThan(0);
    expect(await page.evaluate(() => stiction.physics.schedule.names)).toContain('panel');
    await page.keyboard.press('p');
    expect(await page.evaluate(() => stiction.physics.schedule.names)).not.toContain('panel');
    await page.keyboard.press('p');
  });

  test('a bar of the timeline is chosen by a click or by the arrow keys', async () => {
    const { page } = shown;
    const { stepCount } = await page.evaluate(() => ({ stepCount: stiction.physics.stepCount }));
    await page.waitForFunction((count) => stiction.physics.stepCount > count + 20, stepCount, { timeout: PATIENCE });
    const bars = page.getByTestId('panel-timeline');
    const width = await bars.evaluate((canvas) => canvas.clientWidth);
    const isChosen = () => page.getByTestId('panel-slowest').getAttribute('aria-pressed');
    // A frame of a busy machine may have no bar at the place of the click.
    await expect
      .poll(async () => {
        if ((await isChosen()) !== 'true') await bars.click({ position: { x: width - 5, y: 30 } });
        return isChosen();
      })
      .toBe('true');
    const chosen = () => bars.getAttribute('aria-valuenow').then(Number);
    const first = await chosen();
    await bars.press('ArrowLeft');
    expect(await chosen()).toBe(first - 1);
    await page.getByTestId('panel-slowest').click();
  });

  test('pin, histogram, what-if, table and trace do what they say', async () => {
    const { page } = shown;
    const [panel, text] = [page.getByTestId('panel'), (id: string) => page.getByTestId(id).textContent()];
    const steps = await page.evaluate(() => stiction.physics.stepCount);
    // What-if says nothing of fewer than thirty steps.
    await page.waitForFunction((count) => stiction.physics.stepCount > count + 40, steps, { timeout: PATIENCE });
    expect(await panel.getByText('pinned').isVisible()).toBe(false);
    await page.getByTestId('panel-pin').click();
    await expect.poll(() => panel.getByText('pinned').isVisible()).toBe(true);
    await page.getByTestId('panel-pin').click();
    await expect.poll(() => panel.getByText('pinned').isVisible()).toBe(false);
    await panel.getByRole('button', { name: 'solve-contacts' }).click();
    await expect.poll(() => page.getByTestId('panel-histogram').getAttribute('aria-label')).toMatch(/solve-contacts/);
    // While it stands still the same steps are asked of twice, however long each takes here.
    const pause = (paused: boolean) =>
      page.evaluate((is) => {
        stiction.player.paused = is;
      }, paused);
    await pause(true);
    const fitting = async () => {
      const [, number] = /^fit about (\S+) /.exec(((await text('panel-fits')) ?? '').replaceAll('\u202f', '')) ?? [];
      return Number(number);
    };
    await expect.poll(fitting).toBeGreaterThan(0);
    const before = await fitting();
    await page.getByTestId('panel-what-if').selectOption('16');
    await expect.poll(fitting).toBeGreaterThan(2 * before);
    await pause(false);
    expect(await text('panel-memory')).toMatch(/engine \d.* MB.*page .* MB/);
    const save = async (button: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(button).click()]);
      const chunks: Buffer[] = [];
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    };
    const [head, row] = (await save('panel-csv')).split('\n');
    expect(head).toMatch(/^step,began \[ms\],step \[ms\],.*islands by pivoting.*/);
    // A label that has commas stands in quotes, and is one cell.
    const cellsOf = (line: string) => line.match(/"[^"]*"|[^,]+/g) ?? [];
    expect(cellsOf(head)).toContain('"strands, sheets, solids"');
    expect(cellsOf(row)).toHaveLength(cellsOf(head).length);
    const { traceEvents } = JSON.parse(await save('panel-trace')) as { traceEvents: { name: string; ph: string }[] };
    for (const name of ['frame', 'step', 'solve-contacts']) expect(traceEvents.some((e) => e.name === name)).toBe(true);
    expect(traceEvents.some(({ name, ph }) => name === 'awake' && ph === 'C')).toBe(true);
    expect(shown.errors).toEqual([]);
  });
});
