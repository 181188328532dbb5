// `stiction bench rods|rigid|shells --threads a,b`: scenes with so many threads, from the same states in turn, and
// where a step's time goes: in ranges that threads share, or on one thread.
//
// How much of a step is shared is measured apart, with all ranges on the caller's thread: the wall clock of several
// threads says something only where each has a core, that share says on any machine what they can gain at best.

import { cpus, loadavg } from 'node:os';
import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import type { Physics } from '../../systems/physics';
import { addRigidBody } from '../../systems/rigid-body';
import { BUNDLE, median, TUFT } from './rods-speed';
import { createHairyBall, createTufts } from './rods-worlds';
import { createCape, createDrape } from './shells-worlds';
import { createSnapshotWorld } from './snapshots';
import { short, table } from './solvers-tables';

/** A world that moves itself, as benchmarks have them. */
interface ThreadWorld {
  readonly physics: Physics;
  advance(): void;
}

/** A scene to be stepped with several numbers of threads. */
interface ThreadScene {
  readonly name: string;
  /** Steps before the clock, and of a round. */
  readonly lead: number;
  readonly steps: number;
  create(threads: number): ThreadWorld;
}

/** What can be measured with threads: a benchmark's name. */
export type ThreadBench = 'rods' | 'rigid' | 'shells';

export interface ThreadBenchSize {
  /** Of the strands; bodies of the pile; vertices a side of the sheets. */
  strands: number;
  vertices: number;
  bodies: number;
  columns: number;
  /** Steps before the clock, of the ball, and of what falls or is dashed about; of a round. */
  lead: number;
  ballLead: number;
  pileLead: number;
  steps: number;
  rounds: number;
}

export const FULL_THREADS: ThreadBenchSize = {
  ...{ strands: 500, vertices: 32, bodies: 4000, columns: 50 },
  ...{ lead: 20, ballLead: 150, pileLead: 60, steps: 3, rounds: 5 },
};
export const QUICK_THREADS: ThreadBenchSize = { ...FULL_THREADS, ballLead: 60, rounds: 3 };

/** Steps of a round of the smallest world, of which one is some hundredths of a millisecond. */
const SMALL_STEPS = 100;

/** A scene with so many threads; medians of a step [ms]. */
export interface ThreadRow {
  scene: string;
  threads: number;
  /** Those that worked; fewer where there are none to be had. */
  working: number;
  step: number;
  /** Median of its rounds over those of the first column that ran beside them [-]. */
  ratio: number;
  /** Within kernels' ranges, the waiting for workers included; 0 with one thread. */
  ranges: number;
  /** Share of a step that is in ranges, all on one thread; what threads can gain at best [-]. */
  shared: number;
  /** Jobs of a step. */
  jobs: number;
  /** The hash after the last round is that of the first column. */
  isSame: boolean;
}

export interface ThreadBenchResult {
  bench: `${ThreadBench}-threads`;
  date: string;
  node: string;
  machine: string;
  load: number[];
  rows: ThreadRow[];
}

/** Ten boxes on each other: a world too small to gain, which threads must not make slower. */
function createStack(threads: number): ThreadWorld {
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false, threads });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  for (let i = 0; i < 10; i++) addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5 + i, 0] });
  return { physics, advance: () => physics.step() };
}

/** A pile that falls, beyond what it is made with. */
function createPile(bodies: number, threads: number): ThreadWorld {
  const physics = createSnapshotWorld('pile falling', bodies, threads);
  return { physics, advance: () => physics.step() };
}

/** The scenes of a benchmark. */
function threadScenes(bench: ThreadBench, size: ThreadBenchSize): ThreadScene[] {
  const { strands, vertices, bodies, columns, lead, ballLead, pileLead, steps } = size;
  const tufts = (shape: typeof TUFT) => (threads: number) =>
    createTufts(strands, { ...shape, vertices }, true, 'wasm', {}, threads);
  const ball = (threads: number) => createHairyBall(strands, vertices, 'wasm', {}, threads);
  if (bench === 'rods') {
    return [
      { name: 'hairy ball', lead: ballLead, steps, create: ball },
      { name: 'bundle', lead, steps, create: tufts(BUNDLE) },
      { name: 'tufts', lead, steps, create: tufts(TUFT) },
    ];
  }
  if (bench === 'rigid') {
    return [
      { name: 'stack of 10', lead, steps: SMALL_STEPS, create: createStack },
      { name: `pile of ${bodies}`, lead: pileLead, steps, create: (threads) => createPile(bodies, threads) },
    ];
  }
  return [
    { name: 'drape', lead: pileLead, steps, create: (threads) => createDrape(columns, { backend: 'wasm', threads }) },
    { name: 'cape', lead: pileLead, steps, create: (threads) => createCape(columns, { backend: 'wasm', threads }) },
  ];
}

interface Lane {
  readonly threads: number;
  readonly world: ThreadWorld;
  /** Whether all ranges are worked on by the caller, to see how much of a step they are. */
  isAlone: boolean;
  /** Time in ranges since it was last set to zero [ms]. */
  inRanges: number;
  readonly steps: number[];
  readonly ratios: number[];
  readonly ranges: number[];
  readonly shares: number[];
  readonly jobs: number[];
}

