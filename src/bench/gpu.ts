// `stiction bench gpu`: strands on WebGPU, from a thousand to 64 000 of them, and what
// Daviet 2023 lets us compare with.
//
// On an adapter that computes on the CPU no time of the device is kept: counts, memory, and the time of the
// CPU only, the last measured on a device that computes nothing, so that the two do not fight for the
// processor. Nothing here needs Node.

import { createGpuContext, type GpuContext } from '../gpu/device/device';
import { GPU_STAGES } from '../gpu/world/report';
import { checkConformance, type Finding } from './gpu-conformance';
import { type GpuCase, type GpuRow, measureBall } from './gpu-run';
import type { BenchTarget } from './run-facts';

/** How much is measured. */
export interface GpuBenchSize {
  readonly strands: readonly number[];
  /** Of each strand. 31 as in the papers. */
  readonly vertices: readonly number[];
  /** Strands of the cases without contacts. */
  readonly free: readonly number[];
  /** Budgets [ms] and strands they are tried with. */
  readonly budgets: readonly number[];
  readonly budgetStrands: number;
  /** Strands of the row that is judged by its time on the CPU. */
  readonly cpuStrands: number;
  /** Strands of the row whose time is taken apart. */
  readonly shareStrands: number;
  readonly lead: number;
  readonly steps: number;
  /** Steps of the row with the time on the CPU. */
  readonly cpuSteps: number;
}

export const FULL: GpuBenchSize = {
  strands: [1000, 2000, 4000, 8000, 10_000, 16_000, 32_000, 64_000],
  vertices: [16, 31],
  free: [1000, 16_000, 64_000],
  budgets: [4, 8, 16],
  budgetStrands: 8000,
  cpuStrands: 10_000,
  shareStrands: 16_000,
  // A second to fall into place, another that is measured, while the ball swings.
  lead: 60,
  steps: 120,
  cpuSteps: 240,
};

/** A minute or two. */
export const QUICK: GpuBenchSize = {
  ...FULL,
  strands: [1000, 8000, 16_000],
  vertices: [31],
  free: [16_000],
  budgets: [8],
  steps: 60,
  cpuSteps: 120,
};

/** What software can do in a few minutes. */
export const SOFTWARE: GpuBenchSize = {
  ...FULL,
  strands: [100, 200],
  vertices: [16],
  free: [200],
  budgets: [],
  budgetStrands: 0,
  lead: 20,
  steps: 10,
  cpuSteps: 120,
};

export interface GpuBenchResult {
  bench: 'gpu';
  date: string;
  /** Of the host: Node's version and machine, or the browser. */
  host: string;
  adapter: string;
  isSoftware: boolean;
  hasTimestamps: boolean;
  rows: GpuRow[];
  /** Rows that could not be measured, and why. */
  left: { name: string; reason: string }[];
  /** The step on the CPU with a device that computes nothing; null where there is none such. */
  cpu: GpuRow | null;
  /** Of a step: detections of contacts; all of the solve; of that the projection alone [0..1]. */
  shares: { strands: number; detection: number; solve: number; projection: number } | null;
  /**
   * Strands in contact at 60 steps a second, between two rows on straight lines of the
   * logarithms; 0: fewer than the fewest.
   */
  realTime: number | null;
  findings: Finding[];
  targets: BenchTarget[];
}

export interface GpuBenchOptions {
  /** Where the adapter is asked for. */
  readonly gpu: GPU;
  /** A device that computes nothing, for the time of the CPU. */
  readonly nullGpu?: GPU | null;
  readonly host: string;
  /** Default: by what the adapter is. */
  readonly size?: GpuBenchSize;
  /** Runs the checks and measures nothing. */
  readonly checksOnly?: boolean;
  readonly progress?: (text: string) => void;
}

