// `npm run fuzz [FILTER]`: all tests that have a long form (rounds.ts) in it, minutes to hours.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const tests = dirname(dirname(fileURLToPath(import.meta.url)));
const withLongForm = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && /\/(rounds|scenes)'/.test(readFileSync(join(tests, name), 'utf8')))
  .map((name) => `test/${name}`);
const files = process.argv.slice(2);
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--testTimeout', '36000000', ...(files.length ? files : withLongForm)],
  {
    stdio: 'inherit',
    // With what is for the long suite alone, too.
    env: { ...process.env, FUZZ: 'long', SUITE: 'long' },
    shell: process.platform === 'win32',
  },
);
process.exitCode = status ?? 1;
