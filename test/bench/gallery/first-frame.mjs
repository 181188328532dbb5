// What a visitor waits for: bytes and seconds until the gallery's first scene is drawn and moves.
//   node test/bench/gallery/first-frame.mjs [HASH]      (after npm run build, or npx vite build --mode demo)
// Serves dist/demos compressed, to a browser with nothing cached behind a line of 3 Mbit/s and 40 ms, five times.
// Bytes are those on the line. Told are medians of three times: until the last of the files is there, what the page's
// thread computes until the scene moves (its processor time), and the whole, of which drawing in software and what else
// this machine does are a part. On a machine with a graphics card and nothing else to do it takes the first two, less
// what is computed while files are on their way.

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
const RUNS = 5;

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
  await line.send('Performance.enable', { timeDomain: 'threadTicks' });
  const names = new Map();
  const files = [];
  line.on('Network.requestWillBeSent', ({ requestId, request }) => names.set(requestId, request.url));
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    files.push({ name: new URL(names.get(requestId) ?? 'about:blank').pathname, bytes: encodedDataLength }),
  );
  await page.goto(`${address}?quality=low&engine=webgl2&strands=wasm${hash}`, { waitUntil: 'commit' });
  await page.waitForFunction("performance.getEntriesByName('gallery-moving').length > 0");
  const { metrics } = await line.send('Performance.getMetrics');
  const computing = metrics.find(({ name }) => name === 'TaskDuration').value;
  // What was asked for before the scene moved.
  const { asked, fetched, moving } = await page.evaluate(() => {
    const [{ startTime }] = performance.getEntriesByName('gallery-moving');
    const before = performance.getEntriesByType('resource').filter((entry) => entry.startTime < startTime);
    return {
      asked: [location.pathname, ...before.map(({ name }) => new URL(name).pathname)],
      fetched: Math.max(...before.map(({ responseEnd }) => responseEnd)) / 1000,
      moving: startTime / 1000,
    };
  });
  const seen = files.filter(({ name }) => asked.includes(name));
  await context.close();
  return { fetched, computing, moving, files: seen, bytes: seen.reduce((sum, { bytes }) => sum + bytes, 0) };
}

const hash = process.argv[2] ? `#${process.argv[2]}` : '';
const visits = [];
for (let i = 0; i < RUNS; i++) visits.push(await visit(hash));
for (const { name, bytes } of visits[0].files.sort((a, b) => b.bytes - a.bytes).slice(0, 20))
  process.stdout.write(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${name}\n`);
const median = (of) => visits.map(of).sort((a, b) => a - b)[RUNS >> 1];
const { bytes, files } = visits[0];
process.stdout.write(
  `${(bytes / 1000).toFixed(0)} kB in ${files.length} files, ` +
    `the last after ${median(({ fetched }) => fetched).toFixed(1)} s; ` +
    `${median(({ computing }) => computing).toFixed(1)} s of computing; ` +
    `moving after ${median(({ moving }) => moving).toFixed(1)} s\n`,
);
await browser.close();
server.close();
