// Runs the built examples (examples/, `npm run build`) as a visitor does, in a headless browser: no error, nothing from
// elsewhere, a picture that moves when it is touched. Then the documentation's pages (docs.mjs).
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { findBrowser } from '../setup/find-browser.mjs';
import { faultsOfDocs } from './docs.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const PICTURES = fileURLToPath(new URL('../browser/screenshots/', import.meta.url));

/** A touch of each page, at fractions of its window: a drag, or a click to throw. */
const TOUCHES = {
  canvas: [
    [0.53, 0.7],
    [0.7, 0.2],
  ],
  three: [[0.45, 0.5]],
  babylon: null, // the flag moves by itself
  worker: [[0.5, 0.5]],
  'worker-babylon': [[0.9, 0.3]],
};

const executablePath = findBrowser();
if (!executablePath) throw new Error('test:examples: there is no browser');
const server = await preview({
  configFile: `${root}vite.config.ts`,
  mode: 'examples',
  preview: { port: 0, host: '127.0.0.1' },
  logLevel: 'error',
});
const url = server.resolvedUrls.local[0];
const browser = await chromium.launch({
  executablePath,
  args: [
    ...['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...['--no-first-run', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  ],
});
const failures = [];
for (const [name, touch] of Object.entries(TOUCHES)) {
  const size = { width: 480, height: 320 };
  const page = await browser.newPage({ viewport: size });
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(`${name}: ${message.text()}`);
  });
  page.on('pageerror', (error) => failures.push(`${name}: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1|data:|blob:)/.test(request.url())) failures.push(`${name}: asks ${request.url()}`);
  });
  await page.goto(`${url}${name}/index.html`);
  await page.waitForTimeout(3000);
  const before = await page.screenshot({ path: `${PICTURES}example-${name}.png` });
  if (touch) {
    const [[x, y], to] = touch;
    await page.mouse.move(x * size.width, y * size.height);
    await page.mouse.down();
    if (to) await page.mouse.move(to[0] * size.width, to[1] * size.height, { steps: 5 });
    else await page.mouse.up();
  }
  await page.waitForTimeout(1000);
  const after = await page.screenshot({ path: `${PICTURES}example-${name}-touched.png` });
  if (before.equals(after)) failures.push(`${name}: nothing moves`);
  await page.close();
}
failures.push(...(await faultsOfDocs(browser)));
await browser.close();
await server.close();
for (const failure of failures) console.error(failure);
if (failures.length === 0) console.log(`${Object.keys(TOUCHES).length} examples run`);
process.exit(failures.length === 0 ? 0 : 1);
