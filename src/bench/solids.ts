// `stiction bench solids`: a heap of jelly, a clamped bar, a stack, a slope: time and quality of a step.
//
// Jelly and bar are the scenes in which other engines were measured (test/bench/README.md); what those took there
// stands in the tables beside ours. It needs nothing but the program itself.

import type { SolidModel } from '../../systems/solid-spec';
import { solidVelocities } from '../../systems/solids';
import { type BenchTarget, noteRun, type RunFacts } from './run-facts';
import { meanOf, processorTime, quantile } from './shells-measure';
import { type BallStart, createCrushedBall, createLoadedBlocks } from './solids-loads';
import { deepestInside, traceOfLoads, volumeOf, watchOverlap } from './solids-measure';
import {
  BAR,
  createBeam,
  createJelly,
  createSlope,
  createStack,
  FRICTION,
  GRAVITY,
  JELLY,
  POISSON,
  type SolidSettings,
  type SolidWorld,
} from './solids-worlds';

/** How much is measured. */
export interface SolidBenchSize {
  /** Layers of four of the heap of jelly, and its steps. */
  layers: number;
  jellySteps: number;
  /** Cells across the bars of linear tetrahedra, and of quadratic ones. */
  linear: readonly number[];
  quadratic: readonly number[];
  /** Steps of the bars: the second half is taken for the sag. */
  beamSteps: number;
  /** Blocks of the stack, and its time [s]. */
  blocks: number;
  stackSeconds: number;
  /** Headings of the slope. */
  headings: number;
  /** Blocks under a crate of so many times the mass of one: how many, mass, time until they are measured [s]. */
  loads: readonly (readonly [blocks: number, ratio: number, seconds: number])[];
  /** Balls that begin crushed. */
  balls: readonly (readonly [model: SolidModel, poissonRatio: number, start: BallStart])[];
}

export const FULL_SOLIDS: SolidBenchSize = {
  layers: 5,
  jellySteps: 300,
  linear: [2, 4],
  quadratic: [1, 2],
  beamSteps: 480,
  blocks: 10,
  stackSeconds: 60,
  headings: 36,
  loads: [
    [1, 2000, 2.5],
    [1, 5000, 2.5],
    [4, 2000, 2.5],
    [4, 5000, 2.5],
    [4, 5000, 10],
  ],
  balls: (['corotated', 'fixed-corotated', 'neo-hookean'] as const).flatMap((model) =>
    (['flat', 'a point'] as const).flatMap((start) => [0.3, 0.45, 0.49].map((nu) => [model, nu, start] as const)),
  ),
};

/** Half a minute. */
export const QUICK_SOLIDS: SolidBenchSize = {
  layers: 2,
  jellySteps: 90,
  linear: [2],
  quadratic: [1],
  beamSteps: 240,
  blocks: 4,
  stackSeconds: 15,
  headings: 6,
  loads: [[1, 2000, 2.5]],
  balls: [['corotated', 0.3, 'flat']],
};

/** A scene: how fast, how good. Lengths in mm, speeds in mm/s, volumes in %. */
export interface SolidRow {
  scene: string;
  vertices: number;
  tetrahedra: number;
  steps: number;
  /** Processor time of a step, the first 20 left out [ms]. */
  median: number;
  p99: number;
  /** Tetrahedra a millisecond of the median. */
  rate: number;
  /** Largest residual of the steps timed [m/s]. */
  residual: number;
  /** Quality by name. */
  quality: Readonly<Record<string, number>>;
}

export interface SolidBenchResult extends RunFacts {
  bench: 'solids';
  rows: SolidRow[];
  targets: BenchTarget[];
}

/** Runs the tables. */
export function benchSolids(size: SolidBenchSize, progress: (text: string) => void): SolidBenchResult {
  const facts = noteRun();
  const rows: SolidRow[] = [];
  progress('jelly');
  rows.push(benchJelly(size));
  for (const elements of ['linear', 'quadratic'] as const) {
    for (const across of size[elements]) {
      progress(`bar, ${elements}, ${across} cells across`);
      rows.push(benchBeam(across, { elements }, size));
    }
  }
  progress('stack');
  rows.push(benchStack(size));
  progress('slope');
  rows.push(benchSlope(size));
  progress('loads');
  for (const load of size.loads) rows.push(benchLoad(...load));
  progress('balls');
  for (const ball of size.balls) rows.push(benchBall(...ball));
  progress('');
  return {
    bench: 'solids',
    ...facts(),
    rows,
    targets: judge(rows),
  };
}

