// Results from the device without waiting for it: a ring of staging buffers.
//
// `copy` records copies into a free staging buffer, or does nothing when all are on their way: a frame is then skipped,
// never delayed. After the encoder is submitted, `flush` asks for them; the callback comes one to three frames later,
// with the tag that `copy` was given. The bytes it gets are good during the call only.
// Four buffers: one being filled, up to two frames queued on the device, one being read.

import { align, USAGE } from './buffers';
import type { GpuContext } from './device';

export interface ReadBackPart {
  readonly buffer: GPUBuffer;
  /** [B], a multiple of 4 */
  readonly offset: number;
  /** [B], a multiple of 4 */
  readonly size: number;
}

/** `bytes`: the parts one after the other, each at a multiple of 256 [B]. */
export type ReadBackCallback = (bytes: ArrayBuffer, tag: number) => void;

export interface ReadBack {
  /** Copies that found no free buffer. */
  readonly skipped: number;
  /** Copies on their way. */
  readonly pending: number;
  /** Records copies of all `parts`; false if no buffer is free. */
  copy(encoder: GPUCommandEncoder, parts: readonly ReadBackPart[], tag: number): boolean;
  /** To be called after the submission of every encoder given to `copy`. */
  flush(): void;
  /** Resolves when nothing is pending. For tests and orderly ends, never inside a frame. */
  settle(): Promise<void>;
  dispose(): void;
}

interface Staging {
  buffer: GPUBuffer | null;
  bytes: number;
  size: number;
  tag: number;
  state: 'free' | 'recorded' | 'in-flight';
}

/** Makes a ring of `slots` staging buffers that calls `onData` in the order of the copies. */
export function createReadBack(context: GpuContext, name: string, onData: ReadBackCallback, slots = 4): ReadBack {
  const { device } = context;
  const createSlot = (): Staging => ({ buffer: null, bytes: 0, size: 0, tag: 0, state: 'free' });
  const ring = Array.from({ length: slots }, createSlot);
  const waiting = new Set<Promise<void>>();
  let isDisposed = false;
  let skipped = 0;

  const receive = async (slot: Staging): Promise<void> => {
    const { buffer } = slot;
    if (!buffer) return;
    try {
      await buffer.mapAsync(1, 0, slot.size);
      if (!isDisposed) onData(buffer.getMappedRange(0, slot.size), slot.tag);
      buffer.unmap();
      slot.state = 'free';
    } catch (error) {
      // The device is gone, or the ring: the slot stays taken and its data is missing, which both were told elsewhere.
      if (!context.isLost && !isDisposed) slot.state = 'free';
      if (!context.isLost && !isDisposed && !(error instanceof Error && error.name === 'AbortError')) throw error;
    }
  };

  return {
    get skipped() {
      return skipped;
    },
    get pending() {
      return waiting.size;
    },
    copy(encoder, parts, tag) {
      const slot = ring.find(({ state }) => state === 'free');
      if (!slot || isDisposed) {
        skipped++;
        return false;
      }
      let size = 0;
      for (const part of parts) size = align(size) + part.size;
      if (slot.bytes < size || !slot.buffer) {
        slot.buffer?.destroy();
        slot.bytes = align(size);
        slot.buffer = device.createBuffer({
          label: `${name} staging`,
          size: slot.bytes,
          usage: USAGE.mapRead | USAGE.copyTarget,
        });
      }
      let at = 0;
      for (const part of parts) {
        at = align(at);
        encoder.copyBufferToBuffer(part.buffer, part.offset, slot.buffer, at, part.size);
        at += part.size;
      }
      slot.size = size;
      slot.tag = tag;
      slot.state = 'recorded';
      return true;
    },
    flush() {
      for (const slot of ring) {
        if (slot.state !== 'recorded') continue;
        slot.state = 'in-flight';
        const arrival: Promise<void> = receive(slot).finally(() => waiting.delete(arrival));
        waiting.add(arrival);
      }
    },
    async settle() {
      while (waiting.size > 0) await Promise.all(waiting);
    },
    dispose() {
      isDisposed = true;
      for (const slot of ring) slot.buffer?.destroy();
    },
  };
}
