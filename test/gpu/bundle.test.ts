// Who has no WebGPU does not pay for it: the kernels are in a chunk of their own, fetched when asked for.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { bareWgsl } from '../../vite.config';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Chunks that a bundler makes of an entry, with kernels as the library has them; the WebAssembly kernels are left out.
 */
async function bundle(code: string, minify = true): Promise<Rolldown.OutputChunk[]> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'gpu-'));
  try {
    const entry = join(folder, 'entry.mjs');
    writeFileSync(entry, code);
    const output = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [
        bareWgsl(),
        {
          name: 'kernels',
          resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : undefined),
          load: (id) => (id.startsWith('\0virtual:') ? 'export default "";' : undefined),
        },
      ],
      build: {
        minify,
        write: false,
        lib: { entry, formats: ['es'], fileName: 'x' },
        rolldownOptions: { external: ['bitecs', 'valibot'] },
      },
    });
    return (output as Rolldown.RolldownOutput[])[0].output.filter((part) => part.type === 'chunk');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const hasWgsl = ({ code }: Rolldown.OutputChunk) => code.includes('@workgroup_size');

test('what the library imports at once carries no WGSL', async () => {
  const chunks = await bundle(`export * from '${root}src/index.ts';`, false);
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set<Rolldown.OutputChunk>();
  const visit = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || reached.has(chunk)) return;
    reached.add(chunk);
    for (const name of chunk.imports) visit(byName.get(name));
  };
  visit(chunks.find(({ isEntry }) => isEntry));
  expect(reached.size).toBeGreaterThan(0);
  expect([...reached].filter(hasWgsl)).toEqual([]);
});

test('the strands on the device are a chunk of their own, at most 90 kB gzipped', async () => {
  const chunks = await bundle(`export { enableGpuStrands } from '${root}src/index.ts';`);
  const withWgsl = chunks.filter(hasWgsl);
  expect(withWgsl.length).toBe(1);
  expect(withWgsl[0].isEntry).toBe(false);
  const bytes = gzipSync(withWgsl[0].code).length;
  if (process.env.SHOW_ERRORS) console.log('gzipped', bytes);
  expect(bytes).toBeLessThan(90_000);
});
