// Compute pipelines: a kernel is a WGSL source, which says itself what its entry points are and what it binds
// (buffer-types.ts); pipelines are made asynchronously.
//
// One group of every kernel, 0 in the WGSL: its bindings in order, named as there. A name can be bound to
// different buffers from dispatch to dispatch. Entry points of a kernel share one layout, as do kernels with the
// same list of bindings: a bind group of one is good for all. Kernels that take turns many times
// have groups of different numbers: both stay bound, where the implementation knows pipelines without the lower
// ones (`null` as a layout, WebGPU since 2025).

import * as elastic from '../../core/elastic-constants';
import * as L from '../../state/layout';
import * as shapeKinds from '../../state/shape-kinds';
import * as own from '../constants';
import { declareBuffers } from './buffer-types';
import type { GpuContext } from './device';

/** How a binding is used: 'uniform', or storage to read or to read and write. */
export type BindingKind = 'uniform' | 'read' | 'write';

export interface KernelSource {
  readonly name: string;
  readonly source: string;
  readonly entries: readonly string[];
  /** Name and kind of @binding(0), (1), … of group 0; at most 8 of them storage. */
  readonly bindings: readonly (readonly [name: string, kind: BindingKind])[];
  /** Threads of a workgroup: the largest @workgroup_size. */
  readonly threads: number;
  /** Number that its group gets where that is possible, 1 to 3. Default 0. */
  readonly group?: number;
}

export interface Kernel {
  readonly kernel: KernelSource;
  readonly layout: GPUBindGroupLayout;
  /** Number of its bind group. */
  readonly group: number;
  readonly pipelines: Readonly<Record<string, GPUComputePipeline>>;
}

/** By name; whole buffers of a pool are bindings as they are. Names that a kernel does not know do no harm. */
export type Bindings = Readonly<Record<string, GPUBufferBinding>>;

const COMPUTE_STAGE = 4; // GPUShaderStage.COMPUTE, not a global in every host
/** Most workgroups a dimension of a dispatch can have: the default limit. */
const WIDEST = 65535;
/** Threads of one dispatch of workgroups of 64. */
export const MOST_THREADS = 64 * WIDEST;

const BINDING = /@group\(0\) @binding\((\d+)\) var<(uniform|storage, read(?:_write)?)> (\w+):/g;
const ENTRY = /@compute @workgroup_size\((\d+)\)\s+fn (\w+)/g;
const KINDS: Readonly<Record<string, BindingKind>> = {
  uniform: 'uniform',
  'storage, read': 'read',
  'storage, read_write': 'write',
};

/**
 * Kernels by name, of their WGSL: parts that several share come first, and a binding declared again later is the one
 * that counts. `groups`: numbers of bind groups where not 0.
 */
export function declareKernels<N extends string>(
  sources: Readonly<Record<N, string>>,
  groups: Partial<Record<NoInfer<N>, number>> = {},
): Readonly<Record<N, KernelSource>> {
  const out = {} as Record<N, KernelSource>;
  for (const key of Object.keys(sources) as N[]) {
    const source = declareBuffers(sources[key]);
    const code = source.replace(/\/\/.*/g, '');
    const bindings: [string, BindingKind][] = [];
    for (const [, number, kind, name] of code.matchAll(BINDING)) bindings[Number(number)] = [name, KINDS[kind]];
    const entries = [...code.matchAll(ENTRY)];
    out[key] = {
      name: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      source,
      entries: entries.map(([, , name]) => name),
      bindings,
      threads: Math.max(...entries.map(([, threads]) => Number(threads))),
      group: groups[key],
    };
  }
  return out;
}

/** Compiles kernels; rejects with the compiler's messages, file and line. */
export async function compileKernels<N extends string>(
  context: GpuContext,
  kernels: Readonly<Record<N, KernelSource>>,
): Promise<Record<N, Kernel>> {
  const out = {} as Record<N, Kernel>;
  const names = Object.keys(kernels) as N[];
  const done = await Promise.all(names.map((name) => compileKernel(context, kernels[name])));
  names.forEach((name, k) => {
    out[name] = done[k];
  });
  return out;
}

