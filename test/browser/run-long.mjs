// `npm run test:gallery [FILTER]`: every scene of the gallery as visitors find it, for 20 s, axe on
// all pages, a hundred changes of scene; FILTER is vitest's -t.

import { spawnSync } from 'node:child_process';
import process from 'node:process';

const options = process.argv.slice(2);
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    'test/browser/scenes.test.ts',
    'test/browser/accessibility.test.ts',
    'test/browser/leaks.test.ts',
    ...(options.length ? ['-t', ...options] : []),
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, GALLERY: 'long' },
    shell: process.platform === 'win32',
  },
);
process.exitCode = status ?? 1;
