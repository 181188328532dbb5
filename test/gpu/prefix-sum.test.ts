// Prefix sums on the device: more numbers than one workgroup sums up the parts of at once, limits, counters.

import { expect } from 'vitest';
import { bind, compileKernels, dispatchGroups } from '../../src/gpu/device/pipelines';
import { CONTACT_KERNELS } from '../../src/gpu/find/contact-kernels';
import { createRandom } from '../kernels/strand-scene';
import { isLong } from './suite';
import { download, gpuTest, withDevice } from './test-device';

const PART = 2048;

gpuTest('sums of many numbers are exact; each and the whole are limited, the excess is flagged', async () => {
  const count = isLong ? 700_001 : 40_001;
  const first = 3;
  const random = createRandom(1);
  const values = Uint32Array.from({ length: first + count + 1 }, () => Math.floor(9 * random()));
  await withDevice(async (context) => {
    const { device } = context;
    const { sum } = await compileKernels(context, { sum: CONTACT_KERNELS.prefixSum });
    const make = (bytes: number, usage: number) => ({
      buffer: device.createBuffer({ size: bytes, usage: usage | 0xc }),
    });
    const run = async (most: number, room: number) => {
      const own = {
        sum: make(32, 0x40),
        values: make(values.byteLength, 0x80),
        parts: make(4 * Math.ceil(count / PART), 0x80),
        counters: make(64, 0x80),
      };
      device.queue.writeBuffer(own.values.buffer, 0, values);
      device.queue.writeBuffer(own.sum.buffer, 0, Uint32Array.of(first, count, most, room, 0, 1, 4, 3));
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      const group = bind(context, sum, own);
      for (const more of [0, 1]) dispatchGroups(pass, sum, 'main', group, Math.ceil(count / PART) + more);
      pass.end();
      device.queue.submit([encoder.finish()]);
      const found = new Uint32Array(await download(context, own.values.buffer, values.byteLength));
      const counters = new Uint32Array(await download(context, own.counters.buffer, 16));
      for (const { buffer } of Object.values(own)) buffer.destroy();
      return { found, counters };
    };
    for (const [most, room] of [
      [0xffffffff, 0xffffffff],
      [5, 1_000_000],
    ]) {
      const { found, counters } = await run(most, room);
      const known = values.slice();
      let total = 0;
      for (let i = first; i <= first + count; i++) {
        known[i] = Math.min(total, room);
        if (i < first + count) total += Math.min(values[i], most);
      }
      expect(Buffer.compare(Buffer.from(found.buffer), Buffer.from(known.buffer))).toBe(0);
      expect([...counters]).toEqual([Math.min(total, room), total, 0, total > room ? 4 : 0]);
    }
  });
});
