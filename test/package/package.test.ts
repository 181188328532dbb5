// The package as its users' tools see it: what a bundler leaves out, and types that every resolver finds.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

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
          resolveId: (id) => (/^virtual:(strand-)?kernels$/.test(id) ? `\0${id}` : undefined),
          load: (id) => (id in MARKERS ? `export default "${MARKERS[id]}";` : undefined),
        },
      ],
      build: {
        write: false,
        minify: false,
        lib: { entry, formats: ['es'], fileName: 'x' },
        rolldownOptions: { external: ['bitecs', 'fflate', 'valibot'] },
      },
    });
    return (output as Rolldown.RolldownOutput[])[0].output[0].code;
  });
}

test('a bundle without createPhysics carries no kernels', async () => {
  expect(await bundle('createPhysics')).toContain('THE KERNELS');
  const light = await bundle('createDrawList, shapeMesh, UsageError');
  expect(light).not.toContain('THE KERNELS');
  expect(light).not.toContain('solveDantzig');
});

test('only what makes rods brings the kernels of strands along', async () => {
  const rigid = await bundle('createPhysics, addRigidBody, castRay, drawDebug, rodPositions, detach');
  expect(rigid).toContain('THE KERNELS');
  expect(rigid).not.toContain('THE STRAND KERNELS');
  for (const names of ['addRod', 'addGroom', 'addScene']) expect(await bundle(names)).toContain('THE STRAND KERNELS');
});

test('the types hold under bundler and nodenext resolution', async () => {
  await inFolder((folder) => {
    execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', join(folder, 'types')]);
    execFileSync(process.execPath, [join(root, 'src/emit-types.mjs'), join(folder, 'types')]);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    // Were a type lost (any), the line after @ts-expect-error would be right and that an error.
    writeFileSync(
      join(folder, 'game.ts'),
      `import { createWorld } from 'bitecs';
import { addRigidBody, castRay, createPhysics, readScene, type StepReport } from './types/src/index.js';
const physics = createPhysics(createWorld());
export const eid: number = addRigidBody(physics, { shape: { box: [1, 1, 1] } });
export const y: number = physics.components.Transform.position.y[eid];
export const report: StepReport = physics.report;
// @ts-expect-error
export const none: string = addRigidBody(physics, { shape: { box: [1, 1, 1] } });
// @ts-expect-error
physics.report.nothing;
// @ts-expect-error
castRay(physics, [0, 0, 0], [1, 0, 0])?.nothing;
// @ts-expect-error
readScene('{}').nothing;
`,
    );
    for (const [resolution, module] of [
      ['bundler', 'esnext'],
      ['nodenext', 'nodenext'],
    ]) {
      const options = ['--moduleResolution', resolution, '--module', module, '--target', 'es2022', '--types', ''];
      const call = [tsc, '--noEmit', '--strict', '--ignoreConfig', ...options, join(folder, 'game.ts')];
      let problems = '';
      try {
        execFileSync(process.execPath, call, { cwd: folder, encoding: 'utf8' });
      } catch (error) {
        problems = (error as { stdout: string }).stdout;
      }
      expect(problems, resolution).toBe('');
    }
  });
});
