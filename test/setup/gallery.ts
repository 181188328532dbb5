// One dev server of the gallery for all tests of pages: each of them by itself would transform all modules again.

import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import type { TestProject } from 'vitest/node';
import { findBrowser } from './find-browser.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the pages; null where there is no browser to see them. */
    gallery: string | null;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export default async function startServers(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!findBrowser()) {
    project.provide('gallery', null);
    return undefined;
  }
  const server = await createServer({
    configFile: `${root}vite.config.ts`,
    mode: 'development',
    logLevel: 'error',
    // No reloads while a test runs (`watch: null` would be lost when Vite merges this with the file).
    server: { port: 0, host: '127.0.0.1', open: false, watch: { ignored: ['**'] } },
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (!address || typeof address === 'string') throw new Error('gallery: the server has no port');
  project.provide('gallery', `http://127.0.0.1:${address.port}/`);
  return () => server.close();
}
