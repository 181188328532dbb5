// Baking in a page with the package as it is published and another bundler's settings: in workers, the same bits for
// any number of them and without any, while the page goes on.

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

const GAME = `
  import { createWorld } from 'bitecs';
  import { addGroom, bakeGroom, createPhysics } from 'stiction';
  const positions = [];
  for (let s = 0; s < 48; s++) {
    for (let i = 0; i < 40; i++) {
      positions.push(0.004 * i, 0.01 * Math.round(9 * Math.sin(0.5 * i + s)) / 9, 0.01 * s);
    }
  }
  const strands = { counts: new Array(48).fill(40), positions };
  window.bake = async (workers) => {
    const physics = createPhysics(createWorld());
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const told = [];
    const baked = await bakeGroom(physics, { strands }, { workers, onProgress: (done) => told.push(done) });
    clearInterval(timer);
    addGroom(physics, { strands: baked, selfContact: false, mask: 0 });
    for (let k = 0; k < 10; k++) physics.step();
    const { forceLeft } = baked.report;
    return { hash: physics.hash(), numbers: [...baked.rest.bendFactors], ticks, told, forceLeft };
  };
  window.halt = async () => {
    const stop = new AbortController();
    const bake = bakeGroom(createPhysics(createWorld()), { strands }, { workers: 2, signal: stop.signal });
    stop.abort('enough');
    return bake.then(() => 'done', (reason) => reason);
  };`;

interface Baked {
  hash: string;
  numbers: number[];
  ticks: number;
  told: number[];
  forceLeft: unknown[];
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
    folder = mkdtempSync(join(cache, 'bake-'));
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
      if (path === '/' || path === '/strict') {
        const policy = path === '/strict' ? { 'Content-Security-Policy': "worker-src 'none'" } : {};
        response.writeHead(200, { 'Content-Type': 'text/html', ...policy });
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
    await page.waitForFunction('window.bake !== undefined');
    const bake = (workers: number) => page.evaluate(`bake(${workers})`) as Promise<Baked>;
    return { page, bake };
  }

  test('gives the same bits with one worker, three, and where workers are forbidden; the page goes on', async () => {
    const { page, bake } = await open('/');
    const one = await bake(1);
    const three = await bake(3);
    expect(one.told).toEqual([16, 32, 48]);
    expect(three.told.length).toBe(3);
    expect(one.forceLeft).toEqual([]);
    expect(one.ticks).toBeGreaterThan(2);
    expect(await page.evaluate('halt()')).toBe('enough');
    const strict = await open('/strict');
    const alone = await strict.bake(3);
    expect(alone.ticks).toBeGreaterThan(2);
    for (const other of [three, alone]) {
      expect(other.hash).toBe(one.hash);
      expect(other.numbers).toEqual(one.numbers);
    }
  });
}

if (browserPath) describe('baking in a page', () => pageTests(browserPath));
else
  test('there is a browser where one is required', () => {
    expect(process.env.CI, missingBrowser()).not.toBe('true');
  });
