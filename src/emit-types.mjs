// Makes the declarations of `tsc -p tsconfig.build.json` fit every resolver; a step of `npm run build`.
//
// In: dist/types, or the folder given as argument. Out: the same with `.js` behind relative imports: Node's own
// resolution ("nodenext") demands it, and without it takes every type of the package for `any` without a word.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? fileURLToPath(new URL('../dist/types/', import.meta.url));
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const text = readFileSync(join(folder, name), 'utf8');
  writeFileSync(join(folder, name), text.replace(/((?:from|import\()\s*['"])(\.[^'"]*?)(?:\.js)?(['"])/g, '$1$2.js$3'));
}
