// WebGPU in Node: the package `webgpu` (Dawn), loaded only when asked for, since it is no dependency of ours.

import { CallError } from './usage';

/** What the package gives. */
interface Dawn {
  create(options: string[]): GPU;
}

const PACKAGE = 'webgpu';

/**
 * Opens Dawn. `adapter`: part of the name of the one to take; default the fastest. Times are not rounded. Throws
 * CallError where the package is missing, or no adapter has that name (the message lists those there are). Node
 * does not end while the result lives.
 */
export async function openDawn(adapter?: string, load = loadPackage): Promise<GPU> {
  const { create } = await loadDawn(load);
  const options = ['disable-dawn-features=timestamp_quantization'];
  if (adapter !== undefined) options.push(`adapter=${adapter}`);
  try {
    return create(options);
  } catch (error) {
    throw new CallError(`--adapter: ${error instanceof Error ? error.message : error}`);
  }
}

/** A device that checks every call and computes nothing: what is left is the time of the CPU. Throws like openDawn. */
export async function openNullDawn(load = loadPackage): Promise<GPU> {
  const { create } = await loadDawn(load);
  return create(['backend=null']);
}

/** Its name is not written into the call, so that no bundler looks for it. */
function loadPackage(): Promise<Dawn> {
  return import(/* @vite-ignore */ PACKAGE);
}

async function loadDawn(load: () => Promise<Dawn>): Promise<Dawn> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND')
      throw new CallError('WebGPU in Node needs the package webgpu (Dawn): npm install --no-save webgpu');
    throw new CallError(`the package webgpu cannot be loaded: ${error instanceof Error ? error.message : error}`);
  }
}
