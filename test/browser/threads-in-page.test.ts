// Threads in a page with the package as it is published: the same bits with workers and without, the page is never
// blocked, and the reason is told where the page is not isolated or its policy forbids workers.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildLibrary } from '../cli/program';
import { findBrowser, missingBrowser } from '../setup/find-browser.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
/** Headers of the pages. */
const PAGES: Record<string, Record<string, string>> = {
  '/': ISOLATED,
  '/plain': {},
  '/strict': { ...ISOLATED, 'Content-Security-Policy': "worker-src 'none'" },
};

const GAME = `
  import { createWorld } from 'bitecs';
  import { addGroom, createPhysics } from 'stiction';
  const [strands, vertices] = [120, 16];
  const positions = [];
  for (let s = 0; s < strands; s++)
    for (let i = 0; i < vertices; i++) positions.push(0.00105 * (s % 12), -0.01 * i, 0.00105 * Math.floor(s / 12));
  window.run = async (threads) => {
    const told = [];
    const warn = (text) => told.push(text);
    const physics = createPhysics(createWorld(), { threads, warn, gravity: [6, -8, 0], sleeping: false });
    const counts = new Int32Array(strands).fill(vertices);
    addGroom(physics, { strands: { counts, positions }, radius: 0.0005, clampStart: true });
    await physics.threadsReady;
    for (let k = 0; k < 5; k++) physics.step();
    const answer = { hash: physics.hash(), told, ...physics.report.threads };
    physics.dispose();
    return answer;
  };`;

interface Run {
  hash: string;
  told: string[];
  count: number;
  reason: string;
}

const browserPath = findBrowser();

function pageTests(executablePath: string): void {
  let folder = '';
  let server: Server;
  let browser: Browser;
  let address = '';

  beforeAll(async () => {
    const cache = join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, 'threads-'));
    const home = join(folder, 'node_modules/stiction');
    cpSync(await buildLibrary(), join(home, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(home, 'package.json'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "game", "type": "module" }');
    const entry = join(folder, 'game.mjs');
    writeFileSync(entry, GAME);
    await build({
      ...{ root: folder, configFile: false, logLevel: 'error' },
      build: { outDir: join(folder, 'out'), rolldownOptions: { input: entry, output: { entryFileNames: 'game.js' } } },
    });
    server = createServer((request, response) => {
      const path = (request.url ?? '/').split('?')[0];
      if (path in PAGES) {
        response.writeHead(200, { 'Content-Type': 'text/html', ...PAGES[path] });
        response.end('<!doctype html><script type="module" src="/game.js"></script>');
        return;
      }
      try {
        const code = readFileSync(join(folder, 'out', path));
        response.writeHead(200, { 'Content-Type': 'text/javascript' });
        response.end(code);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run'] });
  }, 600_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(path: string) {
    const page = await browser.newPage();
    await page.goto(address + path);
    await page.waitForFunction('window.run !== undefined');
    return { page, run: (threads: number) => page.evaluate(`run(${threads})`) as Promise<Run> };
  }

  test('the same bits for any number of threads; workers end with their world', async () => {
    const { page, run } = await open('/');
    const alone = await run(0);
    expect(alone).toMatchObject({ count: 1, reason: '', told: [] });
    for (const threads of [2, 3])
      expect(await run(threads)).toEqual({ hash: alone.hash, told: [], count: threads, reason: '' });
    await expect.poll(() => page.workers().length).toBe(0);
  });

  test('a page that is not isolated, and one that forbids workers: one thread, and why', async () => {
    const { hash } = await (await open('/')).run(0);
    const plain = await (await open('/plain')).run(2);
    expect(plain).toMatchObject({ hash, count: 1, told: [expect.stringContaining('not cross-origin isolated')] });
    const strict = await (await open('/strict')).run(2);
    expect(strict).toMatchObject({ hash, count: 1, told: [expect.stringContaining('worker-src blob:')] });
  });
}

if (browserPath) describe('threads in a page', () => pageTests(browserPath));
else
  test('there is a browser where one is required', () => {
    expect(process.env.CI, missingBrowser()).not.toBe('true');
  });
