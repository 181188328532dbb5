// The house rules, enforced: who imports whom, no cycles, file sizes, and what would break determinism.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function sources(folder: string, kind = /\.(ts|wgsl)$/): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => kind.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
    .sort();
}

const folders = ['components', 'systems', 'src', 'demos', 'test'];
const files = folders.flatMap((folder) => sources(folder));
const scripts = folders.flatMap((folder) => sources(folder, /\.m[jt]s$/));
const shaders = folders.flatMap((folder) => sources(folder, /\.glsl$/));
const text = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** The file that a relative specifier names. */
function resolved(file: string, specifier: string): string {
  const base = normalize(join(dirname(file), specifier)).replace(/\?.*$/, '');
  return [base, `${base}.ts`, join(base, 'index.ts')].find((candidate) => text.has(candidate)) ?? base;
}

/** What a file imports: [specifier, resolved file or package]. */
function imports(file: string): string[] {
  const found: string[] = [];
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\('([^']+)'\)/g;
  for (const match of text.get(file)!.matchAll(pattern)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    if (!specifier.startsWith('.')) {
      found.push(specifier);
      continue;
    }
    found.push(resolved(file, specifier));
  }
  return found;
}

/** Folders of src, low to high, and what each may import of the others. */
const LAYERS: Record<string, string[]> = {
  core: [],
  math: ['core'],
  geometry: ['core', 'math'],
  state: ['core', 'math', 'geometry'],
  collision: ['core', 'math', 'geometry', 'state', 'kernels'],
  mechanics: ['core', 'math', 'geometry', 'state'],
  'static-equilibrium': ['core', 'math', 'geometry', 'state', 'mechanics'],
  solvers: ['core', 'math'],
  islands: ['core', 'math', 'state'],
  kernels: ['core', 'state'],
  gpu: ['core', 'math', 'geometry', 'state', 'solvers'],
  threads: ['core', 'state', 'kernels'],
  dynamics: ['core', 'math', 'geometry', 'state', 'collision', 'mechanics', 'solvers', 'islands', 'kernels', 'gpu'],
  scene: ['core', 'math', 'geometry', 'state', 'dynamics'],
  debug: ['core', 'math', 'geometry', 'state'],
};

function problems(
  check: (file: string, imported: string) => string | null,
  within: (file: string) => boolean,
): string[] {
  return files
    .filter(within)
    .flatMap((file) => imports(file).map((imported) => check(file, imported)))
    .filter((problem) => problem !== null);
}

const isPackage = (name: string) => !/^(components|systems|src|demos|test)\//.test(name);

test('a folder of src imports only from those below it', () => {
  const wrong = problems(
    (file, imported) => {
      const layer = file.split('/')[1];
      if (!(layer in LAYERS)) return null;
      if (isPackage(imported)) {
        const allowed =
          /^virtual:((problem|(shared-)?(strand|surface)|shared)-)?kernels$|^virtual:(thread-worker|unpacker)$/.test(
            imported,
          ) ||
          imported === 'gl-matrix' ||
          (layer === 'scene' && imported === 'valibot');
        return allowed ? null : `${file} imports the package ${imported}`;
      }
      const [top, target] = imported.split('/');
      return top === 'src' && (target === layer || LAYERS[layer].includes(target))
        ? null
        : `${file} imports ${imported}`;
    },
    (file) => file.startsWith('src/'),
  );
  expect(wrong).toEqual([]);
});

test('the profiler looks at the world as games do: it takes types of the public face, and none of the engine', () => {
  const wrong = problems(
    (file, imported) => {
      const isType = imported === 'src/index.ts' && /import type [^;]*'\.\.\/index'/.test(text.get(file)!);
      const isOwn = imported.startsWith('src/panel/') || imported === 'src/core/errors.ts';
      return isOwn || isType ? null : `${file} imports ${imported}`;
    },
    (file) => file.startsWith('src/panel/'),
  );
  expect(wrong).toEqual([]);
});

