// A page of a game that was built with another bundler's settings from the package as it is published, served and
// opened in a browser.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildLibrary } from '../cli/program';
import { findBrowser, missingBrowser } from './find-browser.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Game {
  /** Program of the page; sets `window[ready]` when it is there. */
  readonly program: string;
  readonly ready: string;
  /** Headers of each page by its path. */
  readonly pages: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Builds a game in a folder of its own and returns where its program lies. */
async function buildGame(folder: string, program: string): Promise<string> {
  const home = join(folder, 'node_modules/stiction');
  cpSync(await buildLibrary(), join(home, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(home, 'package.json'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "game", "type": "module" }');
  const entry = join(folder, 'game.mjs');
  writeFileSync(entry, program);
  const outDir = join(folder, 'out');
  await build({
    ...{ root: folder, configFile: false, logLevel: 'error' },
    build: { outDir, rolldownOptions: { input: entry, output: { entryFileNames: 'game.js' } } },
  });
  return outDir;
}

/** Serves the pages and what the bundler made. */
async function serve(out: string, pages: Game['pages']): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    if (path in pages) {
      response.writeHead(200, { 'Content-Type': 'text/html', ...pages[path] });
      response.end('<!doctype html><script type="module" src="/game.js"></script>');
      return;
    }
    try {
      const code = readFileSync(join(out, path));
      response.writeHead(200, { 'Content-Type': 'text/javascript' });
      response.end(code);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Declares `tests` of the game's pages, where there is a browser; `open` opens the page at a path. */
export function describePages(name: string, game: Game, tests: (open: (path: string) => Promise<Page>) => void): void {
  const executablePath = findBrowser();
  if (!executablePath) {
    test('there is a browser where one is required', () => {
      expect(process.env.CI, missingBrowser()).not.toBe('true');
    });
    return;
  }
  describe(name, () => {
    let folder = '';
    let server: Server;
    let browser: Browser;

    beforeAll(async () => {
      const cache = join(root, 'node_modules/.cache');
      mkdirSync(cache, { recursive: true });
      folder = mkdtempSync(join(cache, 'game-'));
      server = await serve(await buildGame(folder, game.program), game.pages);
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run'] });
    }, 600_000);

    afterAll(async () => {
      await browser?.close();
      server?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    tests(async (path) => {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
      await page.waitForFunction(`window.${game.ready} !== undefined`);
      return page;
    });
  });
}
