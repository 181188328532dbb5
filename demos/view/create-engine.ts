// The renderer's engine: WebGPU where there is one that really works, else WebGL2. Its device is lent to the strands,
// so that they are drawn where they are computed.

import type { AbstractEngine } from '@babylonjs/core/Engines/abstractEngine';
import type { WebGPUEngine } from '@babylonjs/core/Engines/webgpuEngine';
import { findAdapter, SOFTWARE, tellUnusable, withinSeconds } from './find-adapter';

export type Quality = 'high' | 'low';
export type EngineKind = 'webgpu' | 'webgl2';

export interface EngineChoice {
  engine: AbstractEngine;
  kind: EngineKind;
  /** The canvas it draws on; not the one given if the WebGPU engine failed half way. */
  canvas: HTMLCanvasElement;
  /** What strands can be computed on; null with WebGL2. */
  device: LentDevice | null;
  /** Why it is not WebGPU, one line; null if it is. */
  reason: string | null;
  /** Whether it draws on the processor. */
  isSoftware: boolean;
}

/** The renderer's device, for others to compute on. */
export interface LentDevice {
  /** Whether the adapter computes on the processor. */
  isSoftware: boolean;
  /** The device as it is now; after a loss, as soon as the renderer has a new one. */
  get(): GPUDevice | Promise<GPUDevice>;
}

/** The most device pixels per CSS pixel: more costs fill rate and shows nothing. Slow machines draw fewer. */
const DENSEST = { high: 2, low: 0.6 };

/**
 * `want` forces a kind; without it WebGPU is tried first. Software adapters do not count: they are slower than
 * software WebGL2. `isLost`: WebGPU has lost its device on this page before (`takeLoss`). Throws if neither works.
 */
export async function createEngine(
  canvas: HTMLCanvasElement,
  want: EngineKind | null,
  quality: Quality,
  isLost: boolean,
): Promise<EngineChoice> {
  let reason = isLost ? 'WebGPU lost its device' : 'WebGL2 was asked for';
  if (want !== 'webgl2') {
    const made = await createWebGpu(canvas, want === 'webgpu', quality);
    if (typeof made !== 'string')
      return { ...made, kind: 'webgpu', canvas, reason: null, isSoftware: made.device.isSoftware };
    reason = made;
    // A canvas that has once given out a WebGPU context gives no WebGL one.
    const fresh = canvas.cloneNode(false) as HTMLCanvasElement;
    canvas.replaceWith(fresh);
    canvas = fresh;
  }
  const antialias = quality === 'high';
  const { Engine } = await import('./webgl2-renderer');
  const engine = new Engine(canvas, antialias, { powerPreference: 'high-performance', stencil: false }, false);
  if (engine.version < 2) throw new Error('this browser offers neither WebGPU nor WebGL2');
  setDensity(engine, quality);
  const isSoftware = SOFTWARE.test(engine.getGlInfo().renderer);
  return { engine, kind: 'webgl2', canvas, device: null, reason, isSoftware };
}

/**
 * Renders at the screen's own density, within reason, or at a share of that; on a canvas that the tab key reaches in
 * its turn. Returns the device pixels per CSS pixel.
 */
export function setDensity(engine: AbstractEngine, quality: Quality, share = 1): number {
  // In the order of the page.
  engine.canvasTabIndex = 0;
  const density = share * Math.min(window.devicePixelRatio || 1, DENSEST[quality]);
  engine.setHardwareScalingLevel(1 / density);
  return density;
}

/** What strands profit from beyond the default limits [B]; cut down to what the adapter has. */
const WANTED = { maxStorageBufferBindingSize: 2 ** 30, maxBufferSize: 2 ** 30 };

/** The engine and its device, or one line that says why not. */
async function createWebGpu(
  canvas: HTMLCanvasElement,
  forced: boolean,
  quality: Quality,
): Promise<{ engine: AbstractEngine; device: LentDevice } | string> {
  const found = await findAdapter(forced);
  if (typeof found === 'string') return found;
  const { isSoftware } = found;
  const { limits } = found.adapter;
  try {
    const { WebGPUEngine } = await import('./webgpu-renderer');
    const engine = new WebGPUEngine(canvas, {
      antialias: quality === 'high',
      powerPreference: 'high-performance',
      stencil: false,
      deviceDescriptor: {
        requiredFeatures: ['timestamp-query'],
        requiredLimits: {
          maxStorageBufferBindingSize: Math.min(WANTED.maxStorageBufferBindingSize, limits.maxStorageBufferBindingSize),
          maxBufferSize: Math.min(WANTED.maxBufferSize, limits.maxBufferSize),
        },
      },
    });
    await withinSeconds(8, engine.initAsync());
    setDensity(engine, quality);
    // Never queue far ahead of a slow GPU: dragging would lag behind the pointer.
    engine.maxFramesInFlight = 2;
    fallBackWhenLost(engine);
    return { engine, device: lendDevice(engine, isSoftware) };
  } catch (error) {
    return tellUnusable(error);
  }
}

/** Babylon makes the device anew when it was lost. */
function lendDevice(engine: WebGPUEngine, isSoftware: boolean): LentDevice {
  let coming: Promise<GPUDevice> | null = null;
  engine.onContextLostObservable.add(() => {
    coming = new Promise((resolve) => {
      engine.onContextRestoredObservable.addOnce(() => {
        coming = null;
        resolve(engine._device);
      });
    });
  });
  return { isSoftware, get: () => coming ?? engine._device };
}

/** A WebGPU that loses its device this often, or this soon [ms], does not really work. */
const [MOST_LOSSES, TOO_SOON] = [2, 8000];

/** In the address of a page that was started again: why. */
const LOST = 'lost';

/** Starts the page again with WebGL2 when WebGPU turns out not to hold. */
function fallBackWhenLost(engine: AbstractEngine): void {
  const start = performance.now();
  let losses = 0;
  engine.onContextLostObservable.add(() => {
    losses++;
    if (losses < MOST_LOSSES && performance.now() - start > TOO_SOON) return;
    const url = new URL(location.href);
    url.searchParams.set('engine', 'webgl2');
    url.searchParams.set(LOST, '');
    location.replace(url);
  });
}

/**
 * Whether the page was started again because WebGPU lost its device. What says so is taken out of the address, which
 * may be passed on.
 */
export function takeLoss(): boolean {
  const url = new URL(location.href);
  if (!url.searchParams.has(LOST)) return false;
  url.searchParams.delete(LOST);
  url.searchParams.delete('engine');
  history.replaceState(null, '', url);
  return true;
}
