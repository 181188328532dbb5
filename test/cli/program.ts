// What is built of the project, for tests that use it as users do: the command line, the library, the pages; built once
// for all.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from '../../vite.config';

const root = fileURLToPath(new URL('../../', import.meta.url));

const LIBRARY = ['src', 'systems', 'components'];

/** Names and times of change of all that goes into a build. */
function state(folders: readonly string[]): string {
  const files = folders.flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
  );
  return [...files, 'package.json', 'vite.config.ts']
    .map((name) => `${name} ${statSync(join(root, name)).mtimeMs}`)
    .join('\n');
}

/** Folder of what `vite build --mode` makes, built if anything has changed since the last time. */
async function build(mode: 'cli' | 'library' | 'engine' | 'demo', folders = LIBRARY): Promise<string> {
  // Within the repository: the program finds its packages from there.
  const folder = join(root, 'node_modules/.cache/built', mode);
  mkdirSync(folder, { recursive: true });
  const stamp = join(folder, 'state.txt');
  await alone(join(folder, 'lock'), async () => {
    const now = state(folders);
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const options = ['--mode', mode, '--logLevel', 'error', '--outDir', join(folder, 'dist'), '--emptyOutDir'];
    // Fewer bytes are not worth the time here.
    if (mode === 'demo') options.push('--minify', 'false');
    execFileSync(process.execPath, [vite, 'build', ...options], { cwd: root, stdio: 'pipe' });
    writeFileSync(stamp, now);
  });
  return join(folder, 'dist');
}

/** Path of the program. */
export const buildProgram = async () => join(await build('cli'), 'cli.js');

/** Folder of the library, as the package publishes it. */
export const buildLibrary = () => build('library');

/** The engine as whole runs of the tests take it (vite.config.ts). */
export const buildEngine = () => build('engine');

/** Folder of the pages of the demos. */
export const buildPages = () => build('demo', [...LIBRARY, 'demos']);
