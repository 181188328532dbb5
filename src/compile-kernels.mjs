// Compiles one module of the kernels (src/kernels/assembly, AssemblyScript): the work of a thread of its own, so that
// several are compiled at once and whoever asked for them can do something else.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compress } from 'lzma1';
import { shareBinary, shareSource } from './share-kernels.mjs';

/** Text of a file, null where there is none. */
export function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** What tells a text from all others; null of null. */
export const hashOf = (text) => text && createHash('sha256').update(text).digest('hex');

/**
 * Throws unless instantiating the module writes static data within its range only:
 * nothing says more surely where it lies.
 */
function requireOwnRange(binary, { entry, from, to, isShared }) {
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

/** Compiles one module: its binary packed, in base64, and the hash of every file that the compiler asked for. */
export default async function compileKernels({ root, kernels, flags }) {
  const { default: asc } = await import('assemblyscript/asc');
  const files = {};
  let binary;
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
        if (name.endsWith('.wasm')) binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error || !binary) throw new Error(`AssemblyScript: ${error?.message}\n${stderr.toString()}`);
  if (kernels.isShared) binary = await shareBinary(binary, kernels.from, kernels.to);
  requireOwnRange(binary, kernels);
  return { files, code: Buffer.from(compress(binary, 9)).toString('base64') };
}