/** Kernels are compiled once a device, however many worlds use it. */
const compiled = new WeakMap<GPUDevice, Map<KernelSource, Promise<Kernel>>>();

function compileKernel({ device }: GpuContext, kernel: KernelSource): Promise<Kernel> {
  let known = compiled.get(device);
  if (!known) {
    known = new Map();
    compiled.set(device, known);
  }
  let promise = known.get(kernel);
  if (!promise) {
    promise = compileAfresh(device, kernel);
    known.set(kernel, promise);
  }
  return promise;
}

/** Whether a pipeline's lower groups can be left out. */
const sparse = new WeakMap<GPUDevice, Promise<boolean>>();

function canSkipGroups(device: GPUDevice): Promise<boolean> {
  let known = sparse.get(device);
  if (!known) {
    known = trySkipping(device);
    sparse.set(device, known);
  }
  return known;
}

async function trySkipping(device: GPUDevice): Promise<boolean> {
  device.pushErrorScope('validation');
  let isRefused = false;
  try {
    device.createPipelineLayout({ bindGroupLayouts: [null, device.createBindGroupLayout({ entries: [] })] });
  } catch {
    isRefused = true;
  }
  const error = await device.popErrorScope();
  return !isRefused && error === null;
}

/** What stands in front of a source that names it: numbers as they are, bits and places as u32. */
const LINES = new Map(Object.entries(elastic).map(([name, value]) => [name, `const ${name} = ${value};\n`]));
const { COLLIDER_RULE_MASK, ROD_NEVER_SLEEPS, ROD_SELF_CONTACT } = L;
const { STRAND_CLAMP_END, STRAND_CLAMP_START, STRAND_QUARANTINED } = L;
const { RULE_AVERAGE, RULE_MAXIMUM, RULE_MINIMUM, RULE_MULTIPLY } = L;
const ofTables = [
  { COLLIDER_RULE_MASK, ROD_NEVER_SLEEPS, ROD_SELF_CONTACT },
  { STRAND_CLAMP_END, STRAND_CLAMP_START, STRAND_QUARANTINED },
  { RULE_AVERAGE, RULE_MAXIMUM, RULE_MINIMUM, RULE_MULTIPLY },
  shapeKinds,
];
for (const named of [own, ...ofTables])
  for (const [name, value] of Object.entries(named)) if (value >= 0) LINES.set(name, `const ${name} = ${value}u;\n`);

/** A source with the shared constants that it names in front, so that no line of it counts them. */
function withConstants(source: string): string {
  const named = [...LINES].filter(([name]) => new RegExp(`\\b${name}\\b`).test(source));
  return named.map(([, line]) => line).join('') + source;
}

async function compileAfresh(device: GPUDevice, kernel: KernelSource): Promise<Kernel> {
  const group = kernel.group && (await canSkipGroups(device)) ? kernel.group : 0;
  const code = withConstants(kernel.source).replaceAll('@group(0)', `@group(${group})`);
  const module = device.createShaderModule({ label: kernel.name, code });
  const { messages } = await module.getCompilationInfo();
  const faults = messages.filter(({ type }) => type === 'error');
  if (faults.length > 0) {
    const lines = faults.map(({ lineNum, linePos, message }) => `${kernel.name}.wgsl:${lineNum}:${linePos} ${message}`);
    throw new Error(lines.join('\n'));
  }
  const layout = layoutOf(device, kernel);
  const pipelines: Record<string, GPUComputePipeline> = {};
  await Promise.all(
    kernel.entries.map(async (entryPoint) => {
      pipelines[entryPoint] = await device.createComputePipelineAsync({
        label: `${kernel.name} ${entryPoint}`,
        layout: device.createPipelineLayout({ bindGroupLayouts: [...Array(group).fill(null), layout] }),
        compute: { module, entryPoint },
      });
    }),
  );
  return { kernel, layout, group, pipelines };
}

