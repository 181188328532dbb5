// `npm run test:gpu [FILTER]`: all tests of WebGPU on the software device, those that
// `npm test` has no time for included.

import { spawnSync } from 'node:child_process';
import process from 'node:process';

const FILES = ['test/gpu/', 'webgpu.test', 'test/browser/gpu-', 'test/cli/bench-gpu'];
const files = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', ...(files.length > 0 ? files : FILES)], {
  stdio: 'inherit',
  env: { ...process.env, GPU_SUITE: process.env.GPU_SUITE ?? 'long' },
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
