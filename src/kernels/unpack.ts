// Packed kernels unpacked: how kernels are embedded, at 0.85 to 0.87 of what LZMA would make of them, and
// synchronously, which the streams of browsers are not.
//
// In: a stream as the build makes it (src/kernels/assembly/codec says what is in it). Out: the bytes. Streams are
// trusted: what is no stream gives nonsense.
// The kernels of bodies take 0.1 s of the processor on a busy machine, twice what LZMA would: what unpacks is itself a
// small module of WebAssembly.

import embedded from 'virtual:unpacker';

/** What src/kernels/assembly/codec/unpack.ts exports; bytes there are addresses. */
interface UnpackerExports {
  readonly memory: WebAssembly.Memory;
  /** Makes room for a stream of so many bytes, and for what it holds; returns where to put it. */
  streamPlace(bytes: number, held: number): number;
  beginStream(bytes: number): void;
  /** Unpacks up to so many functions; returns how many are left. */
  unpackBodies(most: number): number;
  /** Returns where the bytes are. */
  endStream(): number;
}

/**
 * Functions that unpackSlowly unpacks at once: 5 to 6 ms of the processor in the median of the three shared modules, 11
 * at most, on a busy machine.
 */
const FEW = 24;

let compiled: WebAssembly.Module | null = null;

/** Bytes out of base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** What a module begins with; a stream would say that it holds 1.8 GB. */
const MODULE = 0x6d736100;

/** The bytes that a stream holds; a module is its own. */
export function unpack(packed: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (heldBy(packed) === MODULE) return packed;
  const kernels = begin(packed);
  kernels.unpackBodies(0x7fffffff);
  return end(kernels, packed);
}

/** The same in many short tasks, for a page that shall not stand still meanwhile. */
export async function unpackSlowly(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (heldBy(packed) === MODULE) return packed;
  const kernels = begin(packed);
  while (kernels.unpackBodies(FEW) > 0) await new Promise((resolve) => setTimeout(resolve));
  return end(kernels, packed);
}

function begin(packed: Uint8Array): UnpackerExports {
  compiled ??= new WebAssembly.Module(bytesOf(embedded));
  // An instance a stream: its memory, of some 2 MB, goes with it.
  const kernels = new WebAssembly.Instance(compiled).exports as unknown as UnpackerExports;
  const place = kernels.streamPlace(packed.length, heldBy(packed));
  new Uint8Array(kernels.memory.buffer, place).set(packed);
  kernels.beginStream(packed.length);
  return kernels;
}

function end(kernels: UnpackerExports, packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = kernels.endStream();
  return new Uint8Array(kernels.memory.buffer as ArrayBuffer).slice(start, start + heldBy(packed));
}

/** How many bytes a stream holds. */
function heldBy(packed: Uint8Array): number {
  return new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
}
