// Rooms for contacts on the device grow to what one dispatch takes, and no further: dense grooms stay on the device.

import { expect, it } from 'vitest';
import type { BufferPool, GpuBuffer } from '../../src/gpu/device/buffers';
import { MOST_THREADS } from '../../src/gpu/device/pipelines';
import {
  CONTACT_BYTES,
  COUNTERS,
  createContactBuffers,
  ensureContacts,
  growContacts,
  OVERFLOW,
} from '../../src/gpu/tables/contact-buffers';
import { createSolverBuffers, ensureSolver } from '../../src/gpu/tables/solver-buffers';
import type { StrandBuffers } from '../../src/gpu/tables/strand-buffers';

/** A pool that only notes how large its buffers are. */
function createPool(): BufferPool {
  return {
    generation: 0,
    bytes: 0,
    create: (name, bytes) => ({ name, bytes, usage: 0, buffer: {} as GPUBuffer }),
    ensure(handle, bytes) {
      const slot = handle as { -readonly [K in keyof GpuBuffer]: GpuBuffer[K] };
      slot.bytes = Math.max(slot.bytes, bytes);
      return true;
    },
    release() {},
    dispose() {},
  };
}

/** A device with room for 1 GiB a buffer, which computes nothing. */
function createDevice(): GPUDevice {
  const encoder = { copyBufferToBuffer() {}, finish: () => ({}) };
  const limits = { maxStorageBufferBindingSize: 2 ** 30, maxBufferSize: 2 ** 30 };
  return { limits, queue: { submit() {} }, createCommandEncoder: () => encoder } as unknown as GPUDevice;
}

it('16 000 hairs that want 3.4 million contacts get them; beyond one dispatch some are left out, and flagged', () => {
  const pool = createPool();
  const contacts = createContactBuffers(createDevice(), pool);
  const [nodes, strands] = [496_000, 16_000];
  const solver = createSolverBuffers(pool);
  ensureContacts(contacts, nodes, strands);
  const counters = new Uint32Array(16);
  counters[COUNTERS.flags] = OVERFLOW.contacts;
  for (const wanted of [3_371_066, 20_000_000]) {
    counters[COUNTERS.contactsWanted] = wanted;
    expect(growContacts(contacts, counters, nodes, strands)).toEqual(['contacts']);
    expect(contacts.rooms.contacts).toBe(MOST_THREADS);
    expect(contacts.lists[0].bytes).toBe(CONTACT_BYTES * MOST_THREADS);
    ensureSolver(solver, { nodeCount: nodes } as StrandBuffers, contacts);
    expect(solver.all.forces.bytes).toBeGreaterThanOrEqual(32 * MOST_THREADS);
  }
  expect(() => ensureSolver(solver, { nodeCount: MOST_THREADS + 1 } as StrandBuffers, contacts)).toThrow(
    `at most ${MOST_THREADS} nodes, got ${MOST_THREADS + 1}: use fewer or shorter strands`,
  );
});
