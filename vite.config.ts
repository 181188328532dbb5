/// <reference types="vitest/config" />
// One configuration for everything: the demo gallery (dev server and build), the library,
// the command line, and the tests. `--mode library|cli|demo` chooses what `vite build` makes.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
/** WebAssembly modules by what imports call them: the engine room, and what only the command line needs. */
const KERNELS: Readonly<Record<string, string>> = {
  'virtual:kernels': 'src/kernels/assembly/index.ts',
  'virtual:problem-kernels': 'src/kernels/assembly/local-contact.ts',
};
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/**
 * Compiles the engine room (src/kernels/assembly, AssemblyScript) to one SIMD module an entry and inlines it
 * as base64: no fetch, no bundler setting, nothing binary in the repository. Edits reload.
 * The tests compile it with assertions on.
 */
function assemblyScript(assertions: boolean): Plugin {
  return {
    name: 'stiction-assemblyscript',
    resolveId: (id) => (id in KERNELS ? `\0${id}` : undefined),
    async load(id) {
      const entry = id.startsWith('\0') ? KERNELS[id.slice(1)] : undefined;
      if (entry === undefined) return undefined;
      const { default: asc } = await import('assemblyscript/asc');
      let binary: Uint8Array | undefined;
      const { error, stderr } = await asc.main(
        [
          entry,
          ...['--baseDir', root, '--outFile', 'kernels.wasm', '--runtime', 'stub', '--importMemory'],
          ...['--memoryBase', '4096', '-O3', '--converge', '--enable', 'simd'],
          ...(assertions ? [] : ['--noAssert']),
        ],
        {
          readFile: (name, base) => {
            const path = `${base}/${name}`;
            try {
              const text = readFileSync(path, 'utf8');
              if (!name.includes('node_modules')) this.addWatchFile(path);
              return text;
            } catch {
              return null;
            }
          },
          writeFile: (name, contents) => {
            if (name.endsWith('.wasm')) binary = contents as Uint8Array;
          },
          listFiles: () => [],
        },
      );
      if (error || !binary) throw new Error(`AssemblyScript: ${error?.message}\n${stderr.toString()}`);
      return `export default ${JSON.stringify(Buffer.from(binary).toString('base64'))};`;
    },
  };
}

export default defineConfig(({ mode, command }): UserConfig => {
  const plugins = [assemblyScript(mode === 'test')];
  const shared = { root, plugins } satisfies UserConfig;
  if (mode === 'library') {
    return {
      ...shared,
      build: {
        lib: { entry: 'src/index.ts', formats: ['es'], fileName: 'index' },
        rolldownOptions: { external: ['bitecs', 'valibot'] },
        target: 'es2022',
      },
    };
  }
  if (mode === 'cli') {
    return {
      ...shared,
      build: {
        ssr: 'src/cli/main.ts',
        emptyOutDir: false,
        rolldownOptions: { output: { entryFileNames: 'cli.js', banner: '#!/usr/bin/env node' } },
        target: 'node20',
      },
    };
  }
  return {
    ...shared,
    root: command === 'build' || mode !== 'test' ? `${root}demos` : root,
    base: './',
    // Cross-origin isolation gives the page a clock of 5 µs instead of 100: the panel's stage times need it.
    server: { headers: ISOLATED },
    preview: { headers: ISOLATED },
    build: {
      outDir: `${root}dist/demos`,
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: 4000,
      rolldownOptions: { input: ['index', 'lab', 'validation'].map((page) => `${root}demos/${page}.html`) },
    },
    // The solver lab's worker has the library in it, kernels included.
    worker: { format: 'es', plugins: () => [assemblyScript(false)] },
    test: {
      root,
      include: ['test/**/*.test.ts'],
      setupFiles: ['test/setup/fuzz-seed.ts'],
      testTimeout: 120_000,
      hookTimeout: 120_000,
      reporters: ['default'],
    },
  };
});
