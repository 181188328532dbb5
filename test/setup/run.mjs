// `npm test [ARGUMENTS OF VITEST]`. Without arguments the tests on the software device run beside all others: they
// share one worker, which waits for the device half of its time, and would be a tail of minutes on one core. What they
// say is told when the others are done, and last of all what failed, in short.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
/** Lines of a run without failures that are told: its counts and times. */
const END = 20;
const children = [];
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });

/** Runs vitest; resolves with its exit status and what it wrote, if that is not to be seen at once. */
function run(args, env, stdio) {
  const options = { stdio, env: { ...process.env, ...env } };
  const child = spawn(process.execPath, [vitest, 'run', ...args], options);
  children.push(child);
  const said = [];
  child.stdout?.on('data', (data) => said.push(data));
  child.stderr?.on('data', (data) => said.push(data));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, said: `${error}\n` }));
    child.on('close', (status) => resolve({ status: status ?? 1, said: Buffer.concat(said).toString() }));
  });
}

/** What a run says of its failures (failures.ts). */
function failuresOf(name, { status }, file) {
  if (status === 0) return '';
  const failures = existsSync(file) ? readFileSync(file, 'utf8') : 'it ended before its report\n';
  return `\n${name}: exit status ${status}\n${failures}`;
}

async function runAll(folder) {
  const files = { device: join(folder, 'device.txt'), others: join(folder, 'others.txt') };
  const { CPU_TIMES } = process.env;
  // Where each notes its processor time (dearest.ts).
  const times = CPU_TIMES ? { CPU_TIMES: `${CPU_TIMES}.device` } : {};
  const env = { BUILT_ENGINE: '1' };
  const onDevice = run(['--project', 'device'], { ...env, ...times, FAILURES: files.device }, 'pipe');
  const others = await run(['--project', '!device'], { ...env, FAILURES: files.others }, 'inherit');
  const device = await onDevice;
  process.stdout.write(device.status === 0 ? device.said.split('\n').slice(-END).join('\n') : device.said);
  process.stdout.write(
    failuresOf('tests', others, files.others) + failuresOf('tests on the device', device, files.device),
  );
  return others.status || device.status;
}

const args = process.argv.slice(2);
if (args.length > 0) {
  process.exitCode = (await run(args, {}, 'inherit')).status;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'stiction-tests-'));
  try {
    process.exitCode = await runAll(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
