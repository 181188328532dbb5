// Size of the library as a game ships it: everything that its entry imports, bitECS and the rest included, in one
// minified file with the kernels inlined, gzip at level 9.

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** { bytes, gzip } of a bundle around the library's entry (a file: address). */
export async function measureSize(library) {
  const { build } = await import('vite');
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      lib: { entry: fileURLToPath(library), formats: ['es'] },
      minify: true,
      write: false,
      target: 'es2022',
    },
  });
  const chunks = [output].flat().flatMap((bundle) => bundle.output);
  const codes = chunks.map((chunk) => Buffer.from(chunk.code ?? chunk.source));
  return {
    bytes: codes.reduce((sum, code) => sum + code.length, 0),
    gzip: codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0),
  };
}