/** Checks, then measures. Rejects with GpuUnavailable where there is no device. */
export async function benchGpu(options: GpuBenchOptions): Promise<GpuBenchResult> {
  const { gpu, nullGpu, host, progress = () => {} } = options;
  const context = await createGpuContext({ gpu });
  try {
    const size = options.size ?? (context.isSoftware ? SOFTWARE : FULL);
    // First: the speed of what computes something else is worth nothing.
    const findings = await checkConformance(context, progress);
    const { rows, left } = await measureRows(context, options.checksOnly ? [] : listCases(size, context), progress);
    const shares = context.isSoftware ? null : await measureShares(context, size, rows);
    const cpu = nullGpu && !options.checksOnly ? await measureCpu(nullGpu, size, progress) : null;
    progress('');
    const result = {
      bench: 'gpu' as const,
      date: new Date().toISOString(),
      host,
      adapter: context.adapterName,
      isSoftware: context.isSoftware,
      hasTimestamps: context.hasTimestamps,
      rows,
      left,
      cpu,
      shares,
      realTime: context.isSoftware ? null : realTimeOf(rows),
      findings,
    };
    return { ...result, targets: judge(result, size) };
  } finally {
    context.dispose();
    await context.lost;
  }
}

/** Measures the cases; one that the device cannot take is left out, and told. */
async function measureRows(
  context: GpuContext,
  cases: readonly GpuCase[],
  progress: (text: string) => void,
): Promise<Pick<GpuBenchResult, 'rows' | 'left'>> {
  const rows: GpuRow[] = [];
  const left: GpuBenchResult['left'] = [];
  for (const entry of cases) {
    progress(nameOf(entry));
    try {
      const row = await measureBall(context, entry);
      rows.push(context.isSoftware ? withoutTimes(row) : row);
    } catch (error) {
      left.push({ name: nameOf(entry), reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { rows, left };
}

function nameOf({ strands, vertices, contact, budget }: GpuCase): string {
  return `${strands} × ${vertices}${contact ? '' : ' without contacts'}${budget === null ? '' : `, ${budget} ms`}`;
}

function listCases(size: GpuBenchSize, { hasTimestamps }: GpuContext): GpuCase[] {
  const { lead, steps } = size;
  const cases: GpuCase[] = [];
  for (const vertices of size.vertices) {
    for (const strands of size.strands) cases.push({ strands, vertices, contact: true, budget: null, lead, steps });
    for (const strands of size.free) cases.push({ strands, vertices, contact: false, budget: null, lead, steps });
  }
  const vertices = size.vertices[size.vertices.length - 1];
  for (const budget of hasTimestamps ? size.budgets : [])
    cases.push({ strands: size.budgetStrands, vertices, contact: true, budget, lead, steps });
  return cases;
}

/**
 * The CPU's part alone, on a device that computes nothing. Nothing is let back from it: it would be noise. The solver
 * then goes on as it begins, with a dispatch for every turn of a walk over the contacts, as in a dense scene.
 */
async function measureCpu(gpu: GPU, size: GpuBenchSize, progress: (text: string) => void): Promise<GpuRow> {
  const context = await createGpuContext({ gpu });
  try {
    muteReadBacks(context.device);
    // The number of vertices does not matter to the CPU, but such a device has little memory.
    const entry = { strands: size.cpuStrands, vertices: size.vertices[0], contact: true, budget: null };
    const counts = { lead: 60, steps: size.cpuSteps, isMute: true };
    progress(`CPU, ${nameOf({ ...entry, ...counts })}`);
    const row = await measureBall(context, { ...entry, ...counts });
    return { ...withoutTimes(row), cpu: row.cpu, encode: row.encode };
  } finally {
    context.dispose();
    await context.lost;
  }
}

const MAP_READ = 1; // GPUBufferUsage.MAP_READ, not a global in every host

function muteReadBacks(device: GPUDevice): void {
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    if (descriptor.usage & MAP_READ) buffer.mapAsync = () => new Promise(() => {});
    return buffer;
  };
}

/** Times on software are nobody's speed. */
function withoutTimes(row: GpuRow): GpuRow {
  const none = { median: 0, p90: 0, p95: 0 };
  const stages = Object.fromEntries(GPU_STAGES.map((stage) => [stage, 0])) as GpuRow['stages'];
  return { ...row, frame: 0, device: none, stages, cpu: none, encode: 0, kept: null };
}

/** Rows of the ball with contacts and no budget, longest strands, by count. */
function growthOf(rows: readonly GpuRow[]): GpuRow[] {
  const most = Math.max(0, ...rows.map(({ vertices }) => vertices));
  return rows
    .filter(({ contact, budget, vertices }) => contact && budget === null && vertices === most)
    .sort((a, b) => a.strands - b.strands);
}

/**
 * Detection has a pass of its own. The projection has not: it is what a second helping of sweeps adds, the same row
 * again with twice as many an iteration.
 */
async function measureShares(
  context: GpuContext,
  size: GpuBenchSize,
  rows: readonly GpuRow[],
): Promise<GpuBenchResult['shares']> {
  const row = growthOf(rows).find(({ strands }) => strands === size.shareStrands);
  if (!row || row.device.median === 0 || row.iterations === 0) return null;
  const { strands, vertices, contact, budget, lead, steps, sweeps, iterations, stages } = row;
  const sweepsEach = Math.round((2 * sweeps) / iterations);
  const twice = await measureBall(context, { strands, vertices, contact, budget, lead, steps, sweepsEach });
  const all = GPU_STAGES.reduce((sum, stage) => sum + stages[stage], 0);
  // The two runs part: so many contacts in one, so many in the other.
  const perContact = twice.stages.solve / Math.max(1, twice.contacts) - stages.solve / Math.max(1, row.contacts);
  return {
    strands,
    detection: stages.find / all,
    solve: stages.solve / all,
    projection: Math.max(0, (perContact * row.contacts) / all),
  };
}

/** A frame of 60 a second [ms]. */
const FRAME = 1000 / 60;

/** Strands at which a frame takes FRAME: the count measured where the largest still fits, else between two rows. */
export function realTimeOf(rows: readonly GpuRow[]): number | null {
  const growth = growthOf(rows);
  if (growth.length === 0) return null;
  if (growth[0].frame > FRAME) return 0;
  const at = growth.findIndex(({ frame }) => frame > FRAME);
  if (at < 0) return growth[growth.length - 1].strands;
  const [low, high] = [growth[at - 1], growth[at]];
  const share = Math.log(FRAME / low.frame) / Math.log(high.frame / low.frame);
  return Math.floor(low.strands * (high.strands / low.strands) ** share);
}

function judge(result: Omit<GpuBenchResult, 'targets'>, size: GpuBenchSize): BenchTarget[] {
  const { rows, cpu, isSoftware, realTime } = result;
  const targets: BenchTarget[] = [];
  const add = (name: string, value: number, unit: string, target: string, met: boolean) => {
    targets.push({ name, value, unit, target, met });
  };
  const growth = isSoftware ? [] : growthOf(rows);
  const main = growth.find(({ strands }) => strands === 16_000);
  if (main)
    add(`frame, 16000 × ${main.vertices} in contact`, main.frame, 'ms', '<= 60, aim 16 (paper 180)', main.frame <= 60);
  if (realTime !== null && growth.length > 1) {
    const whole = realTime === growth[growth.length - 1].strands ? ' or more' : '';
    add(`strands in contact at 60 frames/s${whole}`, realTime, '', '>= 8000', realTime >= 8000);
  }
  for (const row of growth.filter(({ strands }) => strands === size.cpuStrands))
    add(`step on the CPU, ${row.strands} strands`, row.cpu.median, 'ms', '<= 0.5', row.cpu.median <= 0.5);
  if (cpu) {
    const name = `step on the CPU, ${cpu.strands} strands, device computing nothing`;
    add(name, cpu.cpu.median, 'ms', '<= 0.5', cpu.cpu.median <= 0.5);
  }
  for (const row of isSoftware ? [] : rows) {
    if (row.kept === null) continue;
    const name = `steps within 110 % of ${row.budget} ms, ${row.strands} strands`;
    add(name, 100 * row.kept, '%', '>= 95', row.kept >= 0.95);
  }
  return targets;
}
