// The device: the host's own (a renderer's, a game's) or one we ask for; what it can do, and what becomes of it.
//
// In: options. Out: a `GpuContext`, or a `GpuUnavailable` error whose message is one line that can be shown as it is.
// Limits: what we ask for beyond the defaults is cut down to what the adapter has, never refused for it. A lost device
// is told once, by promise and by callbacks; everything made from it is dead then, and a new context must be created.
// Uncaptured errors (a mistake of ours, or out of memory) are kept; they never throw in a frame.

/** No device, and why: no WebGPU here, no adapter, adapter refused. */
export class GpuUnavailable extends Error {
  override readonly name = 'GpuUnavailable';
}

/** Something that does not fit on this device; the message names what to lower, or the limit. */
export class GpuLimitError extends Error {
  override readonly name = 'GpuLimitError';
}

export interface GpuContextOptions {
  /** The host's device; then nothing is requested, and `dispose` leaves it alone. */
  device?: GPUDevice;
  /** Where to ask for an adapter; default `navigator.gpu`. */
  gpu?: GPU;
  /** What kind of adapter to ask for. Default: the fast one. */
  adapterOptions?: GPURequestAdapterOptions;
}

export interface GpuLoss {
  /** 'destroyed': by us or the host; 'unknown': the driver, a time-out, an update. */
  readonly reason: GPUDeviceLostReason;
  readonly message: string;
}

export interface GpuContext {
  readonly device: GPUDevice;
  /** Whether the device was asked for here, and goes with `dispose`. */
  readonly isOwn: boolean;
  /** Vendor and architecture as the adapter gives them; 'unknown' where it gives none. */
  readonly adapterName: string;
  /** Whether the adapter computes on the CPU: times on it say nothing about a GPU. */
  readonly isSoftware: boolean;
  /** Whether passes can be timed ('timestamp-query'). */
  readonly hasTimestamps: boolean;
  readonly limits: GPUSupportedLimits;
  /** Settles when the device is lost, by whatever cause; never rejects. */
  readonly lost: Promise<GpuLoss>;
  /** True from the moment the loss is known. */
  readonly isLost: boolean;
  /** Messages of uncaptured errors, oldest first, at most 16. */
  readonly errors: readonly string[];
  /** Calls back on the loss; returns what takes the callback away. Not called for a loss by `dispose`. */
  onLost(callback: (loss: GpuLoss) => void): () => void;
  /** Lets go of the device; destroys it if it is our own. */
  dispose(): void;
}

/** Most bytes of a buffer that one binding takes whole [B]. */
export function largestBinding({ maxStorageBufferBindingSize, maxBufferSize }: GPUSupportedLimits): number {
  return Math.min(maxStorageBufferBindingSize, maxBufferSize);
}

/** Limits we profit from, and how much of them we can use [B]; without them large scenes are cut into more parts. */
const WANTED = { maxStorageBufferBindingSize: 2 ** 30, maxBufferSize: 2 ** 30 } as const;
const OPTIONAL: readonly GPUFeatureName[] = ['timestamp-query'];
const KEPT_ERRORS = 16;

/**
 * Opens a device. Rejects with `GpuUnavailable` where there is none; never with anything else.
 * An own device asks for larger buffers and timestamps where the adapter has them, and
 * needs no more than default limits.
 */
export async function createGpuContext(options: GpuContextOptions = {}): Promise<GpuContext> {
  if (options.device) return openContext(options.device, false, options.device.adapterInfo);
  const gpu = options.gpu ?? (typeof navigator === 'undefined' ? undefined : navigator.gpu);
  if (!gpu) throw new GpuUnavailable('WebGPU: not offered here (old browser, or a page without https)');
  let adapter: GPUAdapter | null = null;
  try {
    adapter = await gpu.requestAdapter(options.adapterOptions ?? { powerPreference: 'high-performance' });
  } catch (error) {
    throw new GpuUnavailable(`WebGPU: no adapter: ${messageOf(error)}`);
  }
  if (!adapter) throw new GpuUnavailable('WebGPU: no adapter (graphics driver blocked or missing)');
  try {
    const device = await adapter.requestDevice({
      requiredFeatures: OPTIONAL.filter((feature) => adapter.features.has(feature)),
      requiredLimits: clampLimits(WANTED, adapter.limits),
    });
    return openContext(device, true, adapter.info);
  } catch (error) {
    throw new GpuUnavailable(`WebGPU: the adapter gives no device: ${messageOf(error)}`);
  }
}

/** Wishes cut down to what the adapter offers. */
export function clampLimits<K extends string>(
  wanted: Readonly<Record<K, number>>,
  offered: Readonly<Record<NoInfer<K>, number>>,
): Record<K, number> {
  const out = {} as Record<K, number>;
  for (const name of Object.keys(wanted) as K[]) out[name] = Math.min(wanted[name], offered[name]);
  return out;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function openContext(device: GPUDevice, isOwn: boolean, info: GPUAdapterInfo | undefined): GpuContext {
  const errors: string[] = [];
  const onLost = new Set<(loss: GpuLoss) => void>();
  const state = { isLost: false, isDisposed: false };
  const listen = (event: GPUUncapturedErrorEvent): void => {
    if (errors.length === KEPT_ERRORS) errors.shift();
    errors.push(event.error.message);
  };
  device.addEventListener('uncapturederror', listen);
  const lost = device.lost.then(({ reason, message }): GpuLoss => {
    state.isLost = true;
    const loss = { reason, message };
    if (!state.isDisposed) for (const call of onLost) call(loss);
    return loss;
  });
  const words = [info?.vendor, info?.architecture, info?.description].filter((word) => word);
  return {
    device,
    isOwn,
    adapterName: words.join(' ') || 'unknown',
    isSoftware: info?.isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|basic render/i.test(words.join(' ')),
    hasTimestamps: device.features.has('timestamp-query'),
    limits: device.limits,
    lost,
    get isLost() {
      return state.isLost;
    },
    errors,
    onLost(callback) {
      onLost.add(callback);
      return () => onLost.delete(callback);
    },
    dispose() {
      if (state.isDisposed) return;
      state.isDisposed = true;
      device.removeEventListener('uncapturederror', listen);
      if (isOwn) device.destroy();
    },
  };
}
