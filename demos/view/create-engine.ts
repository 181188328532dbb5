// The renderer's engine: WebGPU where there is one that really works, else WebGL2.

import type { AbstractEngine } from '@babylonjs/core/Engines/abstractEngine';
import { Engine } from '@babylonjs/core/Engines/engine';

export type Quality = 'high' | 'low';
export type EngineKind = 'webgpu' | 'webgl2';

export interface EngineChoice {
  engine: AbstractEngine;
  kind: EngineKind;
  /** The canvas it draws on; not the one given if the WebGPU engine failed half way. */
  canvas: HTMLCanvasElement;
}

/** The most device pixels per CSS pixel: more costs fill rate and shows nothing. Slow machines draw fewer. */
const DENSEST = { high: 2, low: 0.6 };

/**
 * `want` forces a kind; without it WebGPU is tried first. Software adapters do not count: they are slower than
 * software WebGL2. Throws if neither works.
 */
export async function createEngine(
  canvas: HTMLCanvasElement,
  want: EngineKind | null,
  quality: Quality,
): Promise<EngineChoice> {
  if (want !== 'webgl2') {
    const engine = await createWebGpu(canvas, want === 'webgpu', quality);
    if (engine) return { engine, kind: 'webgpu', canvas };
    // A canvas that has once given out a WebGPU context gives no WebGL one.
    const fresh = canvas.cloneNode(false) as HTMLCanvasElement;
    canvas.replaceWith(fresh);
    canvas = fresh;
  }
  const antialias = quality === 'high';
  const engine = new Engine(canvas, antialias, { powerPreference: 'high-performance', stencil: false }, false);
  if (engine.version < 2) throw new Error('this browser offers neither WebGPU nor WebGL2');
  setDensity(engine, quality);
  return { engine, kind: 'webgl2', canvas };
}

/** Renders at the screen's own density, within reason. */
export function setDensity(engine: AbstractEngine, quality: Quality): void {
  engine.setHardwareScalingLevel(1 / Math.min(window.devicePixelRatio || 1, DENSEST[quality]));
}

async function createWebGpu(
  canvas: HTMLCanvasElement,
  forced: boolean,
  quality: Quality,
): Promise<AbstractEngine | null> {
  const gpu = (navigator as { gpu?: { requestAdapter(): Promise<Adapter | null> } }).gpu;
  if (!gpu) return null;
  try {
    const adapter = await withinSeconds(3, gpu.requestAdapter());
    if (!adapter) return null;
    const software = adapter.info?.isFallbackAdapter || /swiftshader|llvmpipe/i.test(adapter.info?.architecture ?? '');
    if (software && !forced) return null;
    const { WebGPUEngine } = await import('@babylonjs/core/Engines/webgpuEngine');
    const engine = new WebGPUEngine(canvas, {
      antialias: quality === 'high',
      powerPreference: 'high-performance',
      stencil: false,
    });
    await withinSeconds(8, engine.initAsync());
    setDensity(engine, quality);
    // Never queue far ahead of a slow GPU: dragging would lag behind the pointer.
    engine.maxFramesInFlight = 2;
    fallBackWhenLost(engine);
    return engine;
  } catch (error) {
    console.info(`WebGPU is not usable here (${error instanceof Error ? error.message : error}); using WebGL2`);
    return null;
  }
}

/** A WebGPU that loses its device this often, or this soon [ms], does not really work. */
const [MOST_LOSSES, TOO_SOON] = [2, 8000];

/** Starts the page again with WebGL2 when WebGPU turns out not to hold. */
function fallBackWhenLost(engine: AbstractEngine): void {
  const start = performance.now();
  let losses = 0;
  engine.onContextLostObservable.add(() => {
    losses++;
    if (losses < MOST_LOSSES && performance.now() - start > TOO_SOON) return;
    const url = new URL(location.href);
    url.searchParams.set('engine', 'webgl2');
    location.replace(url);
  });
}

interface Adapter {
  info?: { isFallbackAdapter?: boolean; architecture?: string };
}

function withinSeconds<T>(seconds: number, promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]);
}
