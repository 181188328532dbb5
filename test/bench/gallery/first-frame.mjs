// What a visitor waits for: bytes and seconds until the gallery's first scene is drawn and moves.
//   node test/bench/gallery/first-frame.mjs [HASH]      (after npm run build, or npx vite build --mode demo)
// Serves dist/demos compressed, to a browser with nothing cached behind a line of 3 Mbit/s and 40 ms, three times.
// Bytes are those on the line. Seconds depend on this machine as well; drawing in software is a part of them.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../setup/find-browser.mjs';

/** [B/s], [ms] */
const LINE = { downloadThroughput: 3e6 / 8, uploadThroughput: 1e6 / 8, latency: 40, offline: false };
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.jpg': 'image/jpeg' };
const RUNS = 3;

const folder = fileURLToPath(new URL('../../../dist/demos', import.meta.url));
const packed = new Map();

/** A file as servers send it: compressed where that helps. */
async function read(path) {
  if (!packed.has(path)) {
    const bytes = await readFile(folder + path);
    packed.set(path, /\.(jpg|gz|png)$/.test(path) ? { bytes } : { bytes: gzipSync(bytes, { level: 9 }), gzip: true });
  }
  return packed.get(path);
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://gallery');
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
  try {
    const { bytes, gzip } = await read(path);
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
    if (gzip) response.setHeader('Content-Encoding', 'gzip');
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, resolve));
const address = `http://localhost:${server.address().port}/`;

const executablePath = findBrowser();
if (!executablePath) throw new Error('first-frame: there is no browser');
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});

/** One visit: bytes and files until the scene has moved, and how long that took [s]. */
async function visit(hash) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.setCacheDisabled', { cacheDisabled: true });
  await line.send('Network.emulateNetworkConditions', LINE);
  const names = new Map();
  const files = [];
  line.on('Network.requestWillBeSent', ({ requestId, request }) => names.set(requestId, request.url));
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    files.push({ name: new URL(names.get(requestId) ?? 'about:blank').pathname, bytes: encodedDataLength }),
  );
  const begun = performance.now();
  await page.goto(`${address}?quality=low&engine=webgl2&strands=wasm${hash}`, { waitUntil: 'commit' });
  await page.waitForFunction("performance.getEntriesByName('gallery-moving').length > 0");
  const seconds = (performance.now() - begun) / 1000;
  // What was asked for before the scene moved.
  const asked = await page.evaluate(() => {
    const [{ startTime }] = performance.getEntriesByName('gallery-moving');
    const before = performance.getEntriesByType('resource').filter((entry) => entry.startTime < startTime);
    return [location.pathname, ...before.map(({ name }) => new URL(name).pathname)];
  });
  const seen = files.filter(({ name }) => asked.includes(name));
  await context.close();
  return { seconds, files: seen, bytes: seen.reduce((sum, { bytes }) => sum + bytes, 0) };
}

const hash = process.argv[2] ? `#${process.argv[2]}` : '';
const visits = [];
for (let i = 0; i < RUNS; i++) visits.push(await visit(hash));
for (const { name, bytes } of visits[0].files.sort((a, b) => b.bytes - a.bytes).slice(0, 20))
  process.stdout.write(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${name}\n`);
for (const { bytes, files, seconds } of visits)
  process.stdout.write(
    `${(bytes / 1000).toFixed(0)} kB in ${files.length} files, moving after ${seconds.toFixed(1)} s\n`,
  );
await browser.close();
server.close();
