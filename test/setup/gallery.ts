// The built pages for all tests of them, served once: from a development server each visit costs a browser twice as
// much, for its hundreds of modules.

import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { buildPages } from '../cli/program';
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
  const server = await preview({
    configFile: `${root}vite.config.ts`,
    mode: 'demo',
    logLevel: 'error',
    build: { outDir: await buildPages() },
    preview: { port: 0, host: '127.0.0.1', open: false },
  });
  const address = server.httpServer.address();
  if (!address || typeof address === 'string') throw new Error('gallery: the server has no port');
  project.provide('gallery', `http://127.0.0.1:${address.port}/`);
  return () => server.close();
}
