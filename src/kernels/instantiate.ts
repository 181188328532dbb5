// Compiled kernels out of the bundle and onto a memory, synchronously: no fetch, nothing to await.
//
// In: a module as vite.config.ts embeds it, deflated and in base64 (browsers themselves inflate only asynchronously).
// Out: what it exports, working on a memory.

import { inflateSync } from 'fflate';

/** Makes instances of one module; compiled at the first call, one instance a memory. `what` names it in errors. */
export function createInstantiator<Exports>(embedded: string, what: string): (memory: WebAssembly.Memory) => Exports {
  let compiled: WebAssembly.Module | null = null;
  const abort = (_message: number, _file: number, line: number, column: number) => {
    throw new Error(`stiction: internal error: ${what} assertion failed at ${line}:${column}`);
  };
  return (memory) => {
    compiled ??= new WebAssembly.Module(inflateSync(bytesOf(embedded)));
    return new WebAssembly.Instance(compiled, { env: { memory, abort } }).exports as Exports;
  };
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
