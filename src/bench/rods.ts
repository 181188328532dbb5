// `stiction bench rods`: strands on both backends, stage by stage, and the rows that Daviet 2020 lets us compare with.
//
// It needs nothing but the program itself. (Peers from other packages: test/bench/rods.)

import { cpus, loadavg } from 'node:os';
import * as L from '../state/layout';
import { createBall } from './gpu-worlds';
import { type BundleRow, benchBundle } from './rods-bundle';
import { createCrossingDetection, depthInBall } from './rods-crossings';
import { benchProfiles, type ProfileRow } from './rods-profiles';
import { benchLocalCost, benchSleeping, type LocalCostRow, type SleepingResult } from './rods-projection';
import {
  benchCase,
  benchEqualWork,
  benchGrowth,
  benchRuns,
  type EqualWorkRow,
  type GrowthResult,
  median,
  type RunRow,
  type SpeedCase,
  type SpeedRow,
} from './rods-speed';
import { createHairyBall } from './rods-worlds';
import type { BenchTarget } from './run-facts';

/** How much is measured. */
export interface RodBenchSize {
  /** Strands and vertices of the table of tufts; the other scenes have the largest of `mainStrands`. */
  strands: readonly number[];
  vertices: readonly number[];
  /** Strands of the scenes that are judged, and the vertices of each. */
  mainStrands: number;
  mainVertices: number;
  /** Strands of the row of growth, small and large. */
  growth: readonly [number, number];
  /** Nodes up to which the reference is measured, too. */
  referenceNodes: number;
  rounds: number;
  /** Steps before the clock, and of a round. */
  lead: number;
  ballLead: number;
  steps: number;
  /** Steps of a run as a game makes them. */
  runSteps: number;
  /** Moments of the hairy ball. */
  frames: number;
  /** Iterations at most of the bundle. */
  bundleLimit: number;
  /** Steps in which crossings are looked for. */
  crossingSteps: number;
  /** Strands of the ball of real hair, and steps. */
  hairStrands: number;
  hairSteps: number;
}

export const FULL: RodBenchSize = {
  strands: [100, 500, 1000, 2000, 4000],
  vertices: [16, 32, 64],
  mainStrands: 500,
  mainVertices: 32,
  growth: [500, 4000],
  referenceNodes: 16_000,
  rounds: 5,
  lead: 10,
  ballLead: 150,
  steps: 3,
  runSteps: 40,
  frames: 5,
  bundleLimit: 800,
  crossingSteps: 600,
  hairStrands: 200,
  hairSteps: 60,
};

/** A minute. */
export const QUICK: RodBenchSize = {
  ...FULL,
  strands: [100, 500],
  vertices: [32],
  growth: [100, 500],
  referenceNodes: 4000,
  rounds: 3,
  lead: 10,
  ballLead: 90,
  steps: 3,
  runSteps: 5,
  frames: 2,
  bundleLimit: 100,
  crossingSteps: 120,
};

/** What a shaken ball did to its strands. */
export interface CrossingResult {
  strands: number;
  vertices: number;
  steps: number;
  /** Strand through strand, over all steps. */
  crossings: number;
  pairs: number;
  /** Deepest that a strand's centre line was inside the ball [mm]; negative: never. */
  depth: number;
  contacts: { median: number; most: number };
  /** [ms] */
  step: { median: number; worst: number };
  delta: { median: number; most: number };
  quarantined: number;
}

/** A ball of real hair (bench-gpu-worlds.ts), shaken with so many iterations a step. */
export interface HairRow {
  strands: number;
  iterations: number;
  /** elastic.keepApart. */
  keepApart: boolean;
  steps: number;
  crossings: number;
  /** Strands kept apart a step, mean. */
  keptApart: number;
  /** Median [ms]. */
  step: number;
  /** Median [mm]. */
  delta: number;
}

export interface RodBenchResult {
  bench: 'rods';
  date: string;
  node: string;
  machine: string;
  load: number[];
  loadAfter: number[];
  rounds: number;
  speed: SpeedRow[];
  runs: RunRow[];
  equalWork: EqualWorkRow;
  growth: GrowthResult;
  sleeping: SleepingResult;
  locals: { contacts: number; rows: LocalCostRow[] };
  bundle: BundleRow[];
  crossings: CrossingResult;
  hair: HairRow[];
  profiles: ProfileRow[];
  targets: BenchTarget[];
}

