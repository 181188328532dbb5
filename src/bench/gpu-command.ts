// `stiction bench gpu` on the command line: Dawn's adapter, flags, tables.

import { cpus } from 'node:os';
import type { Arguments } from '../cli/arguments';
import { openDawn, openNullDawn } from '../cli/dawn';
import { CallError } from '../cli/usage';
import { benchGpu, FULL, type GpuBenchResult, type GpuBenchSize, QUICK } from './gpu';

/** Flags that only this benchmark knows. */
export const GPU_FLAGS = {
  strands: 'value',
  vertices: 'value',
  budgets: 'value',
  adapter: 'value',
  conformance: 'switch',
} as const;

/** Runs it. Throws CallError for wrong flags and where the package `webgpu` is missing. */
export async function runGpuBench(parsed: Arguments, progress: (text: string) => void): Promise<GpuBenchResult> {
  const chosen = readSize(parsed);
  const processors = cpus();
  const machine = `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores`;
  // Dawn's instances must outlive their devices, but no longer: the process would not end.
  const instances = [await openDawn(parsed.value('adapter')), await openNullDawn()];
  try {
    return await benchGpu({
      gpu: instances[0],
      nullGpu: instances[1],
      host: `Node ${process.version}; ${machine}, ${process.platform} ${process.arch}`,
      ...(chosen && { size: chosen }),
      checksOnly: parsed.has('conformance'),
      progress,
    });
  } finally {
    instances.length = 0;
  }
}

/** What the flags ask for; undefined leaves it to the adapter. */
function readSize(parsed: Arguments): GpuBenchSize | undefined {
  const strands = readCounts(parsed, 'strands', 1);
  const vertices = readCounts(parsed, 'vertices', 3);
  const budgets = readCounts(parsed, 'budgets', 1);
  const base = parsed.has('quick') ? QUICK : FULL;
  if (!strands && !vertices && !budgets) return parsed.has('quick') ? QUICK : undefined;
  return {
    ...base,
    ...(strands && { strands, free: strands, budgetStrands: strands[strands.length - 1] }),
    ...(vertices && { vertices }),
    ...(budgets && { budgets }),
  };
}

/** A list of whole numbers, in ascending order. */
function readCounts(parsed: Arguments, flag: string, least: number): readonly number[] | undefined {
  const text = parsed.value(flag);
  if (text === undefined) return undefined;
  const list = text.split(',').map(Number);
  const wrong = list.findIndex((count) => !Number.isInteger(count) || count < least);
  if (wrong < 0) return [...new Set(list)].sort((a, b) => a - b);
  throw new CallError(`--${flag}: must be whole numbers >= ${least}, got ${JSON.stringify(text.split(',')[wrong])}`);
}
