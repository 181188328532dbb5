import { expect, test } from 'vitest';
import { instantiateKernels } from '../../src/kernels/kernels';
import * as L from '../../src/state/layout';

test('the static scratch of all kernels together ends below the arena', () => {
  // Instantiating writes every static block, empty ones too: a mark that vanishes lies inside one.
  const memory = new WebAssembly.Memory({ initial: 8 });
  const bytes = new Uint8Array(memory.buffer);
  bytes.fill(0xa5);
  instantiateKernels(memory);
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0xa5) end--;
  expect(end).toBeLessThanOrEqual(L.ARENA_BASE);
  // And above the header, where the tables' addresses are.
  expect(bytes.subarray(L.HEADER, L.HEADER_END).every((b) => b === 0xa5)).toBe(true);
});
