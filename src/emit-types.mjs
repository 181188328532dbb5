// Makes the declarations of `tsc -p tsconfig.build.json` fit every resolver and compiler; a step of `npm run build`.
//
// In: dist/types, or the folder given as argument. Out: the same, with
//   `.js` behind relative imports: Node's own resolution ("nodenext") demands it, and without it takes every type of
//   the package for `any` without a word; no type argument of typed arrays, which TypeScript knows since 5.7 only;
//   nothing that the package's entries do not reach;
//   the interfaces of WebGPU, of WebAssembly and of pages declared, empty, for compilers that do not know them (no
//   `lib: dom`, no @types/node): where they are known such declarations add nothing to them.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? fileURLToPath(new URL('../dist/types/', import.meta.url));
const entry = join(folder, 'src/index.d.ts');
const IMPORT = /((?:from|import\()\s*['"])(\.[^'"]*?)(?:\.js)?(['"])/g;

/** Texts of the files that the public face reaches, by path. */
const reached = new Map();
const visit = (path) => {
  if (reached.has(path)) return;
  const text = readFileSync(path, 'utf8')
    .replace(IMPORT, '$1$2.js$3')
    .replace(/\b([A-Z]\w*Array)<ArrayBuffer(?:Like)?>/g, '$1');
  reached.set(path, text);
  for (const [, , name] of text.matchAll(IMPORT)) visit(join(dirname(path), `${name}.d.ts`));
};
visit(entry);
visit(join(folder, 'src/panel/index.d.ts'));

const hosts = new Set();
const modules = new Set();
for (const text of reached.values()) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [name] of code.matchAll(/\b(?:GPU(?:[A-Z][a-z]\w*)?|AbortSignal|HTML\w*Element)\b/g)) hosts.add(name);
  for (const [, name] of code.matchAll(/\bWebAssembly\.(\w+)/g)) modules.add(name);
}
const declare = (names) => [...names].sort((a, b) => (a < b ? -1 : 1)).map((name) => `interface ${name} {}\n`);
const host = `${declare(hosts).join('')}declare namespace WebAssembly {\n  ${declare(modules).join('  ')}}\n`;
for (const path of [entry, join(folder, 'src/panel/index.d.ts')]) {
  const to = path === entry ? './host.d.ts' : '../host.d.ts';
  reached.set(path, `/// <reference path="${to}" />\n${reached.get(path)}`);
}
reached.set(join(folder, 'src/host.d.ts'), host);

for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const path = join(folder, name);
  if (name.endsWith('.d.ts') && !reached.has(path)) rmSync(path);
}
for (const [path, text] of reached) writeFileSync(path, text);