const SCENES = ['hairy ball', 'bundle', 'tufts'] as const;
/** Runs that a step is judged by. */
const RUNS = 5;

const round2 = (x: number) => Math.round(100 * x) / 100;

/** Runs all tables. */
export function benchRods(size: RodBenchSize, progress: (text: string) => void): RodBenchResult {
  const processors = cpus();
  const load = loadavg().map(round2);
  const { mainStrands, mainVertices, rounds } = size;
  const speed: SpeedRow[] = [];
  for (const entry of listCases(size)) {
    progress(`${entry.scene} ${entry.strands} × ${entry.vertices}${entry.contact ? '' : ' without contact'}`);
    speed.push(...benchCase(entry, rounds));
  }
  const runs = SCENES.map((scene) => {
    progress(`${RUNS} runs, ${scene}`);
    return benchRuns(mainCase(size, scene), RUNS, size.runSteps);
  });
  progress('equal work');
  const main = mainCase(size, 'tufts');
  const equalWork = benchEqualWork(main, rounds);
  progress('growth');
  const growth = benchGrowth(size.growth, mainVertices, size.lead, rounds);
  progress('sleeping contacts');
  const sleeping = benchSleeping(mainStrands, mainVertices, size.frames, Math.min(rounds, 3), ['wasm', 'reference']);
  progress('local solvers');
  const locals = benchLocalCost(mainStrands, mainVertices, Math.min(rounds, 3));
  progress('bundle');
  const bundle = (['wasm', 'reference'] as const).flatMap((backend) =>
    [1, 5, 20].map((sweeps) => benchBundle(backend, sweeps, rounds, size.bundleLimit)),
  );
  progress('crossings');
  const crossings = benchCrossings(mainStrands, mainVertices, size.crossingSteps);
  progress('real hair');
  const hair = HAIR_ITERATIONS.flatMap((iterations) =>
    [false, true].map((keepApart) => benchHair(size.hairStrands, size.hairSteps, iterations, keepApart)),
  );
  progress('profiles');
  const profiles = benchProfiles(size.hairStrands, HAIR_VERTICES, size.hairSteps);
  progress('');

  const result = {
    bench: 'rods' as const,
    date: new Date().toISOString(),
    node: process.version,
    machine:
      `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores, ${process.platform} ` +
      `${process.arch}`,
    load,
    loadAfter: loadavg().map(round2),
    rounds,
    speed,
    runs,
    equalWork,
    growth,
    sleeping,
    locals,
    bundle,
    crossings,
    hair,
    profiles,
  };

  return { ...result, targets: judge(result, size) };
}

function mainCase(size: RodBenchSize, scene: SpeedCase['scene']): SpeedCase {
  return {
    scene,
    strands: size.mainStrands,
    vertices: size.mainVertices,
    contact: true,
    lead: scene === 'hairy ball' ? size.ballLead : size.lead,
    steps: size.steps,
    reference: true,
  };
}

function listCases(size: RodBenchSize): SpeedCase[] {
  const cases: SpeedCase[] = [mainCase(size, 'hairy ball'), mainCase(size, 'bundle')];
  for (const contact of [true, false]) {
    for (const strands of size.strands) {
      for (const vertices of size.vertices) {
        const nodes = strands * vertices;
        const isLarge = nodes > size.referenceNodes;
        const steps = Math.min(2, size.steps);
        cases.push({ scene: 'tufts', strands, vertices, contact, lead: size.lead, steps, reference: !isLarge });
      }
    }
  }
  return cases;
}

/** Shakes the ball and looks at every step for strands that went through strands or into the ball. */
export function benchCrossings(strands: number, vertices: number, steps: number): CrossingResult {
  const world = createHairyBall(strands, vertices, 'wasm');
  const detection = createCrossingDetection();
  const { report, profile } = world.physics;
  const result = { crossings: 0, pairs: 0, depth: Number.NEGATIVE_INFINITY };
  const times: number[] = [];
  const contacts: number[] = [];
  const deltas: number[] = [];
  for (let step = 0; step < steps; step++) {
    world.advance();
    const { previous, position, strand } = world.engine.tables.nodes;
    const count = world.engine.arena.i32[L.NODE_COUNT >> 2];
    const found = detection(previous, position, strand, count);
    result.crossings += found.count;
    result.pairs += found.pairs;
    result.depth = Math.max(result.depth, depthInBall(previous, position, strand, count, world.radius, 2));
    times.push(profile.stepMilliseconds());
    contacts.push(report.strands.contacts);
    deltas.push(1000 * report.strands.delta);
  }
  return {
    strands,
    vertices,
    steps,
    ...result,
    depth: 1000 * result.depth,
    contacts: { median: median(contacts), most: Math.max(...contacts) },
    step: { median: median(times), worst: Math.max(...times) },
    delta: { median: median(deltas), most: Math.max(...deltas) },
    quarantined: report.strands.quarantined,
  };
}

