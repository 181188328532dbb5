// `stiction bench rods --threads a,b`: the scenes of strands with so many threads, from the same states in turn, and
// where a step's time goes: in ranges that threads share, or on one thread.

import { cpus, loadavg } from 'node:os';
import { BUNDLE, median, TUFT } from './rods-speed';
import { type BenchWorld, createHairyBall, createTufts, keepState, takeState } from './rods-worlds';
import { short, table } from './solvers-tables';

export interface ThreadBenchSize {
  strands: number;
  vertices: number;
  /** Steps before the clock, of tufts and of the ball, and of a round. */
  lead: number;
  ballLead: number;
  steps: number;
  rounds: number;
}

/** A scene with so many threads; medians of a step [ms]. */
export interface ThreadRow {
  scene: string;
  threads: number;
  /** Those that worked; fewer where there are none to be had. */
  working: number;
  step: number;
  /** Within kernels' ranges, the waiting for workers included; 0 with one thread. */
  ranges: number;
  /** Jobs of a step. */
  jobs: number;
  /** The hash after the last round is that of the first column. */
  isSame: boolean;
}

export interface ThreadBenchResult {
  bench: 'rods-threads';
  date: string;
  node: string;
  machine: string;
  load: number[];
  rows: ThreadRow[];
}

const SCENES = ['hairy ball', 'bundle', 'tufts'] as const;

function createScene(scene: (typeof SCENES)[number], threads: number, size: ThreadBenchSize): BenchWorld {
  const { strands, vertices } = size;
  if (scene === 'hairy ball') return createHairyBall(strands, vertices, 'wasm', {}, threads);
  return createTufts(strands, { ...(scene === 'tufts' ? TUFT : BUNDLE), vertices }, true, 'wasm', {}, threads);
}

interface Lane {
  threads: number;
  world: BenchWorld;
  /** Time in ranges since it was last set to zero [ms]. */
  inRanges: number;
  steps: number[];
  ranges: number[];
  jobs: number[];
}

/** A world whose jobs are timed. */
async function createLane(scene: (typeof SCENES)[number], threads: number, size: ThreadBenchSize): Promise<Lane> {
  const world = createScene(scene, threads, size);
  world.physics.hash(); // makes the rows
  await world.physics.threadsReady;
  const lane: Lane = { threads, world, inRanges: 0, steps: [], ranges: [], jobs: [] };
  const { pool } = world.physics.internal.threads;
  if (pool) {
    const { fork } = pool;
    pool.fork = (...job) => {
      const start = performance.now();
      fork(...job);
      lane.inRanges += performance.now() - start;
    };
  }
  return lane;
}

function timeLane(lane: Lane, steps: number): void {
  const { physics } = lane.world;
  for (let i = 0; i < steps; i++) {
    const { pool } = physics.internal.threads;
    const jobs = pool?.jobs ?? 0;
    lane.inRanges = 0;
    lane.world.advance();
    lane.steps.push(physics.profile.stepMilliseconds());
    lane.ranges.push(lane.inRanges);
    lane.jobs.push((pool?.jobs ?? 0) - jobs);
  }
}

/** Times all scenes with each of `counts` threads. */
export async function benchThreads(
  counts: readonly number[],
  size: ThreadBenchSize,
  progress: (text: string) => void,
): Promise<ThreadBenchResult> {
  const load = loadavg().map((value) => Math.round(100 * value) / 100);
  const rows: ThreadRow[] = [];
  for (const scene of SCENES) {
    progress(scene);
    const lanes: Lane[] = [];
    for (const threads of counts) lanes.push(await createLane(scene, threads, size));
    const first = lanes[0].world;
    for (let i = 0; i < (scene === 'hairy ball' ? size.ballLead : size.lead); i++) first.advance();
    const state = keepState(first);
    for (let round = 0; round < size.rounds; round++) {
      for (const lane of lanes) {
        takeState(lane.world, state);
        timeLane(lane, size.steps);
      }
    }
    const hash = first.physics.hash();
    for (const { threads, world, ...lane } of lanes) {
      rows.push({
        scene,
        threads,
        working: world.physics.report.threads.count,
        step: median(lane.steps),
        ranges: median(lane.ranges),
        jobs: median(lane.jobs),
        isSame: world.physics.hash() === hash,
      });
      world.physics.dispose();
    }
  }
  progress('');
  const processors = cpus();
  const machine = `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores`;
  return { bench: 'rods-threads', date: new Date().toISOString(), node: process.version, machine, load, rows };
}

/** The table. */
export function showThreadBench({ date, node, machine, load, rows }: ThreadBenchResult): string {
  const first = (scene: string) => rows.find((row) => row.scene === scene)?.step ?? 0;
  const head = ['scene', 'threads', 'working', 'step ms', 'times faster', 'in ranges ms', 'jobs', 'same bits'];
  const when = date.slice(0, 16).replace('T', ' ');
  return `${[
    '# Strands on several threads',
    `bench rods --threads, ${when} UTC; Node ${node}; ${machine}; load ${load.join(' ')}.`,
    'Medians of steps from the same states in turn, of the wall clock: worth something only where each thread has a\n' +
      'core. In ranges: what threads share, the wait for the last one included.',
    table(
      head,
      rows.map((row) => [
        ...[row.scene, String(row.threads), String(row.working), short(row.step)],
        ...[short(first(row.scene) / row.step), short(row.ranges), String(row.jobs), row.isSame ? 'yes' : 'NO'],
      ]),
    ),
  ].join('\n\n')}\n`;
}
