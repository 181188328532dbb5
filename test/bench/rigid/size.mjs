// Size of the library as a game of rigid bodies ships it: what `createPhysics` and `addRigidBody` need,
// bitECS and the rest included, in one minified file with the kernels inlined, gzip at level 9. (Other
// games: test/package/size.test.ts.)

import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** { bytes, gzip } of a bundle around the library's entry (a file: address). */
export async function measureSize(library) {
  const { build } = await import('vite');
  const file = fileURLToPath(library);
  const game = join(dirname(file), `game-${process.pid}.js`);
  writeFileSync(game, `export { addRigidBody, createPhysics } from './${basename(file)}';\n`);
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      lib: { entry: game, formats: ['es'] },
      minify: true,
      write: false,
      target: 'es2022',
    },
  }).finally(() => rmSync(game));
  const chunks = [output].flat().flatMap((bundle) => bundle.output);
  // What it starts with: what is fetched for threads is not.
  const first = new Set(chunks.filter((chunk) => chunk.isEntry));
  for (const { imports } of first) {
    for (const chunk of chunks) if (imports?.includes(chunk.fileName)) first.add(chunk);
  }
  const codes = [...first].map((chunk) => Buffer.from(chunk.code ?? chunk.source));
  return {
    bytes: codes.reduce((sum, code) => sum + code.length, 0),
    gzip: codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0),
  };
}
