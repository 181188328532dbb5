// What the panel says of the device that advances the strands: read from the handle of
// enableGpuStrands, a few times a second.

import type { GpuStrandsHandle } from '../../src/index';

/** One update's facts. */
export interface GpuFacts {
  /** Where strands are advanced now. */
  readonly backend: 'webgpu' | 'wasm';
  /** Why not on WebGPU; one line, empty on WebGPU and where WebAssembly was chosen. */
  readonly reason: string;
  /** Whether the visitor may have them advanced by the other one. */
  readonly canSwitch: boolean;
  readonly adapterName: string;
  /** Computed on the processor: its times say nothing about a GPU. */
  readonly isSoftware: boolean;
  /** Time of each stage on the device [ms]; all 0 where the device cannot tell. */
  readonly stages: readonly (readonly [name: string, milliseconds: number])[];
  /** What the processor spends on a step of the strands [ms]. */
  readonly cpu: number;
  /** Time the device may take for a step [ms]; null: no limit. */
  readonly budget: number | null;
  readonly contacts: number;
  /** Iterations of a step, and those that were wanted. */
  readonly iterations: number;
  readonly wanted: number;
  /** δ∞ reached [m]. */
  readonly delta: number;
  /** Limits reached, and work that was left out; empty if none. */
  readonly undone: readonly string[];
  /** On the device [B]. */
  readonly bytes: number;
}

/** Facts of a handle as it is now. */
export function factsOf({
  state,
  buffers,
  reason,
  adapterName,
  isSoftware,
  budget,
  report,
}: GpuStrandsHandle): Omit<GpuFacts, 'canSwitch'> {
  const { undone, overflow, iterations } = report;
  // After the first steps none has gone there: single ropes stay on wasm.
  const isIdle = state === 'webgpu' && buffers === null && report.sent === 0;
  const left: string[] = overflow.map((name) => `${name} was too small`);
  if (undone.iterations > 0) left.push(`${undone.iterations} iterations`);
  if (undone.looks > 0) left.push(undone.looks === 1 ? '1 detection' : `${undone.looks} detections`);
  if (left.length === 0 && undone.tolerance) left.push('δ∞ above the tolerance');
  return {
    backend: isIdle ? 'wasm' : state,
    reason: isIdle ? 'ropes are exact there, both ways' : (reason ?? ''),
    adapterName,
    isSoftware,
    stages: Object.entries(report.stages),
    cpu: report.cpuMs,
    budget,
    contacts: report.contacts,
    iterations,
    wanted: iterations + undone.iterations,
    delta: report.delta,
    undone: left,
    bytes: report.bytes,
  };
}

/** Of all stages together [ms]. */
export function deviceTime({ stages }: GpuFacts): number {
  return stages.reduce((sum, [, time]) => sum + time, 0);
}

export interface Badge {
  text: string;
  detail: string;
  state: 'good' | 'software' | 'fallback' | 'choice';
}

/** Where strands are advanced, why or on what, and how good that is. */
export function badgeOf(facts: GpuFacts): Badge {
  const { reason } = facts;
  if (facts.backend === 'wasm')
    return { text: 'WebAssembly', detail: reason || 'click for WebGPU', state: reason ? 'fallback' : 'choice' };
  if (facts.isSoftware) return { text: 'WebGPU in software', detail: facts.adapterName, state: 'software' };
  return { text: 'WebGPU', detail: facts.adapterName, state: 'good' };
}
