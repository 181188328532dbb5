// The built command line, for tests that start it as users do: built once for all of them.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from '../../vite.config';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Within the repository: the program finds its packages from there. */
const folder = join(root, 'node_modules/.cache/program');

/** Names and times of change of all that goes into the program. */
function state(): string {
  const files = ['src', 'systems', 'components'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
  );
  return [...files, 'package.json', 'vite.config.ts']
    .map((name) => `${name} ${statSync(join(root, name)).mtimeMs}`)
    .join('\n');
}

/** Path of the program, built if anything has changed since the last time. */
export async function buildProgram(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const stamp = join(folder, 'state.txt');
  await alone(join(folder, 'lock'), async () => {
    const now = state();
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const call = [vite, 'build', '--mode', 'cli', '--logLevel', 'error', '--outDir', join(folder, 'dist')];
    execFileSync(process.execPath, call, { cwd: root, stdio: 'pipe' });
    writeFileSync(stamp, now);
  });
  return join(folder, 'dist/cli.js');
}
