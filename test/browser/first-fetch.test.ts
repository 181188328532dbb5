// What a visitor waits for comes in one wave: nothing that the first picture takes is asked for only when something
// else has arrived and run.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser } from '../setup/find-browser.mjs';
import { isLongSuite } from '../setup/suite';
import { type Gallery, startGallery } from './launch';

const isRun = isLongSuite && findBrowser() !== null;
let gallery: Gallery;

beforeAll(async () => {
  if (isRun) gallery = await startGallery();
});

afterAll(() => gallery?.close());

test.runIf(isRun)('all that is fetched before the scene moves, the page or its first lines name', async () => {
  const { page, close } = await gallery.open('?engine=webgl2&strands=wasm');
  const { html, first, fetched } = await page.evaluate(async () => {
    const read = async (address: string) => (await fetch(address)).text();
    const script = document.querySelector('script[type=module]') as HTMLScriptElement;
    const [{ startTime }] = performance.getEntriesByName('gallery-moving');
    const before = performance.getEntriesByType('resource').filter((entry) => entry.startTime < startTime);
    const names = before.map(({ name }) => new URL(name).pathname.replace(/.*\//, ''));
    return { html: await read(location.pathname), first: await read(script.src), fetched: names };
  });
  expect(fetched.length).toBeGreaterThan(10);
  expect(fetched.filter((name) => !html.includes(name) && !first.includes(name))).toEqual([]);
  // The program itself does not wait for what calls for it.
  expect(html).toMatch(/modulepreload[^>]*assets\/main-/);
  await close();
});