/** Runs a world and times its steps; `watch` sees every step. */
function play(
  scene: string,
  { physics, solids }: SolidWorld,
  steps: number,
  watch: (step: number) => void,
): Omit<SolidRow, 'quality'> {
  const times: number[] = [];
  let residual = 0;
  const untimed = Math.min(20, steps >> 1);
  for (let step = 1; step <= steps; step++) {
    const start = processorTime();
    physics.step();
    if (step > untimed) {
      times.push(processorTime() - start);
      residual = Math.max(residual, physics.report.strands.residual);
    }
    watch(step);
  }
  const count = (width: number, list: (solid: SolidWorld['solids'][number]) => ArrayLike<number>) =>
    solids.reduce((sum, solid) => sum + list(solid).length / width, 0);
  const tetrahedra = count(4, (solid) => solid.tetrahedra);
  const median = quantile(times, 0.5);
  return {
    scene,
    vertices: count(3, (solid) => solid.positions()),
    tetrahedra,
    steps,
    median,
    p99: quantile(times, 0.99),
    rate: tetrahedra / median,
    residual,
  };
}

function benchJelly({ layers, jellySteps }: SolidBenchSize): SolidRow {
  const world = createJelly(layers);
  const { physics, solids } = world;
  const volumes = solids.map((solid) => volumeOf(solid.tetrahedra, solid.positions()));
  const overlap = watchOverlap(deepestInside(solids));
  let plane = 0;
  const LATE = 30;
  let before: Float64Array[] = [];
  const row = play('jelly', world, jellySteps, (step) => {
    overlap.note(deepestInside(solids));
    for (const solid of solids) {
      const x = solid.positions();
      for (let k = 1; k < x.length; k += 3) plane = Math.max(plane, -x[k]);
    }
    if (step === jellySteps - LATE) before = solids.map((solid) => solid.positions().slice());
  });
  const changes = solids.map((solid, i) => 100 * (volumeOf(solid.tetrahedra, solid.positions()) / volumes[i] - 1));
  let square = 0;
  before.forEach((old, i) => {
    const now = solids[i].positions();
    for (let k = 0; k < now.length; k++) square += (now[k] - old[k]) ** 2;
  });
  const volume = volumes.reduce((sum, x) => sum + x, 0);
  const quality = {
    volumeMean: changes.reduce((sum, x) => sum + x, 0) / changes.length,
    volumeWorst: Math.min(...changes),
    volumeByLoads: (100 * (1 - 2 * POISSON) * traceOfLoads(physics)) / (JELLY.youngModulus * volume),
    overlapStart: 1000 * overlap.start,
    overlapPeak: 1000 * overlap.peak,
    apartAfter: overlap.apartAfter,
    overlapOnceApart: 1000 * overlap.onceApart,
    overlapEnd: 1000 * deepestInside(solids),
    belowPlane: 1000 * plane,
    lateSpeed: (1000 * Math.sqrt(square / row.vertices)) / (LATE * physics.settings.timeStep),
  };
  physics.dispose();
  return { ...row, quality };
}

/** Sag of the tip by the theory of Euler and Bernoulli under its own weight [m]. */
function eulerSag(): number {
  const { length, thickness, youngModulus, density } = BAR;
  return (1.5 * density * GRAVITY * length ** 4) / (youngModulus * thickness ** 2);
}

function benchBeam(across: number, settings: SolidSettings, { beamSteps }: SolidBenchSize): SolidRow {
  const world = createBeam(across, settings);
  const [bar] = world.solids;
  // The middle of the free end, or the mean of the corners around it.
  const tip = () => {
    const x = bar.positions();
    const side = 5 * across + 1;
    let sum = 0;
    for (let row = 0; row < (across + 1) ** 2; row++) sum += x[3 * (side * row + side - 1) + 1];
    return -sum / (across + 1) ** 2;
  };
  const sags: number[] = [];
  const row = play(`bar, ${settings.elements}, ${across} across`, world, beamSteps, (step) => {
    if (2 * step > beamSteps) sags.push(tip());
  });
  world.physics.dispose();
  const mean = sags.reduce((sum, x) => sum + x, 0) / sags.length;
  const [low, high] = [Math.min(...sags), Math.max(...sags)];
  return { ...row, quality: { tip: 1000 * mean, low: 1000 * low, high: 1000 * high, ofEuler: mean / eulerSag() } };
}

function benchStack({ blocks, stackSeconds }: SolidBenchSize): SolidRow {
  const world = createStack(blocks);
  const { physics, solids } = world;
  const steps = Math.round(60 * stackSeconds);
  const place = () => solids.flatMap((solid) => [...solid.positions()]);
  let settled: number[] = [];
  let asleep = Number.NaN;
  const row = play(`stack of ${blocks}`, world, steps, (step) => {
    if (step === steps >> 1) settled = place();
    const { strands, asleep: sleeping } = physics.report.strands;
    if (Number.isNaN(asleep) && sleeping === strands) asleep = physics.time;
  });
  const moved = place().reduce((most, x, k) => Math.max(most, Math.abs(x - settled[k])), 0);
  physics.dispose();
  return { ...row, quality: { drift: (2000 * moved) / stackSeconds, asleepAfter: asleep } };
}

