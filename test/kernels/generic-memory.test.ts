import { expect, test } from 'vitest';
import { instantiateKernels } from '../../src/kernels/kernels';
import { instantiateStrandKernels } from '../../src/kernels/strand-kernels';
import { instantiateSurfaceKernels } from '../../src/kernels/surface-kernels';
import * as L from '../../src/state/layout';

/** First and last address that instantiating writes: every static block, empty ones too, changes a mark. */
function staticRange(instantiate: (memory: WebAssembly.Memory) => unknown): [first: number, end: number] {
  const memory = new WebAssembly.Memory({ initial: 8 });
  const bytes = new Uint8Array(memory.buffer).fill(0xa5);
  instantiate(memory);
  return [bytes.findIndex((b) => b !== 0xa5), bytes.findLastIndex((b) => b !== 0xa5) + 1];
}

test('static data of the kernels of bodies, strands and surfaces lie above the header, below the arena, apart', () => {
  const [first, end] = staticRange(instantiateKernels);
  const [strandFirst, strandEnd] = staticRange(instantiateStrandKernels);
  expect(first).toBeGreaterThanOrEqual(L.HEADER_END);
  expect(end).toBeGreaterThan(first);
  expect(end).toBeLessThanOrEqual(L.STRAND_STATICS);
  expect(strandFirst).toBeGreaterThanOrEqual(L.STRAND_STATICS);
  expect(strandEnd).toBeGreaterThan(strandFirst);
  expect(strandEnd).toBeLessThanOrEqual(L.SURFACE_STATICS);
  const [surfaceFirst, surfaceEnd] = staticRange(instantiateSurfaceKernels);
  expect(surfaceFirst).toBeGreaterThanOrEqual(L.SURFACE_STATICS);
  expect(surfaceEnd).toBeGreaterThan(surfaceFirst);
  expect(surfaceEnd).toBeLessThanOrEqual(L.ARENA_BASE);
});