test('components import bitecs, src/core, src/state; systems components and src; demos the public face', () => {
  const wrong = problems(
    (file, imported) => {
      const top = file.split('/')[0];
      const ok =
        imported.startsWith(`${top}/`) ||
        (top === 'components' && (imported === 'bitecs' || /^src\/(core|state)\//.test(imported))) ||
        (top === 'systems' &&
          (imported === 'bitecs' || imported === 'gl-matrix' || /^(components|src)\//.test(imported))) ||
        (top === 'demos' && (imported === 'src/index.ts' || imported.startsWith('src/panel/') || isPackage(imported)));
      return ok ? null : `${file} imports ${imported}`;
    },
    (file) => /^(components|systems|demos)\//.test(file),
  );
  expect(wrong).toEqual([]);
});

test('the library never imports a renderer, and bitecs only by its core entry', () => {
  const wrong = problems(
    (file, imported) => (/babylon|tweakpane|uplot|^bitecs\//.test(imported) ? `${file} imports ${imported}` : null),
    (file) => /^(components|systems|src)\//.test(file),
  );
  expect(wrong).toEqual([]);
});

test('the library takes the types of gl-matrix only, and two functions that are the same in every browser', () => {
  const takers = files.filter(
    (file) => /^(components|systems|src)\//.test(file) && /import (?!type)[^;]*'gl-matrix'/.test(text.get(file)!),
  );
  expect(takers).toEqual(['src/scene/meshes/read-glb.ts']);
  // Sums and products alone: others take roots, sines or Math.hypot.
  const code = text.get(takers[0])!;
  expect(code).toContain("import { mat4, type ReadonlyMat4 } from 'gl-matrix';");
  const used = [...code.matchAll(/\bmat4\.(\w+)/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual(['fromRotationTranslationScale', 'multiply']);
});

/** Names that a file takes of others, `file: name`; `file: *` where it takes all. */
function takenNames(file: string): string[] {
  const source = text.get(file)!;
  const found: string[] = [];
  const clauses = /(?:^|\n)\s*(?:import|export)\s(?:type\s)?(\*(?: as \w+)?|\{[^}]*\})\s*from\s*'(\.[^']+)'/g;
  for (const [, clause, specifier] of source.matchAll(clauses)) {
    const from = resolved(file, specifier);
    const space = /as (\w+)/.exec(clause)?.[1];
    if (clause === '*') found.push(`${from}: *`);
    else if (clause[0] === '*') {
      for (const [, name] of source.matchAll(new RegExp(`\\b${space}\\s*\\.(\\w+)`, 'g')))
        found.push(`${from}: ${name}`);
    } else
      for (const part of clause.slice(1, -1).split(','))
        found.push(`${from}: ${/(\w+)( as|$)/.exec(part.trim())?.[1]}`);
  }
  for (const [, specifier] of source.matchAll(/\bimport\('(\.[^']+)'\)/g))
    found.push(`${resolved(file, specifier)}: *`);
  return found;
}

/** Measures of the mechanics and the debugger that only tests ask for, so that what they check is not written twice. */
const FOR_TESTS = new Set([
  'src/debug/surface-crossings.ts: describeTangles',
  'src/debug/validate.ts: findBrokenInvariants',
  'src/geometry/hull-data.ts: writeHull',
  'src/math/profile-lu.ts: profileValueCount',
  'src/mechanics/rigid.ts: angularMomentum',
  'src/mechanics/rigid.ts: rotationalEnergy',
  'src/mechanics/rigid.ts: turnFreely',
  'src/mechanics/rod/strand-energy.ts: strandForces',
  'src/mechanics/solid/assemble-solid.ts: assembleElastic',
  'src/mechanics/solid/assemble-solid.ts: solidPattern',
  'src/mechanics/solid/elements.ts: measureRest',
  'src/mechanics/solid/quadratic-mesh.ts: quadraticMesh',
  // Of the build: its configuration, and scripts that are not TypeScript.
  'src/scene/json-schema.ts: makeSceneJsonSchema',
  'src/state/layout.ts: STRAND_STATICS',
  'src/state/layout.ts: SURFACE_STATICS',
]);

test('what a file exports another one takes: nothing is exported for the file itself, little for tests alone', () => {
  const taken = new Map<string, boolean>();
  for (const file of files) {
    for (const name of takenNames(file)) taken.set(name, taken.get(name) || !file.startsWith('test/'));
  }
  const unused: string[] = [];
  const forTests: string[] = [];
  for (const file of files.filter((file) => /^(components|systems|src)\//.test(file))) {
    // What the kernels' entries export TypeScript calls.
    if (
      /^src\/kernels\/assembly\/\w+(-\w+)?\.ts$|\/(local-contact|codec\/(un)?pack)\.ts$/.test(file) ||
      taken.get(`${file}: *`)
    )
      continue;
    const source = text.get(file)!.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    for (const [, name] of source.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)) {
      const entry = `${file}: ${name}`;
      const isUsedHere = source.match(new RegExp(`\\b${name}\\b`, 'g'))!.length > 1;
      if (!taken.has(entry)) unused.push(entry);
      else if (!taken.get(entry) && !isUsedHere && !FOR_TESTS.has(entry)) forTests.push(entry);
    }
  }
  expect({ unused, forTests }).toEqual({ unused: [], forTests: [] });
});

/** So many files at most name solids, the newest kind of elastic object, beside those of solids and of meshes. */
const MOST_NAMING_KINDS = 10;

test('what a further kind of elastic object touches outside its own folders does not grow', () => {
  const own =
    /solid|shell|^src\/(bench|panel)\/|^src\/cli\/tetrahedra\/|kernels\/assembly\/(mesh|surface)\/|wasm\/mesh/;
  const names =
    /\bKIND_SOLID\b|\b\w*Solids?\b|['"`]solids?['"`]|\bsolid-\w+|(?:^|[{,])\s*(?:readonly )?solids?\??:|\.solids?\b/m;
  // A ray may start within what is solid, a file of triangles be called so, triangles have an area.
  const others = [
    ...['src/scene/meshes/read-stl.ts', 'systems/shape-queries.ts', 'src/kernels/assembly/queries/ray.ts'],
    ...['src/geometry/mesh-data.ts', 'src/geometry/mass-properties.ts'],
  ];
  const found = files.filter((file) => {
    if (!/^(components|systems|src)\//.test(file) || own.test(file) || others.includes(file)) return false;
    return names.test(text.get(file)!.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''));
  });
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(MOST_NAMING_KINDS);
});

test('a shape that another kind carries, as a mesh the height field, touches at most eight files', () => {
  const names = /\bheightField\b|\bHeightField\b|\bmeshOfHeights\b/;
  const found = files.filter(
    (file) =>
      /^(components|systems|src)\//.test(file) && names.test(text.get(file)!.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
  );
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(8);
});

test('there are no import cycles, not even of types', () => {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const imported of imports(file)) if (text.has(imported)) visit(imported, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

/** Rooms whose tests lie where their sources do, under the same name. */
const MIRRORED = /^test\/(collision|components|debug|dynamics|geometry|math|panel|state|threads)\/.*\.test\.ts$/;

test('a test of the rooms that are mirrored has the name of a source, in the same folder', () => {
  const sourceOf = (file: string) => file.replace(/^test\//, '').replace(/\.test\.ts$/, '.ts');
  const tests = files.filter((file) => MIRRORED.test(file));
  const strays = tests.filter((file) => !text.has(sourceOf(file)) && !text.has(`src/${sourceOf(file)}`));
  expect(tests.length).toBeGreaterThan(50);
  expect(strays).toEqual([]);
});

test('a file is one idea: 600 lines at most, and no folder is called utils', () => {
  const long = files.filter((file) => text.get(file)!.split('\n').length > 601);
  expect(long).toEqual([]);
  expect(files.filter((file) => /(^|\/)utils?(\/|\.)/.test(file))).toEqual([]);
});

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name?: string };
  readonly key?: { readonly name?: string };
  readonly params?: readonly unknown[];
}

/** Calls `see` with each function below a node of the syntax tree, and with the name it is given. */
function eachFunction(node: unknown, name: string, see: (node: SyntaxNode, name: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, id, key } = node as SyntaxNode;
  const own = id?.name ?? (type === 'Property' ? key?.name : undefined) ?? name;
  if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)) see(node as SyntaxNode, own);
  for (const child of Object.values(node)) eachFunction(child, own, see);
}

test('a function is at most 100 lines long and has at most seven parameters, kernels excepted', () => {
  const long: string[] = [];
  const many: string[] = [];
  for (const file of files.filter((file) => /^(components|systems|src|demos)\//.test(file) && file.endsWith('.ts'))) {
    if (file.startsWith('src/kernels/assembly/')) continue;
    const source = text.get(file)!;
    eachFunction(parseSync(file, source).program, '', ({ start, end, params = [] }, name) => {
      if (source.slice(start, end).split('\n').length > 100) long.push(`${file}: ${name}`);
      if (params.length > 7) many.push(`${file}: ${name}`);
    });
  }
  expect({ long, many }).toEqual({ long: [], many: [] });
});

test('a line is at most 120 bytes wide: characters beyond ASCII count as often as they have bytes', () => {
  const wide = [...files, ...scripts, ...shaders, '.ci/run'].flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, k) => (Buffer.byteLength(line) > 120 ? [`${file}:${k + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

test('a page of Markdown is at most 120 bytes wide but for tables, code and pictures', () => {
  // Not those that are merged line by line (CHANGELOG.md, docs/limits.md), nor the reference, which is generated.
  const written = sources('docs', /\.md$/).filter((page) => !/^docs.(limits\.md$|reference|\.vitepress)/.test(page));
  const pages = ['README.md', ...written];
  const wide = pages.flatMap((page) => {
    let isCode = false;
    return readFileSync(join(root, page), 'utf8')
      .split('\n')
      .flatMap((line, k) => {
        if (/^\s*```/.test(line)) isCode = !isCode;
        return !isCode && !/^\s*(\||<|!\[)/.test(line) && Buffer.byteLength(line) > 120 ? [`${page}:${k + 1}`] : [];
      });
  });
  expect(pages.length).toBeGreaterThan(20);
  expect(wide).toEqual([]);
});

test('nothing in the library depends on clock, chance or an engine’s own transcendental functions', () => {
  const banned: [RegExp, string][] = [
    [/Math\.random/, 'Math.random'],
    [/Date\.now|new Date\(/, 'the date'],
    [
      /(?<!Native)\bMath\.(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|expm1|log|log1p|log10|pow|hypot|cbrt)\(/,
      'a transcendental Math function',
    ],
    // But for arrays of numbers alone, which are in their order.
    [/(?<!new Float64Array\(\w+\))\.(sort|toSorted)\(\s*\)/, 'a sort without comparator'],
  ];
  const wrong: string[] = [];
  for (const file of files) {
    if (!/^(components|systems|src)\//.test(file)) continue;
    if (/^src\/(kernels\/assembly|bench|cli|panel)\//.test(file)) continue;
    const code = text.get(file)!.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    for (const [pattern, name] of banned) if (pattern.test(code)) wrong.push(`${file} uses ${name}`);
    if (/performance\.now/.test(code) && file !== 'src/core/profile.ts') wrong.push(`${file} reads the clock`);
  }
  expect(wrong).toEqual([]);
});

test('files are kebab-case', () => {
  expect(files.filter((file) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*\.(ts|wgsl)$/.test(relative(dirname(file), file)))).toEqual(
    [],
  );
});
