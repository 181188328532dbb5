/// <reference types="vitest/config" />
// One configuration for everything: the demo gallery (dev server and build), the library,
// the command line, and the tests. `--mode library|cli|demo` chooses what `vite build` makes.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

const layout = readFileSync(`${root}src/state/layout.ts`, 'utf8');
/** An address of the memory's map. */
const address = (name: string) => Number(new RegExp(`^export const ${name} = (\\d+);`, 'm').exec(layout)?.[1]);

/** A WebAssembly module: its entry among the sources, and the range of memory that its static data may take. */
interface KernelModule {
  readonly entry: string;
  readonly from: number;
  readonly to: number;
}

/** By what imports call them: bodies, strands (on the same memory), and what only the command line needs. */
const KERNELS: Readonly<Record<string, KernelModule>> = {
  'virtual:kernels': { entry: 'index.ts', from: address('HEADER_END'), to: address('STRAND_STATICS') },
  'virtual:strand-kernels': { entry: 'strand-index.ts', from: address('STRAND_STATICS'), to: address('ARENA_BASE') },
  'virtual:problem-kernels': { entry: 'local-contact.ts', from: address('HEADER_END'), to: address('ARENA_BASE') },
};
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** Throws unless instantiating the module writes static data within its range only: nothing says more surely where it lies. */
function requireOwnRange(binary: Uint8Array, { entry, from, to }: KernelModule): void {
  const MARK = 0xa5;
  const memory = new WebAssembly.Memory({ initial: 16 });
  const bytes = new Uint8Array(memory.buffer).fill(MARK);
  new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(binary)), { env: { memory, abort() {} } });
  const first = bytes.findIndex((byte) => byte !== MARK);
  const end = bytes.findLastIndex((byte) => byte !== MARK) + 1;
  if (first >= 0 && !(first >= from && end <= to))
    throw new Error(
      `static data of ${entry} must lie in ${from}..${to}, got ${first}..${end}: see src/state/layout.ts`,
    );
}

/**
 * Compiles the engine room (src/kernels/assembly, AssemblyScript) to one SIMD module an entry and inlines it, deflated
 * and in base64: no fetch, no bundler setting, nothing binary in the repository. Edits reload.
 * The tests compile it with assertions on.
 */
function assemblyScript(assertions: boolean): Plugin {
  return {
    name: 'stiction-assemblyscript',
    resolveId: (id) => (id in KERNELS ? `\0${id}` : undefined),
    async load(id) {
      const kernels = id.startsWith('\0') ? KERNELS[id.slice(1)] : undefined;
      if (kernels === undefined) return undefined;
      const { default: asc } = await import('assemblyscript/asc');
      let binary: Uint8Array | undefined;
      const { error, stderr } = await asc.main(
        [
          `src/kernels/assembly/${kernels.entry}`,
          ...['--baseDir', root, '--outFile', 'kernels.wasm', '--runtime', 'stub', '--importMemory'],
          ...['--memoryBase', String(kernels.from), '-O3', '--converge', '--enable', 'simd'],
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
      requireOwnRange(binary, kernels);
      return `export default '${deflateRawSync(binary, { level: 9 }).toString('base64')}';`;
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
        // A module a source file: with `sideEffects: false` in package.json every bundler then leaves out whole files that a
        // game does not reach (strands, scene files). Out of one large file most would take only some of it out.
        lib: {
          entry: 'src/index.ts',
          formats: ['es'],
          fileName: (_format, name) => (name === 'src/index' ? 'index.js' : `modules/${name}.js`),
        },
        rolldownOptions: {
          external: ['bitecs', 'fflate', 'valibot'],
          output: { preserveModules: true, preserveModulesRoot: root },
          optimization: { inlineConst: true },
        },
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
      // One worker a core: much of the time goes by in browsers and software devices.
      maxWorkers: '100%',
      testTimeout: 120_000,
      hookTimeout: 120_000,
      reporters: ['default'],
    },
  };
});
