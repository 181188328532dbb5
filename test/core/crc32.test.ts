import { expect, test } from 'vitest';
import { crc32 } from '../../src/core/crc32';

test('the published check value, and nothing', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe('cbf43926');
  expect(crc32(new Uint8Array(0))).toBe('00000000');
});
