// `npm test [ARGUMENTS OF VITEST]`. Without arguments the tests on the software device run beside all others: they
// share one worker, which waits for the device half of its time, and would be a tail of minutes on one core. What they
// say is told when the others are done.

import { spawn } from 'node:child_process';
import process from 'node:process';

/** Runs vitest; resolves with its exit status and what it wrote, if that is not to be seen at once. */
function run(args, env, stdio) {
  const options = { stdio, env: { ...process.env, ...env }, shell: process.platform === 'win32' };
  const child = spawn('npx', ['vitest', 'run', ...args], options);
  const said = [];
  child.stdout?.on('data', (data) => said.push(data));
  child.stderr?.on('data', (data) => said.push(data));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, said: [Buffer.from(`${error}\n`)] }));
    child.on('close', (status) => resolve({ status: status ?? 1, said }));
  });
}

const args = process.argv.slice(2);
if (args.length > 0) {
  process.exitCode = (await run(args, {}, 'inherit')).status;
} else {
  // Where each notes its processor time (dearest.ts).
  const { CPU_TIMES } = process.env;
  const onDevice = run(['--project', 'device'], CPU_TIMES ? { CPU_TIMES: `${CPU_TIMES}.device` } : {}, 'pipe');
  const others = await run(['--project', '!device'], {}, 'inherit');
  const device = await onDevice;
  process.stdout.write(Buffer.concat(device.said));
  process.exitCode = others.status || device.status;
}
