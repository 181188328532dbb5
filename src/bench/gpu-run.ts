// One case of `stiction bench gpu`: a hairy ball on a device, frame after frame, at most two of them on their way.
//
// What is timed: the wall clock of all frames over their number (what a game would see without a screen to wait for),
// each pass by timestamps where the device has them, and each step's time on the CPU. Reports come one to three steps
// late; every number is the median over the reports that arrived. Nothing here needs Node: a page can run it.

import { enableGpuStrands } from '../../systems/gpu-strands';
import type { GpuContext } from '../gpu/device/device';
import { GPU_STAGES, type GpuStage, type GpuStrandsReport } from '../gpu/world/report';
import { type BallSpec, createBall } from './gpu-worlds';
import { median } from './rods-speed';

export interface GpuCase extends BallSpec {
  /** [ms]; null none. */
  readonly budget: number | null;
  /** Gauss–Seidel sweeps an iteration; default the backend's. */
  readonly sweepsEach?: number;
  /** Whether the device never answers: then there are times of the CPU only. */
  readonly isMute?: boolean;
  /** Steps before anything is measured, and measured steps. */
  readonly lead: number;
  readonly steps: number;
}

export interface GpuRow extends GpuCase {
  /** Wall clock of a frame, mean [ms]. */
  readonly frame: number;
  /** All passes of a step: median, nine of ten, nineteen of twenty are below [ms]; zeros without timestamps. */
  readonly device: Spread;
  /** Of each pass, median [ms]. */
  readonly stages: Readonly<Record<GpuStage, number>>;
  /** The whole step on the CPU, rigid stages included [ms]. */
  readonly cpu: Spread;
  /** Part of it that writes, records and submits, median [ms]. */
  readonly encode: number;
  readonly contacts: number;
  readonly iterations: number;
  readonly sweeps: number;
  /** δ∞ [mm]. */
  readonly delta: number;
  /** Share of contacts that a sweep solved, the others slept; and contacts without a colour. */
  readonly awake: number;
  readonly uncoloured: number;
  /** Iterations that the budget left out, median. */
  readonly undone: number;
  /** Share of the steps within 110 % of the budget; null without one, or without timestamps. */
  readonly kept: number | null;
  /** Rooms that were too small in measured steps. */
  readonly overflow: readonly string[];
  /** On the device, and of the world on the CPU [B]. */
  readonly bytes: number;
  readonly hostBytes: number;
  /** Strands whose numbers went bad. */
  readonly quarantined: number;
}

export interface Spread {
  readonly median: number;
  readonly p90: number;
  readonly p95: number;
}

/** Frames that may be on their way: what a game's renderer allows. */
const IN_FLIGHT = 2;

/** Runs one case. Throws where the strands do not get onto the device; its message says why. */
export async function measureBall(context: GpuContext, entry: GpuCase): Promise<GpuRow> {
  const world = createBall(entry);
  const { physics } = world;
  const handle = await enableGpuStrands(physics, {
    device: context.device,
    budget: entry.budget,
    readBack: 0,
    auto: 'all',
    ...(entry.sweepsEach !== undefined && { sweeps: entry.sweepsEach }),
  });
  try {
    if (handle.state !== 'webgpu') throw new Error(`the strands are not on the device: ${handle.reason}`);
    const samples = createSamples();
    const frames = createPacer(context);
    // What has left the device goes on on the CPU, for minutes.
    for (let step = 0; step < entry.lead && handle.state === 'webgpu'; step++) {
      world.advance();
      await frames.next();
    }
    await frames.drain();
    const start = performance.now();
    for (let step = 0; step < entry.steps && handle.state === 'webgpu'; step++) {
      const before = performance.now();
      world.advance();
      samples.cpu.push(performance.now() - before);
      await frames.next();
      samples.take(handle.report);
    }
    await frames.drain();
    const frame = (performance.now() - start) / entry.steps;
    if (!entry.isMute) await handle.settle();
    samples.take(handle.report);
    if (handle.state !== 'webgpu') throw new Error(`the strands left the device: ${handle.reason}`);
    return { ...entry, ...samples.summary(entry.budget), frame, ...memoryOf(handle.report, physics.report) };
  } finally {
    handle.dispose();
    physics.dispose();
  }
}

function memoryOf(
  { bytes }: GpuStrandsReport,
  { memoryBytes, strands }: { readonly memoryBytes: number; readonly strands: { readonly quarantined: number } },
): Pick<GpuRow, 'bytes' | 'hostBytes' | 'quarantined'> {
  return { bytes, hostBytes: memoryBytes, quarantined: strands.quarantined };
}

/** Lets at most IN_FLIGHT frames be on their way. */
function createPacer({ device }: GpuContext): { next(): Promise<void>; drain(): Promise<void> } {
  const waiting: Promise<undefined>[] = [];
  return {
    async next() {
      waiting.push(device.queue.onSubmittedWorkDone());
      if (waiting.length > IN_FLIGHT) await waiting.shift();
    },
    async drain() {
      await Promise.all(waiting.splice(0));
    },
  };
}

const FIGURES = ['contacts', 'iterations', 'sweeps', 'delta', 'solved', 'uncoloured'] as const;

/** Gathers reports as they arrive. */
function createSamples() {
  const cpu: number[] = [];
  const encode: number[] = [];
  const times: number[] = [];
  const stages = GPU_STAGES.map((): number[] => []);
  const figures = FIGURES.map((): number[] => []);
  const undone: number[] = [];
  const overflow = new Set<string>();
  let [step, timed] = [-1, -1];

  return {
    cpu,

    take(report: GpuStrandsReport): void {
      encode.push(report.cpuMs);
      if (report.timed !== timed && report.timed > 0) {
        if (timed >= 0) times.push(report.lastMs);
        timed = report.timed;
        GPU_STAGES.forEach((stage, k) => {
          stages[k].push(report.stages[stage]);
        });
      }
      if (report.step === step || report.step === 0) return;
      step = report.step;
      FIGURES.forEach((key, k) => {
        figures[k].push(report[key]);
      });
      undone.push(report.undone.iterations);
      for (const name of report.overflow) overflow.add(name);
    },

    summary(budget: number | null) {
      const of = (key: (typeof FIGURES)[number]) => median(figures[FIGURES.indexOf(key)]);
      const within = times.filter((time) => time <= 1.1 * (budget ?? 0)).length;
      return {
        device: spreadOf(times),
        stages: Object.fromEntries(GPU_STAGES.map((stage, k) => [stage, median(stages[k])])) as GpuRow['stages'],
        cpu: spreadOf(cpu),
        encode: median(encode),
        contacts: of('contacts'),
        iterations: of('iterations'),
        sweeps: of('sweeps'),
        delta: 1000 * of('delta'),
        awake: Math.min(1, of('solved') / Math.max(1, of('contacts') * of('sweeps'))),
        uncoloured: of('uncoloured'),
        undone: median(undone),
        kept: budget === null || times.length === 0 ? null : within / times.length,
        overflow: [...overflow],
      };
    },
  };
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { median: median(values), p90: at(0.9), p95: at(0.95) };
}
