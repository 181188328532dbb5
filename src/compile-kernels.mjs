// Compiles one module of the kernels (src/kernels/assembly, AssemblyScript): the work of a thread of its own, so that
// several are compiled at once and whoever asked for them can do something else.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

/** An instance of a module in base64 that stands alone. */
function instanceOf(code) {
  const imports = { env: { abort() {} } };
  return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(code, 'base64')), imports).exports;
}

/** Where in a module the first function body begins, and how many there are. */
function findBodies(binary) {
  let at = 8;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = binary[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const CODE = 10;
  while (at < binary.length) {
    const section = binary[at++];
    const size = readNumber();
    if (section === CODE) {
      const bodies = readNumber();
      return { head: at, bodies };
    }
    at += size;
  }
  return { head: binary.length, bodies: 0 };
}

/** The stream of a module (src/kernels/assembly/codec), from which it was unpacked once. */
export function packModule(binary, { packer, unpacker }) {
  const { head, bodies } = findBodies(binary);
  const packing = instanceOf(packer);
  const place = packing.packPlace(binary.length);
  new Uint8Array(packing.memory.buffer, place).set(binary);
  const length = packing.pack(binary.length, head, bodies);
  const stream = new Uint8Array(packing.memory.buffer, place + binary.length, length).slice();

  const unpacking = instanceOf(unpacker);
  const room = unpacking.streamPlace(length, binary.length);
  new Uint8Array(unpacking.memory.buffer, room).set(stream);
  unpacking.beginStream(length);
  unpacking.unpackBodies(bodies);
  const back = unpacking.endStream();
  if (Buffer.compare(new Uint8Array(unpacking.memory.buffer, back, binary.length), binary) !== 0)
    throw new Error(`packed kernels: ${length} bytes do not unpack to the module of ${binary.length} bytes`);
  return stream;
}

/**
 * Compiles one module: its binary packed by the modules of `codec`, as it is where that is null, in base64, and the
 * hash of every file that the compiler asked for.
 */
export default async function compileKernels({ root, kernels, flags, codec }) {
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
  if (!kernels.standsAlone) requireOwnRange(binary, kernels);
  return { files, code: Buffer.from(codec ? packModule(binary, codec) : binary).toString('base64') };
}
