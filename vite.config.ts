/// <reference types="vitest/config" />
// One configuration for everything: the demo gallery (dev server and build), the library,
// the command line, and the tests. `--mode library|cli|demo` chooses what `vite build` makes.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { Tinypool } from 'tinypool';
import { defineConfig, type ESTree, type HtmlTagDescriptor, type Plugin, parseAst, type UserConfig } from 'vite';
import { hashOf, readIfThere } from './src/compile-kernels.mjs';

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
  /** Whether it has a memory of its own, and is embedded as it is. */
  readonly standsAlone?: boolean;
}

/** What packs the others, and what every game unpacks them with (src/kernels/assembly/codec): they stand alone. */
const ALONE = { from: 0, to: 0, standsAlone: true };
const PACKER: KernelModule = { entry: 'codec/pack.ts', ...ALONE };
const UNPACKER: KernelModule = { entry: 'codec/unpack.ts', ...ALONE };
/** By what imports call them: bodies, strands (on the same memory), and what only the command line needs. */
const BODIES = { from: address('HEADER_END'), to: address('STRAND_STATICS') };
const STRANDS = { from: address('STRAND_STATICS'), to: address('SURFACE_STATICS') };
const SURFACES = { from: address('SURFACE_STATICS'), to: address('ARENA_BASE') };
const KERNELS: Readonly<Record<string, KernelModule>> = {
  'virtual:packer': PACKER,
  'virtual:unpacker': UNPACKER,
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
 * A compiled module: the text of every file that the compiler asked for, as a hash, null where
 * there was none; packed if it does not stand alone, in base64.
 */
interface Compiled {
  readonly files: Readonly<Record<string, string | null>>;
  readonly code: string;
}

/** Threads that compile (src/compile-kernels.mjs), once there is something to compile. */
let threads: Tinypool | undefined;

/** Modules that pack and unpack, in base64. */
interface Codec {
  readonly packer: string;
  readonly unpacker: string;
}

function compileModule(kernels: KernelModule, flags: readonly string[], codec: Codec | null): Promise<Compiled> {
  threads ??= new Tinypool({
    filename: pathToFileURL(`${root}src/compile-kernels.mjs`).href,
    runtime: 'worker_threads',
    minThreads: 0,
    // Each takes half a GiB, and half of its first module to get into its stride.
    maxThreads: Math.min(availableParallelism(), 3),
  });
  return threads.run({ root, kernels, flags, codec });
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
const compiling = readFileSync(`${root}src/compile-kernels.mjs`, 'utf8');
/** Of the shared build: threads need a most; names tell what share-kernels keeps. */
const SHARED_FLAGS = ['--enable', 'threads', '--sharedMemory', '--initialMemory', '16', '--maximumMemory', '32767'];

/** Of modules that stand alone, in tests, too: they are small. */
const FLAGS_ALONE = ['--runtime', 'stub', '--enable', 'simd', '-O3', '--converge', '--noAssert'];

function flagsOf(kernels: KernelModule): string[] {
  if (kernels.standsAlone) return FLAGS_ALONE;
  return [
    ...['--runtime', 'stub', '--importMemory', '--memoryBase', String(kernels.from)],
    ...['--enable', 'simd'],
    // A thread's instance finds what another wrote; any other begins with zeros, which need not be written again.
    ...(kernels.isShared ? [...SHARED_FLAGS, '--debug'] : ['--zeroFilledMemory']),
    // Tests, and what they build, make do with less: the same bits, as fast within noise, compiled in a third of the
    // time. Few of them have threads.
    ...(process.env.VITEST ? [kernels.isShared ? '-O1' : '-O2'] : ['-O3', '--converge', '--noAssert']),
  ];
}

/**
 * The module from the last time, unless something that went into it has changed since: compiling all three takes half a
 * minute, and the tests start half a dozen servers and builds.
 */
async function compileOnce(kernels: KernelModule, isPacked = !kernels.standsAlone): Promise<Compiled> {
  const flags = flagsOf(kernels);
  const codec = isPacked
    ? { packer: (await compileOnce(PACKER)).code, unpacker: (await compileOnce(UNPACKER)).code }
    : null;
  const parts = kernels.isShared ? [compiler, compiling, sharing] : [compiler, compiling];
  const key = hashOf([...parts, kernels.entry, kernels.to, ...flags, JSON.stringify(codec), 'in base64'].join('\n'));
  const folder = `${root}node_modules/.cache/kernels`;
  const file = `${folder}/${basename(kernels.entry, '.ts')}-${key}.json`;
  mkdirSync(folder, { recursive: true });
  return alone(`${file}.lock`, async () => {
    const text = readIfThere(file);
    const known = text && (JSON.parse(text) as Compiled);
    if (known && Object.entries(known.files).every(([name, hash]) => hashOf(readIfThere(root + name)) === hash))
      return known;
    const compiled = await compileModule(kernels, flags, codec);
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
 * Compiles the engine room (src/kernels/assembly, AssemblyScript) to one SIMD module an entry and inlines it, packed
 * and in base64: no fetch, no bundler setting, nothing binary in the repository. Edits reload.
 * The tests compile it with assertions on, and so what they build. Those of the sources take it as it is: each of their
 * workers would unpack it anew.
 */
function assemblyScript(isPacked = true): Plugin {
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
      const { files, code } = await compileOnce(kernels, isPacked && !kernels.standsAlone);
      for (const [name, hash] of Object.entries(files)) if (hash) this.addWatchFile(root + name);
      return `export default '${code}';`;
    },
  };
}

/** Rooms whose modules whole runs of the tests have built: all but kernels and what looks for files beside itself. */
const BUILT_ROOMS = /^(src(?!\/(kernels\/assembly|cli|bench)\/)|systems|components)(\/|$)/;
const BUILT = `${root}node_modules/.cache/built/engine/dist/`;

/** Entries of that build: every file of those rooms. */
function engineFiles(): Record<string, string> {
  const files = ['src', 'systems', 'components'].flatMap((top) =>
    readdirSync(root + top, { recursive: true, encoding: 'utf8' }).map(
      (name) => `${top}/${name.replaceAll('\\', '/')}`,
    ),
  );
  const ours = files.filter((name) => /(?<!\.d)\.ts$/.test(name) && BUILT_ROOMS.test(name));
  return Object.fromEntries(ours.map((name) => [name.slice(0, -'.ts'.length), root + name]));
}

/**
 * Has tests take the engine as it is built (`--mode engine`) in place of its sources: a module a file, which Node loads
 * by itself. Vitest would transform every file anew in every project, and what a file imports it would look up by a
 * getter at each use: two thirds more of the processor's time. test/setup/engine.ts makes the build.
 */
function builtEngine(): Plugin {
  return {
    name: 'stiction-built-engine',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!process.env.BUILT_ENGINE || !importer || !/^[./]/.test(source) || source.includes('?')) return undefined;
      const path = source.startsWith('.') ? join(dirname(importer), source) : source;
      if (!path.startsWith(root)) return undefined;
      const name = path.slice(root.length).replace(/\.[tj]s$/, '');
      if (!BUILT_ROOMS.test(name)) return undefined;
      const file = [name, `${name}/index`].map((module) => `${BUILT}${module}.js`).find((module) => existsSync(module));
      return file ? { id: file, external: true } : undefined;
    },
  };
}

/** Functions whose meaning only the JSON Schema tells, which is made of the sources: which argument it is. */
const MEANINGS: Readonly<Record<string, number>> = { above: 3, fromZero: 2, within: 2, field: 1, open: 1 };

/** Where a call to one of them in a module has its meaning, as text. */
function meaningsIn(code: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    Object.values(node).forEach(visit);
    const { type, callee, arguments: given } = node as ESTree.CallExpression;
    if (type !== 'CallExpression' || callee.type !== 'Identifier') return;
    const meaning = given[MEANINGS[callee.name]];
    if (meaning?.type === 'Literal' && typeof meaning.value === 'string') found.push(meaning);
  };
  visit(parseAst(code).body);
  return found.sort((a, b) => b.start - a.start);
}

