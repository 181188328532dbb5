// Buffers from one pool: they have names, are counted, grow, and go together.
//
// A `GpuBuffer` is a handle; the GPUBuffer behind it changes when it grows, and `generation` of the pool with it:
// callers who keep bind groups make them anew when that number has changed. Growth is to the next quarter of a power of
// two, so that a scene that grows bit by bit moves seldom; with `keep` the old content is copied on the device.

import { type GpuContext, GpuLimitError } from './device';

export interface GpuBuffer {
  readonly name: string;
  readonly usage: GPUBufferUsageFlags;
  /** Room [B], a multiple of 256. */
  readonly bytes: number;
  readonly buffer: GPUBuffer;
}

export interface BufferPool {
  /** Adds one to every growth: bind groups made before are out of date. */
  readonly generation: number;
  /** Room of all buffers together [B]. */
  readonly bytes: number;
  /** Makes a buffer of at least `bytes`. Throws GpuLimitError naming buffer and limit. */
  create(name: string, bytes: number, usage: GPUBufferUsageFlags): GpuBuffer;
  /** Makes room for `bytes`; returns whether the buffer was replaced. Without `keep` its content is then zeros. */
  ensure(handle: GpuBuffer, bytes: number, keep?: boolean): boolean;
  /** Destroys one buffer. */
  release(handle: GpuBuffer): void;
  /** Destroys all. */
  dispose(): void;
}

// GPUBufferUsage is not a global in every host (Node): the numbers are the standard's.
export const USAGE = {
  mapRead: 0x1,
  copySource: 0x4,
  copyTarget: 0x8,
  index: 0x10,
  vertex: 0x20,
  uniform: 0x40,
  storage: 0x80,
  indirect: 0x100,
  queryResolve: 0x200,
} as const;
/** Storage that can be written by the queue and copied from: what state buffers are. */
export const STATE_USAGE = USAGE.storage | USAGE.copySource | USAGE.copyTarget;

/** Bindings begin at multiples of this [B]: the default of minStorageBufferOffsetAlignment, which no device exceeds. */
export const ALIGNMENT = 256;

/** Next multiple of the alignment [B]. */
export function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

type Slot = { -readonly [K in keyof GpuBuffer]: GpuBuffer[K] };

/** Makes the pool of one user of a device. */
export function createBufferPool(context: GpuContext): BufferPool {
  const { device, limits } = context;
  const slots = new Set<Slot>();
  let generation = 0;

  const allocate = (name: string, bytes: number, usage: GPUBufferUsageFlags): GPUBuffer => {
    if (bytes > limits.maxBufferSize) {
      throw new GpuLimitError(
        `buffer "${name}": ${bytes} bytes are more than this device's maxBufferSize, ${limits.maxBufferSize}`,
      );
    }
    return device.createBuffer({ label: name, size: bytes, usage });
  };

  return {
    get generation() {
      return generation;
    },
    get bytes() {
      let sum = 0;
      for (const slot of slots) sum += slot.bytes;
      return sum;
    },
    create(name, bytes, usage) {
      const size = align(Math.max(bytes, 1));
      const slot: Slot = { name, usage, bytes: size, buffer: allocate(name, size, usage) };
      slots.add(slot);
      return slot;
    },
    ensure(handle, bytes, keep = false) {
      if (handle.bytes >= bytes) return false;
      const slot = handle as Slot;
      const size = Math.max(align(bytes), Math.min(roundUp(bytes), limits.maxBufferSize));
      const next = allocate(slot.name, size, slot.usage);
      if (keep) {
        const encoder = device.createCommandEncoder({ label: `grow ${slot.name}` });
        encoder.copyBufferToBuffer(slot.buffer, 0, next, 0, slot.bytes);
        device.queue.submit([encoder.finish()]);
      }
      // Work already submitted keeps the old one alive until it is done.
      slot.buffer.destroy();
      slot.buffer = next;
      slot.bytes = size;
      generation++;
      return true;
    },
    release(handle) {
      if (slots.delete(handle as Slot)) handle.buffer.destroy();
    },
    dispose() {
      for (const slot of slots) slot.buffer.destroy();
      slots.clear();
    },
  };
}

/**
 * Writes numbers to the start of a buffer that nobody else writes to, unless they are there
 * already: calls are what a step costs.
 */
export type BufferWriter = (target: GpuBuffer, data: Float32Array<ArrayBuffer>, count: number) => void;

export function createBufferWriter({ device }: GpuContext): BufferWriter {
  let there: GPUBuffer | null = null;
  let known = new Uint32Array(0);
  return ({ buffer }, data, count) => {
    const words = new Uint32Array(data.buffer, data.byteOffset, count);
    let isKnown = buffer === there && known.length === count;
    for (let k = 0; isKnown && k < count; k++) isKnown = known[k] === words[k];
    if (isKnown) return;
    there = buffer;
    known = words.slice();
    device.queue.writeBuffer(buffer, 0, words);
  };
}

/** Next quarter of a power of two, a multiple of the alignment. */
function roundUp(bytes: number): number {
  let step = ALIGNMENT;
  while (4 * step < bytes) step *= 2;
  return Math.ceil(bytes / step) * step;
}
