// Compiled kernels out of the bundle and onto a memory, synchronously: no fetch, nothing to await.
//
// In: a module as vite.config.ts embeds it, packed and in base64 (browsers inflate only asynchronously).
// Out: what it exports, working on a memory. A world whose memory may be replaced by a shared one gets objects that
// stay, with functions that change: the memory has a KernelHost.

import { bytesOf, unpack } from './unpack';

/** The modules that a world has. */
export type KernelModule = 'kernel' | 'strand kernel' | 'surface kernel' | 'problem kernel';

/** Hands out the exports of a world's modules; `own`: those of the module for one thread. */
export interface KernelHost {
  take(module: KernelModule, own: () => object): object;
}

const hosts = new WeakMap<WebAssembly.Memory, KernelHost>();

/** Has the kernels on `memory` handed out by `host` from now on. */
export function hostKernels(memory: WebAssembly.Memory, host: KernelHost): void {
  hosts.set(memory, host);
}

/**
 * Has the kernels of a world handed out as objects whose functions can be replaced; before any is instantiated.
 * Returns these objects.
 */
export function keepKernels(memory: WebAssembly.Memory): Map<KernelModule, object> {
  const taken = new Map<KernelModule, object>();
  hostKernels(memory, {
    take(module, own) {
      const kernels = taken.get(module) ?? { ...own() };
      taken.set(module, kernels);
      return kernels;
    },
  });
  return taken;
}

/** What an assertion of the kernels called `what` calls. */
export function createAbort(what: string): (message: number, file: number, line: number, column: number) => never {
  return (_message, _file, line, column) => {
    throw new Error(`stiction: internal error: ${what} assertion failed at ${line}:${column}`);
  };
}

/** Makes instances of one module; compiled at the first call, one instance a memory. `what` names it in errors. */
export function createInstantiator<Exports extends object>(
  embedded: string,
  what: KernelModule,
): (memory: WebAssembly.Memory) => Exports {
  let compiled: WebAssembly.Module | null = null;
  const instantiate = (memory: WebAssembly.Memory) => {
    compiled ??= new WebAssembly.Module(unpack(bytesOf(embedded)));
    return new WebAssembly.Instance(compiled, { env: { memory, abort: createAbort(what) } }).exports as Exports;
  };
  return (memory) => {
    const host = hosts.get(memory);
    return host ? (host.take(what, () => instantiate(memory)) as Exports) : instantiate(memory);
  };
}