/** Leaves out of games what fields of scenes and numbers of materials mean. What must be given is told by it. */
function withoutMeanings(): Plugin {
  return {
    name: 'stiction-meanings',
    transform(code, id) {
      if (!/[/\\]src[/\\](scene[/\\]([\w-]+-)?schema(-\w+)?|state[/\\]\w+-material)\.ts$/.test(id)) return undefined;
      let bare = code;
      for (const { start, end } of meaningsIn(code)) bare = `${bare.slice(0, start)}''${bare.slice(end)}`;
      return { code: bare, map: null };
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
  const plugins = [assemblyScript(mode !== 'test' && mode !== 'engine')];
  const shared = { root, plugins } satisfies UserConfig;
  if (mode === 'library') {
    return {
      ...shared,
      plugins: [...plugins, bareWgsl(), withoutMeanings()],
      build: {
        // A module a source file: with `sideEffects: false` in package.json every bundler then leaves out whole files
        // that a game does not reach (strands, scene files). Out of one large file most would take only some of it out.
        lib: {
          entry: ['src/index.ts', 'src/panel/index.ts'],
          formats: ['es'],
          fileName: (_format, name) => ENTRIES[name] ?? `modules/${name}.js`,
        },
        rolldownOptions: {
          external: ['bitecs', 'gl-matrix', 'valibot'],
          output: { preserveModules: true, preserveModulesRoot: root },
          optimization: { inlineConst: true },
        },
        target: 'es2022',
      },
    };
  }
  if (mode === 'engine') {
    return {
      ...shared,
      build: {
        lib: { entry: engineFiles(), formats: ['es'], fileName: (_format, name) => `${name}.js` },
        minify: false,
        reportCompressedSize: false,
        rolldownOptions: {
          external: [/^@?[a-z][\w-]*(\/|$)/, /^node:/],
          // Tests import what nobody else does.
          treeshake: false,
          output: { preserveModules: true, preserveModulesRoot: root },
          optimization: { inlineConst: true },
        },
        target: 'node20',
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
          input: ['', 'canvas/', 'three/', 'babylon/', 'worker/', 'worker-babylon/'].map(
            (page) => `${root}examples/${page}index.html`,
          ),
        },
      },
      worker: { format: 'es' },
      // For threads, and for memory that page and worker share.
      server: { headers: ISOLATED },
      preview: { headers: ISOLATED },
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
      globalSetup: ['test/setup/engine.ts'],
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
          plugins: [builtEngine()],
          test: {
            ...{ name: 'device', include: DEVICE_TESTS, isolate: false, maxWorkers: 1, sequence: { groupOrder: 1 } },
          },
        },
        {
          extends: true,
          plugins: [builtEngine()],
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
          plugins: [builtEngine()],
          test: { name: 'browser', include: [PAGE_TESTS], isolate: false, globalSetup: ['test/setup/gallery.ts'] },
        },
        {
          extends: true,
          plugins: [builtEngine()],
          test: {
            name: 'host',
            include: ['test/**/*.test.ts'],
            exclude: [...DEVICE_TESTS, SHARING_TESTS, PAGE_TESTS],
          },
        },
        // On the sources: it is these that they replace.
        { extends: true, test: { name: 'apart', include: APART_TESTS } },
      ],
    },
  };
});
