/// <reference types="vitest/config" />
// One configuration for everything: the demo gallery (dev server and build), the library,
// the command line, and the tests. `--mode library|cli|demo` chooses what `vite build` makes.
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress } from 'lzma1';
import { rolldown } from 'rolldown';
import { defineConfig, type HtmlTagDescriptor, type Plugin, type UserConfig } from 'vite';
import { shareBinary, shareSource } from './src/share-kernels.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

const layout = readFileSync(`${root}src/state/layout.ts`, 'utf8');
/** An address of the memory's map. */
const address = (name: string) => Number(new RegExp(`^export const ${name} = (\\d+);`, 'm').exec(layout)?.[1]);

/** A WebAssembly module: its entry among the sources, and the range of memory that its static data may take. */
interface KernelModule {
  readonly entry: string;
  readonly from: number;
  readonly to: number;
  /** Whether it is for a memory that threads share (src/share-kernels.mjs). */
  readonly isShared?: boolean;
}

/** By what imports call them: bodies, strands (on the same memory), and what only the command line needs. */
const BODIES = { from: address('HEADER_END'), to: address('STRAND_STATICS') };
const STRANDS = { from: address('STRAND_STATICS'), to: address('SURFACE_STATICS') };
const SURFACES = { from: address('SURFACE_STATICS'), to: address('ARENA_BASE') };
const KERNELS: Readonly<Record<string, KernelModule>> = {
  'virtual:kernels': { entry: 'index.ts', ...BODIES },
  'virtual:strand-kernels': { entry: 'strand-index.ts', ...STRANDS },
  'virtual:surface-kernels': { entry: 'surface-index.ts', ...SURFACES },
  'virtual:shared-kernels': { entry: 'threads/index.ts', isShared: true, ...BODIES },
  'virtual:shared-strand-kernels': { entry: 'threads/strand-index.ts', isShared: true, ...STRANDS },
  'virtual:shared-surface-kernels': { entry: 'threads/surface-index.ts', isShared: true, ...SURFACES },
  'virtual:problem-kernels': {
    entry: 'contact-law/local-contact.ts',
    from: address('HEADER_END'),
    to: address('ARENA_BASE'),
  },
};
/** Files of the package that are imported by name, by their modules. */
const ENTRIES: Readonly<Record<string, string>> = { 'src/index': 'index.js', 'src/panel/index': 'panel.js' };
/** The program of a worker. */
const THREAD = 'virtual:thread-worker';
const DEVICE_TESTS = ['test/gpu/**/*.test.ts', 'test/**/*-webgpu.test.ts'];
/**
 * Tests of functions and kernels, which keep nothing between worlds: starting a worker
 * for each took half of their time.
 */
const SHARING = [
  ...['bench', 'cli', 'collision', 'components', 'conformance', 'core', 'debug', 'dynamics', 'fuzz', 'geometry'],
  ...['kernels', 'math', 'mechanics', 'package', 'readme', 'scene', 'solvers', 'state', 'static-equilibrium'],
  ...['systems', 'validation'],
];
const SHARING_TESTS = `test/{${SHARING.join(',')}}/**/*.test.ts`;
/** Those that have modules replaced or globals changed, and so want a worker of their own all the same. */
const APART_TESTS = ['test/fuzz/poisoned-scratch.test.ts', 'test/dynamics/kept-residual.test.ts'];
/**
 * Modules that Babylon's camera, shadows and textures name, for what the gallery asks of none of them. Its loader of
 * environments, which lies a folder deeper, keeps the last.
 */
const NEVER_ASKED = new RegExp(
  '^(.*/(autoRotationBehavior|bouncingBehavior|framingBehavior|blurPostProcess\\.pure)' +
    '|\\.\\./\\.\\./Misc/environmentTextureTools\\.pure)\\.js$',
);
const PAGE_TESTS = 'test/browser/*.test.ts';
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/**
 * Throws unless instantiating the module writes static data within its range only:
 * nothing says more surely where it lies.
 */
function requireOwnRange(binary: Uint8Array, { entry, from, to, isShared }: KernelModule): void {
  const MARK = 0xa5;
  const memory = new WebAssembly.Memory(isShared ? { initial: 16, maximum: 16, shared: true } : { initial: 16 });
  const bytes = new Uint8Array(memory.buffer).fill(MARK);
  const imports = { env: { memory, own: 0, abort() {} }, fork: { forkRanges() {}, lendMemory() {} } };
  new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(binary)), imports);
  const first = bytes.findIndex((byte) => byte !== MARK);
  const end = bytes.findLastIndex((byte) => byte !== MARK) + 1;
  if (first >= 0 && !(first >= from && end <= to))
    throw new Error(
      `static data of ${entry} must lie in ${from}..${to}, got ${first}..${end}: see src/state/layout.ts`,
    );
}

