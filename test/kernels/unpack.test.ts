// Streams that lzma1 packs, as the build does, come back byte for byte; so does one that xz made.

import { compress } from 'lzma1';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random';
import { unpack } from '../../src/kernels/unpack';

/** By xz 5: `stick A slips, slip B sticks; ` 40 times, with A = i² mod 97, B = i mod 7; positions count (pb = 2). */
const STREAM =
  'XQAAAQDRBAAAAAAAAAA5nQlVqZl3exIAHukjWb9w9O49DNnMOWnEuuBf3XhPg81SxqHzlmp/qKl2ScA2T2Hvi8/3Ay1uisKqDJfd' +
  '/xJhAkdjXtLvl+FzuwfPT6EeMARDqAOwvwmPUUsE30VM4K0HTCdHcKtUHGQT1LDyLVR0JWWVDDxLUWNsucTUV5Zfk8/IF/MMdk7i' +
  'i06SderMdpQPJzbU/TZ27YVY8wH/+xFaPA==';

/** Words of a few kinds, some of them far apart, among noise. */
function mixedBytes(count: number): Uint8Array {
  const random = createRandom(7);
  const words = Array.from({ length: 60 }, (_, k) => Uint8Array.from({ length: 2 + k }, () => 256 * random()));
  const bytes: number[] = [];
  while (bytes.length < count) {
    if (random() < 0.2) bytes.push(Math.floor(256 * random()));
    else bytes.push(...words[Math.floor(60 * random() ** 2)]);
  }
  return Uint8Array.from(bytes.slice(0, count));
}

describe('packed bytes', () => {
  it.each<[string, Uint8Array]>([
    ['none', new Uint8Array(0)],
    ['one', Uint8Array.of(200)],
    ['zeros, longer than the longest match', new Uint8Array(5000)],
    ['noise', Uint8Array.from({ length: 3000 }, (_, k) => Math.imul(k * k + 11, 2654435761) >>> 24)],
    ['words near and far', mixedBytes(12_000)],
  ])('come back: %s', (_name, bytes) => {
    expect(Buffer.compare(unpack(compress(bytes, 9)), bytes)).toBe(0);
  });

  it('that xz packed are read', () => {
    const text = Array.from({ length: 40 }, (_, i) => `stick ${(i * i) % 97} slips, slip ${i % 7} sticks; `).join('');
    expect(Buffer.from(unpack(Buffer.from(STREAM, 'base64'))).toString()).toBe(text);
  });
});
