// The package as its users' tools see it: what a bundler leaves out, and what package.json says.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { bySuite, longTest } from '../setup/suite';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A folder that goes away afterwards; inside node_modules, so that the types of bitecs are found. */
async function inFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'package-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const MARKERS: Readonly<Record<string, string>> = {
  '\0virtual:kernels': 'THE KERNELS',
  '\0virtual:strand-kernels': 'THE STRAND KERNELS',
  '\0virtual:surface-kernels': 'THE SURFACE KERNELS',
};

/** What a bundler makes of an entry that imports `names` of the public face; the kernels are markers. */
function bundle(names: string): Promise<string> {
  return inFolder(async (folder) => {
    const entry = join(folder, 'entry.mjs');
    writeFileSync(entry, `export { ${names} } from '${root}src/index.ts';`);
    const output = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [
        {
          name: 'kernels',
          resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : undefined),
          load: (id) => (id.startsWith('\0virtual:') ? `export default "${MARKERS[id] ?? id.slice(1)}";` : undefined),
        },
      ],
      build: {
        write: false,
        minify: false,
        lib: { entry, formats: ['es'], fileName: 'x' },
        rolldownOptions: { external: ['bitecs', 'valibot'] },
      },
    });
    return (output as Rolldown.RolldownOutput[])[0].output[0].code;
  });
}

longTest('a bundle without createPhysics carries no kernels', async () => {
  expect(await bundle('createPhysics')).toContain('THE KERNELS');
  const light = await bundle('createDrawList, shapeMesh, UsageError');
  expect(light).not.toContain('THE KERNELS');
  expect(light).not.toContain('solveDantzig');
});

longTest('only what makes rods brings the kernels of strands along', async () => {
  const rigid = await bundle('createPhysics, addRigidBody, castRay, drawDebug, rodPositions, detach');
  expect(rigid).toContain('THE KERNELS');
  expect(rigid).not.toContain('THE STRAND KERNELS');
  for (const names of bySuite(['addRod'], ['addRod', 'addGroom', 'addScene']))
    expect(await bundle(names)).toContain('THE STRAND KERNELS');
  const rods = await bundle('addRod, addGroom, attach');
  expect(rods).not.toContain('THE SURFACE KERNELS');
  for (const names of ['addShell', 'addSolid']) expect(await bundle(names)).toContain('THE SURFACE KERNELS');
});

test('what is published to be read leads nowhere that is not published', () => {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(said) as [{ files: { path: string }[] }];
  const published = new Set(files.map(({ path }) => path));
  const pages = [...published].filter((path) => path.endsWith('.md'));
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'docs/index.md', 'docs/guide/ropes.md', 'docs/manual.md']),
  );
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    expect(text, page).not.toMatch(/^<<< /m);
    for (const [, target] of text.matchAll(/\]\(([^)#]+)/g)) {
      if (/^https?:/.test(target)) continue;
      expect(published, `${page} leads to ${target}`).toContain(join(dirname(page), target));
    }
  }
  expect([...published].filter((path) => /^(src|test|docs\/(node_modules|reference))/.test(path))).toEqual([]);
});

test('package.json publishes the library and no demos, and leaves bitecs to the game', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { files, dependencies, peerDependencies, devDependencies, description } = read('package.json');
  expect(files).toEqual(expect.arrayContaining(['dist', '!dist/demos']));
  // Two copies of bitecs would be two sets of worlds.
  expect(Object.keys(dependencies)).not.toContain('bitecs');
  expect(peerDependencies.bitecs).toBe('>=0.4.0 <0.5');
  expect(devDependencies.bitecs).toMatch(/^\d+\.\d+\.\d+$/);
  expect(description).toMatch(/rods/);
});
