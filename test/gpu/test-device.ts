// A device for tests in Node: Dawn (package `webgpu`) on SwiftShader, the software Vulkan that Chromium brings along.
//
// `gpuTest` is vitest's test, or, where no SwiftShader is installed, a skipped test with one line that says so; with
// CI=true the absence is a failure. The null backend validates WGSL and calls anywhere. With GPU_DEVICE=hardware the
// same tests run on the adapter that Dawn finds by itself.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { create } from 'webgpu';
import { createGpuContext, type GpuContext } from '../../src/gpu/device/device';
import { isLong } from './suite';

const ICD = 'vk_swiftshader_icd.json';
const FOLDERS = ['/usr/lib/chromium', '/usr/lib64/chromium', '/usr/lib/chromium-browser', '/opt/google/chrome'];

/** Path of SwiftShader's driver manifest, or null. */
export function findSwiftShader(): string | null {
  const known = FOLDERS.map((folder) => join(folder, ICD)).find((path) => existsSync(path));
  if (known) return known;
  try {
    const files = execFileSync('dpkg', ['-L', 'chromium'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return files.split('\n').find((file) => file.endsWith(ICD) && existsSync(file)) ?? null;
  } catch {
    return null;
  }
}

/** Dawn looks for the Vulkan loader by name: Chromium's own serves where the system has none. */
function preloadVulkan(folder: string): void {
  const loader = join(folder, 'libvulkan.so.1');
  if (!existsSync(loader)) return;
  const RTLD_NODELETE = 0x1000;
  try {
    process.dlopen({ exports: {} }, loader, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
  } catch {
    // It is no Node addon, and says so, but stays loaded: that is all we want.
  }
}

/** Whether the tests run on the machine's own device. */
export const isHardware = process.env.GPU_DEVICE === 'hardware';
const manifest = isHardware ? null : findSwiftShader();
if (manifest) {
  process.env.VK_DRIVER_FILES = manifest;
  process.env.XDG_RUNTIME_DIR ??= tmpdir();
  preloadVulkan(dirname(manifest));
}

/** A test that needs a device. */
export const gpuTest = isHardware || manifest || process.env.CI === 'true' ? test : test.skipIf(true);
/** One that takes it more than a few seconds of work: of `npm run test:gpu` only. */
export const longGpuTest = isLong ? gpuTest : test.skipIf(true);
if (!isHardware && !manifest)
  console.log(`GPU tests: no ${ICD} found; install chromium${process.env.CI === 'true' ? '' : ' (skipped)'}`);

const kept: object[] = [];

/**
 * An instance of Dawn, kept until the process ends with its adapters and devices: one that is collected while it has
 * still to answer takes the process with it (a segmentation fault or a fatal error of Node, seconds later, in whatever
 * test runs then).
 */
export function openInstance(options: string[] = []): GPU {
  const gpu = create(options);
  const requestAdapter = gpu.requestAdapter.bind(gpu);
  gpu.requestAdapter = async (...wishes) => {
    const adapter = await requestAdapter(...wishes);
    if (!adapter) return null;
    const requestDevice = adapter.requestDevice.bind(adapter);
    adapter.requestDevice = async (...features) => {
      const device = await requestDevice(...features);
      kept.push(device);
      return device;
    };
    kept.push(adapter);
    return adapter;
  };
  kept.push(gpu);
  return gpu;
}

const open = (options: string[]): Promise<GpuContext> => createGpuContext({ gpu: openInstance(options) });

/** A context on SwiftShader, or on what GPU_DEVICE names. */
export async function openTestContext(): Promise<GpuContext> {
  if (!isHardware && !manifest) throw new Error(`GPU tests: no ${ICD} found; install chromium`);
  return open([]);
}

/** A context on Dawn's null backend: checks everything, computes nothing. */
export function openNullContext(): Promise<GpuContext> {
  return open(['backend=null']);
}

/** Ends a context. */
export async function closeContext(context: GpuContext): Promise<void> {
  context.dispose();
  await context.lost;
}

let shared: GpuContext | null = null;

/**
 * Runs `work` with the software context that all files of the worker share (vite.config.ts), kernels compiled;
 * afterwards nothing may have been complained about. It ends with the process.
 */
export async function withDevice<T>(work: (context: GpuContext) => Promise<T>): Promise<T> {
  if (!shared || shared.isLost) shared = await openTestContext();
  const context = shared;
  const result = await work(context);
  await context.device.queue.onSubmittedWorkDone();
  // Taken out, so that they are told once.
  expect((context.errors as string[]).splice(0)).toEqual([]);
  return result;
}

/** Content of a buffer, waited for. */
export async function download(context: GpuContext, buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
  const staging = context.device.createBuffer({ size: bytes, usage: 0x9 });
  const encoder = context.device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, bytes);
  context.device.queue.submit([encoder.finish()]);
  await staging.mapAsync(1);
  const data = staging.getMappedRange().slice(0);
  staging.destroy();
  return data;
}
