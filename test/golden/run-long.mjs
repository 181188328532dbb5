// `npm run test:golden`: golden hashes after 600 steps of every scene with rods; with `--write` it writes them
// anew, of all scenes or of those that `-t` names.

import { spawnSync } from 'node:child_process';
import process from 'node:process';

const options = process.argv.slice(2);
const others = options.filter((option) => option !== '--write');
// Others are vitest's: -t 'demo: knot'.
const { status } = spawnSync('npx', ['vitest', 'run', 'test/golden', '--testTimeout', '600000', ...others], {
  stdio: 'inherit',
  env: { ...process.env, GOLDEN: others.length < options.length ? 'write' : 'long' },
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