/** Deceleration by friction over all headings against Coulomb's, and creep just below and slip just above the cone. */
function benchSlope({ headings }: SolidBenchSize): SolidRow {
  const SECONDS = 0.5;
  let first: Omit<SolidRow, 'quality'> | null = null;
  /** Friction over its law along a heading, and what it has aside, from the speed after some time. */
  const slide = (tangent: number, heading: number) => {
    const world = createSlope(tangent, heading);
    const from = [0, 0];
    const SETTLED = 30;
    const row = play('slope', world, SETTLED + 60 * SECONDS, (step) => {
      if (step === SETTLED) [from[0], from[1]] = speedOf(world);
    });
    first ??= { ...row, scene: `slope, ${headings} headings` };
    const to = speedOf(world);
    world.physics.dispose();
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    const slope = Math.atan(tangent * FRICTION);
    const change = [0, 1].map((k) => (to[k] - from[k]) / SECONDS);
    const along = c * change[0] + s * change[1];
    const normal = FRICTION * GRAVITY * Math.cos(slope);
    return {
      speed: Math.hypot(...to),
      along: (GRAVITY * Math.sin(slope) - along) / normal,
      aside: (c * change[1] - s * change[0]) / normal,
    };
  };
  let [off, aside] = [0, 0];
  for (let i = 0; i < headings; i++) {
    const found = slide(1.5, (2 * Math.PI * i) / headings);
    off = Math.max(off, Math.abs(found.along - 1));
    aside = Math.max(aside, Math.abs(found.aside));
  }
  const quality = {
    frictionOff: 100 * off,
    frictionAside: 100 * aside,
    speedAt99: 1000 * slide(0.99, 0.3).speed,
    speedAt101: 1000 * slide(1.01, 0.3).speed,
  };
  return { ...first!, quality };
}

function benchLoad(blocks: number, ratio: number, seconds: number): SolidRow {
  const world = createLoadedBlocks(blocks, ratio);
  const name = blocks === 1 ? 'a block' : `${blocks} blocks`;
  const row = play(`${name} under ${ratio} times its mass, ${seconds} s`, world, Math.round(60 * seconds), () => {});
  const sags = world.sags();
  world.physics.dispose();
  return { ...row, quality: { sagLeast: Math.min(...sags), sagMost: Math.max(...sags) } };
}

function benchBall(model: SolidModel, poissonRatio: number, start: BallStart): SolidRow {
  const world = createCrushedBall(model, poissonRatio, start);
  const row = play(`ball, ${model}, nu ${poissonRatio}, begun ${start}`, world, 120, () => {});
  const [{ tetrahedra, positions }] = world.solids;
  const x = positions();
  let inverted = 0;
  for (let t = 0; t < tetrahedra.length; t += 4) if (!(volumeOf(tetrahedra.subarray(t, t + 4), x) > 0)) inverted++;
  const quality = { distortion: 100 * world.distortion(), inverted };
  world.physics.dispose();
  return { ...row, quality };
}

/** Mean velocity in the plane [m/s]. */
function speedOf({ physics, solids }: SolidWorld): [number, number] {
  const velocities = solidVelocities(physics, solids[0].entity);
  return [meanOf(velocities, 0), meanOf(velocities, 2)];
}

function judge(rows: readonly SolidRow[]): BenchTarget[] {
  const targets: BenchTarget[] = [];
  const add = (name: string, value: number, unit: string, target: string, met: boolean) =>
    targets.push({ name, value, unit, target, met });
  for (const { scene, median, p99, quality: q } of rows) {
    if (scene === 'jelly') {
      add('jelly: step', median, 'ms', '<= 14', median <= 14);
      add('jelly: p99', p99, 'ms', '<= 30', p99 <= 30);
      add('jelly: volume lost, mean', -q.volumeMean, '%', '<= 1', -q.volumeMean <= 1);
      add('jelly: overlap at most', q.overlapPeak, 'mm', '<= 2', q.overlapPeak <= 2);
      add('jelly: overlap once apart', q.overlapOnceApart, 'mm', '<= 2', q.overlapOnceApart <= 2);
    } else if (scene.startsWith('bar, quadratic')) {
      add(`${scene}: tip over theory`, q.ofEuler, '', '>= 0.95', q.ofEuler >= 0.95);
    } else if (scene.startsWith('stack')) {
      add(`${scene}: drift`, q.drift, 'mm/s', '<= 0.01', q.drift <= 0.01);
    } else if (scene.includes(' under ')) {
      const off = 100 * Math.max(1 - q.sagLeast, q.sagMost - 1);
      add(`${scene}: sag off statics`, off, '%', '<= 2', off <= 2);
    } else if (scene.startsWith('ball')) {
      add(`${scene}: off its shape after 2 s`, q.distortion, '%', '<= 1', q.distortion <= 1);
    } else if (scene.startsWith('slope')) {
      add('slope: friction off its circle', q.frictionOff, '%', '<= 0.1', q.frictionOff <= 0.1);
      add('slope: speed at 0.99 of the cone', q.speedAt99, 'mm/s', '<= 0.1', q.speedAt99 <= 0.1);
      add('slope: speed at 1.01 of the cone', q.speedAt101, 'mm/s', '> 10', q.speedAt101 > 10);
    }
  }
  return targets;
}
