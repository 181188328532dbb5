// `npm run test:long [FILTER]`: all files that have more in the long suite (suite.ts) than in `npm test`, in full;
// `npm run test:long -- --no-pages`: all but those of pages in a browser (test/browser), which take half of its time.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const tests = dirname(dirname(fileURLToPath(import.meta.url)));
/** What names the suite, itself or in the helpers of its folder. */
const NAMES = /\/setup\/suite'|'\.\/(statics|scenes)'/;
const withLongForm = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && NAMES.test(readFileSync(join(tests, name), 'utf8')))
  .map((name) => `test/${name}`);
const NO_PAGES = '--no-pages';
const files = process.argv.slice(2).filter((option) => option !== NO_PAGES);
const wanted = process.argv.includes(NO_PAGES)
  ? withLongForm.filter((name) => !name.startsWith('test/browser/'))
  : withLongForm;
const { status } = spawnSync('npx', ['vitest', 'run', ...(files.length > 0 ? files : wanted)], {
  stdio: 'inherit',
  env: { ...process.env, SUITE: 'long', BUILT_ENGINE: '1' },
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