/** Vertices of a real hair. */
export const HAIR_VERTICES = 16;
const HAIR_ITERATIONS = [25, 8, 4, 2];

function benchHair(strands: number, steps: number, iterations: number, keepApart: boolean): HairRow {
  const { physics, advance } = createBall(
    { strands, vertices: HAIR_VERTICES, contact: true },
    { iterations, keepApart },
  );
  const detection = createCrossingDetection();
  const { engine } = physics.internal;
  const times: number[] = [];
  const deltas: number[] = [];
  let crossings = 0;
  let keptApart = 0;
  for (let step = 0; step < steps; step++) {
    advance();
    const { previous, position, strand } = engine.tables.nodes;
    crossings += detection(previous, position, strand, engine.arena.i32[L.NODE_COUNT >> 2]).count;
    keptApart += physics.report.strands.keptApart;
    times.push(physics.profile.stepMilliseconds());
    deltas.push(1000 * physics.report.strands.delta);
  }
  physics.dispose();
  return {
    strands,
    iterations,
    keepApart,
    steps,
    crossings,
    keptApart: keptApart / steps,
    step: median(times),
    delta: median(deltas),
  };
}

type Measured = Omit<RodBenchResult, 'targets'>;

function judge(
  { speed, runs, equalWork, growth, sleeping, bundle, crossings }: Measured,
  size: RodBenchSize,
): BenchTarget[] {
  const targets: BenchTarget[] = [];
  const add = (name: string, value: number, unit: string, target: string, met: boolean) => {
    targets.push({ name, value, unit, target, met });
  };
  const what = `${size.mainStrands} × ${size.mainVertices}`;
  for (const { scene, step, contactsPerStrand } of runs) {
    const name = `step, ${scene} ${what}, ${contactsPerStrand.toFixed(1)} contacts a strand`;
    add(name, step, 'ms', '<= 16, aim 8', step <= 16);
  }
  const isMain = ({ scene, contact, strands, vertices }: SpeedRow) =>
    scene === 'tufts' && contact && strands === size.mainStrands && vertices === size.mainVertices;
  const bytes = speed.find((row) => row.backend === 'wasm' && isMain(row))?.bytesPerNode;
  if (bytes !== undefined) add(`memory, tufts ${what}`, bytes, 'B a vertex', '<= 1000', bytes <= 1000);
  add(
    `wasm against reference, same work, tufts ${what}`,
    equalWork.ratio,
    'times',
    '>= 8, aim 12',
    equalWork.ratio >= 8,
  );
  add('the same without the detections both share', equalWork.ownRatio, 'times', '-', equalWork.ownRatio >= 8);
  const name = `time a strand, ${growth.strands[1]} against ${growth.strands[0]}`;
  add(name, growth.ratio, 'times', '<= 1.3', growth.ratio <= 1.3);
  const best = bundle
    .filter(({ backend, iterations }) => backend === 'wasm' && iterations !== null)
    .sort((a, b) => a.solve - b.solve)[0];
  const time = best ? best.solve : Number.POSITIVE_INFINITY;
  add('bundle of 61 strands, 2964 contacts, to nat 1e-4', time, 'ms', '<= 104, aim 30', time <= 104);
  add('sleeping contacts, projection time', sleeping.gain, 'times less', '>= 2', sleeping.gain >= 2);
  const delta = crossings.delta.median;
  add('δ∞ after 25 × 5 a strand on average, shaken ball', delta, 'mm', '<= 0.01', delta <= 0.01);
  const shaken = `strands through strands, ${crossings.steps} steps of a shaken ball`;
  add(shaken, crossings.crossings, '', '0', crossings.crossings === 0);
  return targets;
}