/** Layouts by list of bindings, once a device. */
const layouts = new WeakMap<GPUDevice, Map<string, GPUBindGroupLayout>>();

function layoutOf(device: GPUDevice, { name, bindings }: KernelSource): GPUBindGroupLayout {
  let known = layouts.get(device);
  if (!known) {
    known = new Map();
    layouts.set(device, known);
  }
  const list = bindings.join();
  let layout = known.get(list);
  if (!layout) {
    layout = device.createBindGroupLayout({
      label: name,
      entries: bindings.map(([, kind], binding) => ({
        binding,
        visibility: COMPUTE_STAGE,
        buffer: { type: kind === 'uniform' ? 'uniform' : kind === 'read' ? 'read-only-storage' : 'storage' },
      })),
    });
    known.set(list, layout);
  }
  return layout;
}

/** Bind group of a kernel: every binding by name. */
export function bind({ device }: GpuContext, { kernel, layout }: Kernel, bindings: Bindings): GPUBindGroup {
  return device.createBindGroup({
    label: kernel.name,
    layout,
    entries: kernel.bindings.map(([name], binding) => {
      const resource = bindings[name];
      if (!resource) throw new Error(`${kernel.name}: nothing is bound to ${name}`);
      return { binding, resource };
    }),
  });
}

/** What recording kernels needs of a compute pass. */
export interface ComputePass {
  setPipeline(pipeline: GPUComputePipeline): void;
  setBindGroup(index: number, group: GPUBindGroup): void;
  dispatchWorkgroups(groups: number): void;
}

/**
 * A pass without calls that change nothing: calls into WebGPU are what a step costs the CPU. A bind group stays where
 * the next pipeline's bindings are of the same kinds.
 */
export function economical(pass: ComputePass): ComputePass {
  let pipeline: GPUComputePipeline | null = null;
  const groups: (GPUBindGroup | undefined)[] = [];
  return {
    setPipeline(next) {
      if (next !== pipeline) pass.setPipeline(next);
      pipeline = next;
    },
    setBindGroup(index, next) {
      if (next !== groups[index]) pass.setBindGroup(index, next);
      groups[index] = next;
    },
    dispatchWorkgroups: (groups) => pass.dispatchWorkgroups(groups),
  };
}

/**
 * Bind groups that are made when first asked for and kept until `forget`: by layout of a
 * kernel and a small whole number.
 */
export interface BindGroups {
  get(kernel: Kernel, index: number, bindings: () => Bindings): GPUBindGroup;
  /** Forgets all if `version` is another than at the last call. */
  forget(version: number): void;
}

export function createBindGroups(context: GpuContext): BindGroups {
  const known = new Map<GPUBindGroupLayout, GPUBindGroup[]>();
  let at = -1;
  return {
    get(kernel, index, bindings) {
      let groups = known.get(kernel.layout);
      if (!groups) {
        groups = [];
        known.set(kernel.layout, groups);
      }
      groups[index] ??= bind(context, kernel, bindings());
      return groups[index];
    },
    forget(version) {
      if (version !== at) known.clear();
      at = version;
    },
  };
}

/** Runs so many workgroups of one entry point. */
export function dispatchGroups(
  pass: ComputePass,
  { pipelines, group: index }: Kernel,
  entry: string,
  group: GPUBindGroup,
  groups: number,
): void {
  pass.setPipeline(pipelines[entry]);
  pass.setBindGroup(index, group);
  pass.dispatchWorkgroups(groups);
}

/** Runs `threads` threads of one entry point; the kernel itself turns away the surplus of the last group. */
export function dispatch(pass: ComputePass, kernel: Kernel, entry: string, group: GPUBindGroup, threads: number): void {
  const groups = Math.ceil(threads / kernel.kernel.threads);
  if (groups === 0) return;
  if (groups > WIDEST) throw new Error(`${kernel.kernel.name}: ${threads} threads are more than one dispatch takes`);
  dispatchGroups(pass, kernel, entry, group, groups);
}
