// Every WGSL file compiles under default limits: on Dawn's null backend, so on any machine.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileKernels, declareKernels, type KernelSource } from '../../src/gpu/device/pipelines';
import { CONTACT_KERNELS } from '../../src/gpu/find/contact-kernels';
import { STRAND_KERNELS } from '../../src/gpu/rod/strand-kernels';
import { APART_KERNELS, SOLVER_KERNELS } from '../../src/gpu/solve/solver-kernels';
import { WORLD_KERNELS } from '../../src/gpu/world/world-kernels';
import { closeContext, openNullContext } from './test-device';

const folder = fileURLToPath(new URL('../../src/gpu/', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.wgsl'));
const all: Record<string, KernelSource> = {
  ...STRAND_KERNELS,
  ...CONTACT_KERNELS,
  ...SOLVER_KERNELS,
  ...WORLD_KERNELS,
  ...APART_KERNELS,
};
const kernels = Object.values(all);

/** What of a file is the same in a kernel: from behind its lists of buffers on. */
const bodyOf = (text: string) => text.split(/^@(?:reads|writes)\(.*$/m).at(-1)!;

test('every WGSL file is part of a kernel, and under 150 lines', () => {
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text.split('\n').length, file).toBeLessThanOrEqual(150);
    expect(
      kernels.some(({ source }) => source.includes(bodyOf(text))),
      `${file} belongs to no kernel`,
    ).toBe(true);
  }
});

test('every kernel compiles, with at most 8 storage buffers', async () => {
  const context = await openNullContext();
  expect(context.limits.maxStorageBuffersPerShaderStage).toBe(8);
  expect(context.limits.maxComputeWorkgroupStorageSize).toBe(16384);
  expect(context.limits.maxComputeInvocationsPerWorkgroup).toBe(256);
  const compiled = await compileKernels(context, all);
  for (const { kernel, pipelines } of Object.values(compiled)) {
    expect(kernel.bindings.filter(([, kind]) => kind !== 'uniform').length).toBeLessThanOrEqual(8);
    expect(Object.keys(pipelines)).toEqual(kernel.entries);
    expect(kernel.source).toContain(`@workgroup_size(${kernel.threads})`);
    expect(Array.from(kernel.bindings)).not.toContain(undefined);
  }
  expect(context.errors).toEqual([]);
  await closeContext(context);
});

test('bindings, entry points and threads of a kernel are read from its WGSL', () => {
  const { own } = declareKernels(
    {
      own: `
        @group(0) @binding(0) var<uniform> block: Block;
        // @group(0) @binding(3) var<uniform> gone: Block;
@reads(lists: array<array<u32, 3>>, edges)
@writes(atomic report, rows: array<vec4f>)
        @group(0) @binding(0) var<uniform> motion: Move;
        @compute @workgroup_size(64)
        fn first(@builtin(global_invocation_id) id: vec3u) {}
        @compute @workgroup_size(256) fn second() {}`,
    },
    { own: 2 },
  );
  expect(own.bindings).toEqual([
    ['motion', 'uniform'],
    ['lists', 'read'],
    ['edges', 'read'],
    ['report', 'write'],
    ['rows', 'write'],
  ]);
  expect(own.source).toContain('@binding(3) var<storage, read_write> report: array<atomic<u32>>; @group');
  expect([own.name, own.entries, own.threads, own.group]).toEqual(['own', ['first', 'second'], 256, 2]);
});

test('a kernel that does not compile says where', async () => {
  const context = await openNullContext();
  const broken = { ...STRAND_KERNELS.rodInertia, name: 'broken', source: 'fn main() {\n  let x = y;\n}' };
  await expect(compileKernels(context, { broken })).rejects.toThrow(/^broken\.wgsl:2:11 .*y/);
  await closeContext(context);
});
