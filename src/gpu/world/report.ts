// What the strands on the device report: of the last step whose numbers have arrived, one to three steps old.
//
// One object a world, rewritten in place. Times are medians over 16 steps (timestamps.ts), of which one in four
// is timed where there is no budget.

import type { StepPlan } from '../../solvers/elastic/device-budget';
import type { GpuTimestamps } from '../device/timestamps';
import type { SolverReport } from '../solve/solver-report';

/** The stages of a step, in their order; where it is timed each is a pass. */
export const GPU_STAGES = ['predict', 'find', 'solve', 'integrate'] as const;

export type GpuStage = (typeof GPU_STAGES)[number];

export interface GpuStrandsReport {
  /** Steps sent to the device. */
  sent: number;
  /** Frames whose work the device has not done yet, as the last frame began. */
  inFlight: number;
  /** Frames in which physics.advance took no step because too many were (GpuStrandsOptions.framesInFlight). */
  held: number;
  /** The step that the following numbers are of; 0 none yet. */
  step: number;
  strands: number;
  /** How many of them sleep: all or none. */
  asleep: number;
  nodes: number;
  /** Contacts of strands with strands and bodies, after the last look of the step. */
  contacts: number;
  /** ADMM iterations of the step, all looks together; of the last linearisation. */
  iterations: number;
  /** Gauss–Seidel sweeps of those. */
  sweeps: number;
  /** Pushes at its end that kept edges from going through each other (elastic.keepApart). */
  apart: number;
  /** Detections of contacts. */
  looks: number;
  /** δ∞ reached (Daviet 2020, Algorithm 2) [m]. */
  delta: number;
  /** Contacts solved, over all sweeps: those that sleep are left out. */
  solved: number;
  /** Contacts that found no colour at their crowded nodes and were solved side by side. */
  uncoloured: number;
  /** What the budget left undone. */
  undone: {
    /** Iterations that were wanted but not done. */
    iterations: number;
    /** Looks for contacts likewise. */
    looks: number;
    /** Whether δ∞ is above `elastic.tolerance`. */
    tolerance: boolean;
  };
  /** Settings whose room was too small in `step`; each has been raised since. Empty if none. */
  overflow: string[];
  /** Time of each pass on the device [ms]; 0 where it has no timestamps. */
  readonly stages: Record<GpuStage, number>;
  /** All passes of a step [ms]. */
  gpuMs: number;
  /** Steps whose times have arrived, and the time of the last of them, not a median [ms]: for who keeps a history. */
  timed: number;
  lastMs: number;
  /** Time that the step took of the CPU, to write its inputs, record and submit it [ms]. */
  cpuMs: number;
  /** Strands that were found quarantined in what was read back, so far. */
  quarantined: number;
  /** State read-backs left out because all staging buffers were on their way. */
  skippedReadBacks: number;
  /** Steps whose impulses on bodies came later than they are waited for: such a run may not repeat bit for bit. */
  lateImpulses: number;
  /** Room of all buffers on the device [B]. */
  bytes: number;
}

const NUMBERS = [
  ...(['sent', 'inFlight', 'held', 'step', 'strands', 'asleep', 'nodes', 'contacts', 'iterations', 'sweeps'] as const),
  ...(['apart', 'looks', 'delta', 'solved', 'uncoloured', 'gpuMs', 'timed', 'lastMs', 'cpuMs'] as const),
  ...(['quarantined', 'skippedReadBacks', 'lateImpulses', 'bytes'] as const),
];

const zeros = <N extends string>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<N, number>;

export function createGpuReport(): GpuStrandsReport {
  const undone = { iterations: 0, looks: 0, tolerance: false };
  return { ...zeros(NUMBERS), undone, overflow: [], stages: zeros(GPU_STAGES) };
}

/** Names of the passes of a step of so many looks and linearisations. */
export function gpuPasses(looks: number, newtonIterations = 1): string[] {
  const names = ['predict'];
  for (let look = 0; look < looks; look++) names.push(`find ${look}`, `solve ${look}`);
  for (let k = 1; k < newtonIterations; k++) names.push(`solve again ${k}`);
  return [...names, 'find apart', 'integrate'];
}

/** Time of a stage in the times of all passes. */
export function sumOfStage(stage: GpuStage, passes: readonly string[], times: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < passes.length; k++) if (passes[k].startsWith(stage)) sum += times[k];
  return sum;
}

/**
 * Takes over the times of the passes.
 * @internal
 */
export function reportTimes(report: GpuStrandsReport, timestamps: GpuTimestamps): void {
  if (report.timed === timestamps.count) return;
  const { groups } = timestamps;
  for (const stage of GPU_STAGES) report.stages[stage] = 0;
  for (let k = 0; k < groups.length; k++) {
    const stage = GPU_STAGES.find((name) => groups[k].startsWith(name));
    if (stage) report.stages[stage] += timestamps.milliseconds(groups[k]);
  }
  report.gpuMs = timestamps.milliseconds();
  report.timed = timestamps.count;
  report.lastMs = timestamps.latest?.milliseconds ?? 0;
}

/**
 * Takes over what the solver says of step `step`, and what of `wanted` it did not do.
 * @internal
 */
export function reportSolve(
  report: GpuStrandsReport,
  step: number,
  solved: SolverReport,
  wanted: StepPlan,
  tolerance: number,
): void {
  const { contacts, iterations, sweeps, looks, uncoloured, delta } = solved;
  Object.assign(report, { step, contacts, iterations, sweeps, looks, uncoloured, delta });
  report.solved = solved.solved;
  const { undone } = report;
  const isBusy = contacts > 0;
  undone.iterations = isBusy ? Math.max(0, wanted.looks * wanted.iterations - iterations) : 0;
  undone.looks = isBusy ? Math.max(0, wanted.looks - looks) : 0;
  undone.tolerance = isBusy && delta > tolerance;
}
