// `npm run fuzz [FILTER]`: the fuzzers of this folder in their long form, minutes to hours.

import { spawnSync } from 'node:child_process';
import process from 'node:process';

const files = process.argv.slice(2);
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--testTimeout', '36000000', ...(files.length ? files : ['test/fuzz'])],
  {
    stdio: 'inherit',
    env: { ...process.env, FUZZ: 'long' },
    shell: process.platform === 'win32',
  },
);
process.exitCode = status ?? 1;