/** A world whose jobs are timed. */
async function createLane(scene: ThreadScene, threads: number): Promise<Lane> {
  const world = scene.create(threads);
  world.physics.hash(); // makes the rows
  await world.physics.threadsReady;
  const lane: Lane = {
    ...{ threads, world, isAlone: false, inRanges: 0 },
    ...{ steps: [], ratios: [], ranges: [], shares: [], jobs: [] },
  };
  const { pool } = world.physics.internal.threads;
  if (pool) {
    const { fork } = pool;
    pool.fork = (module, kind, count, grain, scratch) => {
      const start = performance.now();
      // A job of one ticket stays with the caller.
      fork(module, kind, count, lane.isAlone ? count : grain, scratch);
      if (count > grain) lane.inRanges += performance.now() - start;
    };
  }
  return lane;
}

/** Times the steps of a round; returns their median [ms]. */
function timeLane(lane: Lane, count: number): number {
  const { physics } = lane.world;
  const steps: number[] = [];
  for (let i = 0; i < count; i++) {
    const jobs = physics.internal.threads.pool?.jobs ?? 0;
    lane.inRanges = 0;
    lane.world.advance();
    const step = physics.profile.stepMilliseconds();
    steps.push(step);
    if (lane.isAlone) {
      lane.shares.push(lane.inRanges / step);
      continue;
    }
    lane.steps.push(step);
    lane.ranges.push(lane.inRanges);
    lane.jobs.push((physics.internal.threads.pool?.jobs ?? 0) - jobs);
  }
  return median(steps);
}

/** Times some scenes with each of `counts` threads. */
export async function benchThreads(
  bench: ThreadBench,
  counts: readonly number[],
  size: ThreadBenchSize,
  progress: (text: string) => void,
): Promise<ThreadBenchResult> {
  const load = loadavg().map((value) => Math.round(100 * value) / 100);
  const rows: ThreadRow[] = [];
  for (const scene of threadScenes(bench, size)) {
    progress(scene.name);
    rows.push(...(await benchScene(scene, counts, size.rounds)));
  }
  progress('');
  const processors = cpus();
  const machine = `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores`;
  return { bench: `${bench}-threads`, date: new Date().toISOString(), node: process.version, machine, load, rows };
}

async function benchScene(scene: ThreadScene, counts: readonly number[], rounds: number): Promise<ThreadRow[]> {
  const lanes: Lane[] = [];
  for (const threads of counts) lanes.push(await createLane(scene, threads));
  const [{ world: first }] = lanes;
  for (let i = 0; i < scene.lead; i++) first.advance();
  const state = first.physics.snapshot();

  for (let round = 0; round < rounds; round++) {
    let own = 0;
    for (const lane of lanes) {
      for (lane.isAlone of lane.world.physics.internal.threads.pool ? [true, false] : [false]) {
        lane.world.physics.restore(state);
        const step = timeLane(lane, scene.steps);
        if (lane.isAlone) continue;
        if (lane === lanes[0]) own = step;
        lane.ratios.push(own / step);
      }
    }
  }

  const hash = first.physics.hash();
  return lanes.map(({ threads, world, ...lane }) => {
    const row = {
      scene: scene.name,
      threads,
      working: world.physics.report.threads.count,
      step: median(lane.steps),
      ratio: median(lane.ratios),
      ranges: median(lane.ranges),
      shared: lane.shares.length > 0 ? median(lane.shares) : 0,
      jobs: median(lane.jobs),
      isSame: world.physics.hash() === hash,
    };
    world.physics.dispose();
    return row;
  });
}

/** How many times faster a step can be where only a share of it is divided (Amdahl). */
function atBest({ shared, working }: ThreadRow): number {
  return 1 / (1 - shared + shared / working);
}

/** The table. */
export function showThreadBench({ bench, date, node, machine, load, rows }: ThreadBenchResult): string {
  const [name] = bench.split('-');
  const head = ['scene', 'threads', 'working', 'step ms', 'times faster', 'in ranges ms', 'shared %', 'at best'];
  const when = date.slice(0, 16).replace('T', ' ');
  return `${[
    `# ${{ rods: 'Strands', rigid: 'Rigid bodies', shells: 'Cloth' }[name as ThreadBench]} on several threads`,
    `bench ${name} --threads, ${when} UTC; Node ${node}; ${machine}; load ${load.join(' ')}.`,
    'Medians of steps from the same states in turn, of the wall clock: worth something only where each thread has a\n' +
      'core. In ranges: what threads share, the wait for the last one included. Shared: of a step with all ranges\n' +
      'on one thread; at best: how many times faster that many threads can make it.',
    table(
      [...head, 'jobs', 'same bits'],
      rows.map((row) => [
        ...[row.scene, String(row.threads), String(row.working), short(row.step)],
        ...[short(row.ratio), short(row.ranges), short(100 * row.shared), short(atBest(row))],
        ...[String(row.jobs), row.isSame ? 'yes' : 'NO'],
      ]),
    ),
  ].join('\n\n')}\n`;
}
