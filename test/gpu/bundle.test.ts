// Who has no WebGPU does not pay for it: the kernels are in a chunk of their own, fetched when asked for.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Chunks that a bundler makes of an entry; the WebAssembly kernels are left out. */
async function bundle(code: string): Promise<Rolldown.OutputChunk[]> {
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
        {
          name: 'kernels',
          resolveId: (id) => (id === 'virtual:kernels' ? `\0${id}` : undefined),
          load: (id) => (id === '\0virtual:kernels' ? 'export default "";' : undefined),
        },
      ],
      build: {
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
  const chunks = await bundle(`export * from '${root}src/index.ts';`);
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

test('the solver on the device is a chunk of its own, at most 30 kB gzipped', async () => {
  const chunks = await bundle(`
    export const open = async () => {
      const [{ createGpuContext }, { createGpuStrands }] = await Promise.all([
        import('${root}src/gpu/device.ts'),
        import('${root}src/gpu/gpu-strands.ts'),
      ]);
      return createGpuStrands(await createGpuContext());
    };`);
  const entry = chunks.find(({ isEntry }) => isEntry)!;
  expect(hasWgsl(entry)).toBe(false);
  expect(chunks.filter(hasWgsl).length).toBe(1);
  const bytes = chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
  if (process.env.SHOW_ERRORS) console.log('gzipped', gzipSync(entry.code).length, bytes);
  expect(gzipSync(entry.code).length).toBeLessThan(3000);
  expect(bytes).toBeLessThan(30_000);
});
