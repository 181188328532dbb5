// A hundred changes of scene leave nothing behind: in `npm run test:gallery`.

import { expect, test } from 'vitest';
import { findBrowser } from '../setup/find-browser.mjs';
import { startGallery } from './launch';

declare const stiction: {
  select(id: string): void;
  player: { session: object };
  view: { bodies: object };
};
/** What was shown, for as long as anything holds it. */
declare const shown: WeakRef<object>[];

/** A duel, sliders with instruments, cloth, plain bodies. */
const SCENES = ['arch', 'belt', 'flag', 'dominoes'];
const [WARM, ROUNDS] = [5, 25];
test.runIf(findBrowser() && process.env.GALLERY === 'long')('nothing is left of the scenes before', async () => {
  const gallery = await startGallery();
  try {
    const { page } = await gallery.open('?quality=low&engine=webgl2&strands=wasm&paused', {
      viewport: { width: 320, height: 200 },
    });
    const session = await page.context().newCDPSession(page);
    const measure = async () => {
      for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
      const alive = await page.evaluate(() => shown.filter((each) => each.deref()).length);
      return { usedSize, nodes, jsEventListeners, alive };
    };
    const round = async () => {
      for (const id of SCENES)
        await page.evaluate(async (hash) => {
          stiction.select(hash);
          shown.push(new WeakRef(stiction.player.session), new WeakRef(stiction.view.bodies));
          for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
        }, id);
    };
    await page.evaluate(() => Object.assign(window, { shown: [] }));
    for (let i = 0; i < WARM; i++) await round();
    const before = await measure();
    for (let i = 0; i < ROUNDS; i++) await round();
    const after = await measure();
    const perChange = (after.usedSize - before.usedSize) / (ROUNDS * SCENES.length);
    // Not asked for: most of it is code that the browser compiles meanwhile, which it counts among the rest.
    console.log(`${perChange.toFixed(0)} B a change; nodes ${before.nodes} to ${after.nodes}`);
    expect(after.jsEventListeners).toBe(before.jsEventListeners);
    expect(after.nodes).toBeLessThan(before.nodes + 100);
    // The session that is shown, and what draws it.
    expect(after.alive).toBe(2);
  } finally {
    await gallery.close();
  }
});
