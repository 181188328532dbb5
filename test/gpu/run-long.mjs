// `npm run test:gpu [FILTER]`: all tests of WebGPU on the software device, those that
// `npm test` has no time for included. One file after another: the device takes all cores, and pages that share them
// with a second one wait minutes for a step.
//
// Now and then Dawn ends the process that it is in. What had no result by then runs once more, and a line says so; a
// test that fails has failed.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';

const FILES = ['test/gpu/', 'webgpu.test', 'test/browser/gpu-', 'test/cli/bench-gpu'];
const RUNS = 2;
const folder = mkdtempSync(join(tmpdir(), 'stiction-gpu-'));

function vitest(...options) {
  const { status } = spawnSync('npx', ['vitest', ...options], {
    stdio: 'inherit',
    env: { ...process.env, GPU_SUITE: process.env.GPU_SUITE ?? 'long', BUILT_ENGINE: '1' },
    shell: process.platform === 'win32',
  });
  return status ?? 1;
}

/** Runs the files. Returns the exit status, whether any test or file failed, and the files that came to an end. */
function run(files) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const reporters = ['default', './test/setup/dearest.ts', './test/setup/failures.ts', 'json'];
  const named = reporters.map((name) => `--reporter=${name}`);
  const status = vitest('run', '--no-file-parallelism', ...named, `--outputFile.json=${report}`, ...files);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const hasFailed = testResults.some((file) => file.status === 'failed');
  // In a file that did not come to an end a test is still to come; one that ended while it was read has none yet.
  const ended = testResults.filter(
    ({ assertionResults: tests }) => tests.length > 0 && tests.every(({ status }) => status !== 'pending'),
  );
  return { status, hasFailed, ended: ended.map(({ name }) => name) };
}

function runAll(filters) {
  const list = join(folder, 'files.json');
  if (vitest('list', '--filesOnly', `--json=${list}`, ...filters) !== 0) return 1;
  let files = JSON.parse(readFileSync(list, 'utf8')).map(({ file }) => relative(process.cwd(), file));
  for (let turn = 1; ; turn++) {
    const { status, hasFailed, ended } = run(files);
    const done = new Set(ended.map((file) => relative(process.cwd(), file)));
    files = files.filter((file) => !done.has(file));
    if (status === 0 || hasFailed || files.length === 0 || turn === RUNS) return status;
    console.log(`test:gpu: the process of the device ended; once more what had no result: ${files.join(', ')}`);
  }
}

const filters = process.argv.slice(2);
try {
  process.exitCode = runAll(filters.length > 0 ? filters : FILES);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