/**
 * A compiled module: the text of every file that the compiler asked for, as a hash, null where
 * there was none; packed, in base64.
 */
interface Compiled {
  readonly files: Readonly<Record<string, string | null>>;
  readonly code: string;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const hashOf = (text: string | null) => text && createHash('sha256').update(text).digest('hex');

/** Compiles one module. */
async function compileModule(kernels: KernelModule, flags: readonly string[]): Promise<Compiled> {
  const { default: asc } = await import('assemblyscript/asc');
  const files: Record<string, string | null> = {};
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [`src/kernels/assembly/${kernels.entry}`, '--baseDir', root, '--outFile', 'kernels.wasm', ...flags],
    {
      readFile: (name, base) => {
        const text = readIfThere(`${base}/${name}`);
        if (!name.includes('node_modules')) files[name] = hashOf(text);
        const isOurs = kernels.isShared && name.startsWith('src/kernels/');
        return text && isOurs ? shareSource(text, name.endsWith(kernels.entry)) : text;
      },
      writeFile: (name, contents) => {
        if (name.endsWith('.wasm')) binary = contents as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (error || !binary) throw new Error(`AssemblyScript: ${error?.message}\n${stderr.toString()}`);
  if (kernels.isShared) binary = await shareBinary(binary, kernels.from, kernels.to);
  requireOwnRange(binary, kernels);
  return { files, code: Buffer.from(compress(binary, 9)).toString('base64') };
}

/** Takes away the lock of a process that has ended. */
function breakDead(lock: string): void {
  let file: number;
  try {
    file = openSync(lock, 'r');
  } catch {
    return;
  }
  try {
    const { ino, mtimeMs } = fstatSync(file);
    const id = Number(readFileSync(file, 'utf8'));
    try {
      process.kill(id, 0);
      return;
    } catch {
      // Two may find it dead: the second must not remove what a third has made meanwhile. Who makes this mark, which
      // stays, is the only one to remove this very lock.
      writeFileSync(`${lock}.dead-${id}-${ino}-${mtimeMs}`, '', { flag: 'wx' });
      rmSync(lock);
    }
  } catch {
    // Another one has removed it, or does.
  } finally {
    closeSync(file);
  }
}

/**
 * Runs `work` while no other process does, waiting for one that does. `lock` holds its id; a dead one's is taken over.
 */
export async function alone<T>(lock: string, work: () => Promise<T>): Promise<T> {
  // A link appears with its contents: nobody finds a lock that does not yet say whose it is.
  const own = `${lock}.${randomUUID()}`;
  writeFileSync(own, String(process.pid));
  for (;;) {
    try {
      linkSync(own, lock);
      break;
    } catch {
      breakDead(lock);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  rmSync(own);
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

const compiler = readFileSync(`${root}node_modules/assemblyscript/package.json`, 'utf8');
const sharing = readFileSync(`${root}src/share-kernels.mjs`, 'utf8');
const packer = readFileSync(`${root}node_modules/lzma1/package.json`, 'utf8');
/** Of the shared build: threads need a most; names tell what share-kernels keeps. */
const SHARED_FLAGS = ['--enable', 'threads', '--sharedMemory', '--initialMemory', '16', '--maximumMemory', '32767'];

/**
 * The module from the last time, unless something that went into it has changed since: compiling all three takes half a
 * minute, and the tests start half a dozen servers and builds.
 */
async function compileOnce(kernels: KernelModule): Promise<Compiled> {
  const flags = [
    ...['--runtime', 'stub', '--importMemory', '--memoryBase', String(kernels.from)],
    ...['--enable', 'simd'],
    ...(kernels.isShared ? [...SHARED_FLAGS, '--debug'] : []),
    // Tests, and what they build, make do with one module: the same bits, as fast within noise, compiled in a third
    // of the time.
    ...(process.env.VITEST ? ['-O2'] : ['-O3', '--converge', '--noAssert']),
  ];
  const parts = kernels.isShared ? [compiler, sharing] : [compiler];
  const key = hashOf([...parts, kernels.entry, kernels.to, ...flags, packer, 'in base64'].join('\n'));
  const folder = `${root}node_modules/.cache/kernels`;
  const file = `${folder}/${basename(kernels.entry, '.ts')}-${key}.json`;
  mkdirSync(folder, { recursive: true });
  return alone(`${file}.lock`, async () => {
    const text = readIfThere(file);
    const known = text && (JSON.parse(text) as Compiled);
    if (known && Object.entries(known.files).every(([name, hash]) => hashOf(readIfThere(root + name)) === hash))
      return known;
    const compiled = await compileModule(kernels, flags);
    writeFileSync(file, JSON.stringify(compiled));
    return compiled;
  });
}

/** The program of a worker of src/threads, as text: it has no imports, so that no bundler need know of it. */
async function bundleWorker(file: string): Promise<string> {
  const bundle = await rolldown({ input: file });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}

/**
 * Compiles the engine room (src/kernels/assembly, AssemblyScript) to one SIMD module an entry and inlines it, deflated
 * and in base64: no fetch, no bundler setting, nothing binary in the repository. Edits reload.
 * The tests compile it with assertions on, and so what they build.
 */
function assemblyScript(): Plugin {
  return {
    name: 'stiction-assemblyscript',
    resolveId: (id) => (id in KERNELS || id === THREAD ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${THREAD}`) {
        const file = `${root}src/threads/worker.ts`;
        this.addWatchFile(file);
        return `export default ${JSON.stringify(await bundleWorker(file))};`;
      }
      const kernels = id.startsWith('\0') ? KERNELS[id.slice(1)] : undefined;
      if (kernels === undefined) return undefined;
      const { files, code } = await compileOnce(kernels);
      for (const [name, hash] of Object.entries(files)) if (hash) this.addWatchFile(root + name);
      return `export default '${code}';`;
    },
  };
}

/** WGSL as browsers need it: without comments and indents, a fifth of what the chunk of WebGPU weighs. */
export function bareWgsl(): Plugin {
  const suffix = '.wgsl?raw';
  return {
    name: 'stiction-wgsl',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith(suffix)) return undefined;
      const lines = readFileSync(id.slice(0, -'?raw'.length), 'utf8').split('\n');
      const bare = lines.map((line) => line.replace(/\/\/.*/, '').trim()).filter((line) => line !== '');
      return `export default ${JSON.stringify(`${bare.join('\n')}\n`)};`;
    },
  };
}

/**
 * Has the gallery's page ask for its program beside the few lines that call for it (demos/begin.ts), and for what that
 * imports: else all of it would wait for them.
 */
function fetchProgramEarly(): Plugin {
  return {
    name: 'stiction-early',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk }) {
        const asked = new Set([chunk?.fileName, ...(chunk?.imports ?? [])]);
        const links: HtmlTagDescriptor[] = [];
        const ask = (name: string) => {
          const file = bundle[name];
          if (asked.has(name) || file?.type !== 'chunk') return;
          asked.add(name);
          const attrs = { rel: 'modulepreload', crossorigin: true, href: `./${name}` };
          links.push({ tag: 'link', attrs, injectTo: 'head' });
          file.imports.forEach(ask);
        };
        for (const name of chunk?.dynamicImports ?? []) {
          const file = bundle[name];
          if (file?.type === 'chunk' && file.facadeModuleId === `${root}demos/main.ts`) ask(name);
        }
        return links;
      },
    },
  };
}

/**
 * uPlot writes numbers as `navigator.language` says and stops the page where that is no language tag, as "C" where the
 * system has no language. Without one the browser takes a language that it knows.
 */
function knowEveryLocale(): Plugin {
  return {
    name: 'stiction-locale',
    transform: (code, id) =>
      /uPlot\.esm\.js$/.test(id) ? code.replace(/Intl\.NumberFormat\([^)]*\)/, 'Intl.NumberFormat()') : undefined,
  };
}

export default defineConfig(({ mode, command }): UserConfig => {
  const plugins = [assemblyScript()];
  const shared = { root, plugins } satisfies UserConfig;
  if (mode === 'library') {
    return {
      ...shared,
      plugins: [...plugins, bareWgsl()],
      build: {
        // A module a source file: with `sideEffects: false` in package.json every bundler then leaves out whole files
        // that a game does not reach (strands, scene files). Out of one large file most would take only some of it out.
        lib: {
          entry: ['src/index.ts', 'src/panel/index.ts'],
          formats: ['es'],
          fileName: (_format, name) => ENTRIES[name] ?? `modules/${name}.js`,
        },
        rolldownOptions: {
          external: ['bitecs', 'valibot'],
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
        ssr: true,
        emptyOutDir: false,
        rolldownOptions: {
          // The command line, and the thread of `stiction bake`.
          input: { cli: `${root}src/cli/main.ts`, 'bake-worker': `${root}src/cli/bake-worker.ts` },
          output: { entryFileNames: '[name].js', banner: '#!/usr/bin/env node' },
        },
        target: 'node20',
      },
    };
  }
  if (mode === 'examples') {
    // On the package as it is built, as a game has it; deployed beside the gallery.
    return {
      root: `${root}examples`,
      base: './',
      resolve: { alias: { 'stiction/panel': `${root}dist/panel.js`, stiction: `${root}dist/index.js` } },
      build: {
        outDir: `${root}dist/demos/examples`,
        emptyOutDir: true,
        target: 'es2022',
        chunkSizeWarningLimit: 4000,
        rolldownOptions: {
          input: ['', 'canvas/', 'three/', 'babylon/', 'worker/'].map((page) => `${root}examples/${page}index.html`),
        },
      },
      worker: { format: 'es' },
    };
  }
  return {
    ...shared,
    plugins: [...plugins, fetchProgramEarly(), knowEveryLocale()],
    // So that the development server changes it, too.
    optimizeDeps: { exclude: ['uplot'] },
    root: command === 'build' || mode !== 'test' ? `${root}demos` : root,
    base: './',
    resolve: {
      alias: [
        { find: /^.*\/brdfTextureTools(\.js)?$/, replacement: `${root}demos/view/brdf-texture.ts` },
        { find: NEVER_ASKED, replacement: `${root}demos/view/never-asked.ts` },
      ],
    },
    // Cross-origin isolation gives the page a clock of 5 µs instead of 100: the panel's stage times need it.
    server: { headers: ISOLATED },
    preview: { headers: ISOLATED },
    build: {
      outDir: `${root}dist/demos`,
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: 4000,
      // Browsers that do not know of it fetch a little later.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['index', 'lab', 'validation', 'sag-free'].map((page) => `${root}demos/${page}.html`),
        optimization: { inlineConst: true },
      },
    },
    // The solver lab's worker has the library in it, kernels included.
    worker: { format: 'es', plugins: () => [assemblyScript()] },
    test: {
      root,
      // As the examples of the documentation import it.
      alias: { 'stiction/panel': `${root}src/panel/index.ts`, stiction: `${root}src/index.ts` },
      setupFiles: ['test/setup/cpu-time.ts', 'test/setup/fuzz-seed.ts'],
      // One worker a core: much of the time goes by in browsers and software devices.
      maxWorkers: '100%',
      // To end what hangs, not what waits for its turn: beside the software device a page may stand still for seconds.
      testTimeout: 600_000,
      expect: { poll: { timeout: 100_000 } },
      // The first visit of a browser bundles its renderer and compiles the kernels.
      hookTimeout: 300_000,
      reporters: ['default', './test/setup/dearest.ts', './test/setup/failures.ts'],
      projects: [
        // What they run of it: test/gpu/suite.ts. These files share one worker, and so the software device of
        // test/gpu/test-device.ts: it takes 20 s to compile the kernels. `npm test` runs them beside all others
        // (test/setup/run.mjs); in one run with others they come last.
        {
          extends: true,
          test: {
            ...{ name: 'device', include: DEVICE_TESTS, isolate: false, maxWorkers: 1, sequence: { groupOrder: 1 } },
          },
        },
        {
          extends: true,
          test: {
            name: 'functions',
            include: [SHARING_TESTS],
            exclude: [...DEVICE_TESTS, ...APART_TESTS],
            isolate: false,
          },
        },
        // Vitest runs projects in the order of their names: what waits for browsers comes before `functions`, so
        // that it waits while the software device works, and what ends a run uses every core.
        {
          extends: true,
          test: { name: 'browser', include: [PAGE_TESTS], isolate: false, globalSetup: ['test/setup/gallery.ts'] },
        },
        {
          extends: true,
          test: {
            name: 'host',
            include: ['test/**/*.test.ts'],
            exclude: [...DEVICE_TESTS, SHARING_TESTS, PAGE_TESTS],
          },
        },
        { extends: true, test: { name: 'apart', include: APART_TESTS } },
      ],
    },
  };
});
