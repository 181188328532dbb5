// Whether this browser has a WebGPU that is worth drawing with: asked once, as early as the page can.

/** Names of renderers that compute on the processor. */
export const SOFTWARE = /swiftshader|llvmpipe|software/i;

/** What the graphics card offers. */
export interface FoundAdapter {
  adapter: GPUAdapter;
  /** Whether it computes on the processor. */
  isSoftware: boolean;
}

let found: Promise<FoundAdapter | string> | null = null;

/**
 * The adapter, or one line that says why there is none: software adapters do not count, being slower than software
 * WebGL2, unless WebGPU is `forced`. The first call asks the browser, others get its answer.
 */
export function findAdapter(forced: boolean): Promise<FoundAdapter | string> {
  found ??= askForAdapter(forced);
  return found;
}

async function askForAdapter(forced: boolean): Promise<FoundAdapter | string> {
  if (!navigator.gpu) return 'this browser offers no WebGPU';
  try {
    const adapter = await withinSeconds(3, navigator.gpu.requestAdapter());
    if (!adapter) return 'WebGPU has no adapter here';
    const isSoftware = adapter.info.isFallbackAdapter || SOFTWARE.test(adapter.info.architecture);
    return isSoftware && !forced ? 'WebGPU would run in software here' : { adapter, isSoftware };
  } catch (error) {
    return tellUnusable(error);
  }
}

/** Says at the console, and returns, why WebGPU is not used. */
export function tellUnusable(error: unknown): string {
  const reason = `WebGPU is not usable here (${error instanceof Error ? error.message : error})`;
  console.info(`${reason}; using WebGL2`);
  return reason;
}

export function withinSeconds<T>(seconds: number, promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]);
}
