// Instantiates the engine room on a memory, synchronously: no fetch, nothing to await (WASM inlined as base64).

import base64 from 'virtual:kernels';
import type { KernelExports } from './exports';

let compiled: WebAssembly.Module | null = null;

function compile(): WebAssembly.Module {
  if (compiled) return compiled;
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  compiled = new WebAssembly.Module(bytes);
  return compiled;
}

/** The kernels, working on `memory`; compiled once, one instance a world. */
export function instantiateKernels(memory: WebAssembly.Memory): KernelExports {
  const abort = (_message: number, _file: number, line: number, column: number) => {
    throw new Error(`stiction: internal error: kernel assertion failed at ${line}:${column}`);
  };
  const instance = new WebAssembly.Instance(compile(), { env: { memory, abort } });
  return instance.exports as unknown as KernelExports;
}
