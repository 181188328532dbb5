// `stiction bench shells`: sheets that hang, drape, slide, are dashed about and lie on each other: time and quality
// of a step.
//
// The scenes are those in which other engines were measured (test/bench/README.md). It needs nothing but the program
// itself.

import { setWind } from '../../systems/rods';
import { NODE_CONTACT_COUNT } from '../state/layout';
import { type ArgusRow, type ArgusSize, benchArgus, FULL_ARGUS } from './argus';
import { type BenchTarget, noteRun, type RunFacts } from './run-facts';
import { benchCusick, type CusickRow, FABRICS } from './shells-cusick';
import { countCrossings, deepest, meanOf, processorTime, quantile, stretchOf } from './shells-measure';
import {
  BALL,
  CAPSULE,
  createCape,
  createDrape,
  createFlag,
  createHang,
  createIncline,
  createLayerIncline,
  createLayers,
  FRICTION,
  GRAVITY,
  type ShellSettings,
  type ShellWorld,
} from './shells-worlds';

/** How much is measured. */
export interface ShellBenchSize {
  /** Vertices a side of the sheets. */
  hang: number;
  drape: number;
  cape: number;
  layers: number;
  incline: number;
  /** Steps of the scenes; null: as long as peers are measured. */
  steps: number | null;
  /** Halvings of the search for the slope, and yaws of the mesh [rad]. */
  halvings: number;
  yaws: readonly number[];
  /** Vertices a side of the row of growth. */
  growth: readonly number[];
  /** Iterations of the cape beside the usual ones. */
  iterations: readonly number[];
  /** Rings of the disc of the drape test, and its time [s]. */
  rings: number;
  drapeSeconds: number;
  /** Solvers beside each other on model problems. */
  argus: ArgusSize;
  /** A run ends after so many seconds of steps [s]. */
  cap: number;
}

export const FULL: ShellBenchSize = {
  hang: 50,
  drape: 50,
  cape: 50,
  layers: 15,
  incline: 20,
  steps: null,
  halvings: 10,
  yaws: [0, 0.3, Math.PI / 4],
  growth: [45, 64, 90, 127],
  iterations: [1, 4],
  rings: 20,
  drapeSeconds: 6,
  argus: FULL_ARGUS,
  cap: 60,
};

/** A minute or two. */
export const QUICK: ShellBenchSize = {
  ...FULL,
  hang: 24,
  drape: 24,
  cape: 24,
  layers: 9,
  incline: 10,
  halvings: 5,
  yaws: [0.3],
  growth: [23, 45],
  iterations: [4],
  rings: 10,
  drapeSeconds: 4,
  argus: { ...FULL_ARGUS, moments: 1, timeSteps: [1e-3], iterationLimit: 300 },
  cap: 15,
};

/** The parts of the benchmark by name. */
export const SHELL_PARTS = ['hang', 'drape', 'cape', 'layers', 'flag', 'incline', 'cusick', 'growth', 'argus'] as const;
export type ShellPart = (typeof SHELL_PARTS)[number];

/** A scene: how fast, how good. Lengths in mm, speeds in mm/s, stretch in %. */
export interface ShellRow {
  scene: string;
  vertices: number;
  steps: number;
  ofSteps: number;
  /** Processor time of a step, the first 20 left out [ms]. */
  median: number;
  p99: number;
  contacts: number;
  /** Quality by name; what a scene has no use for is not there. */
  quality: Readonly<Record<string, number>>;
  quarantined: number;
}

/** The slopes, as tangent over friction, up to which a patch sticks and from which it slides. */
export interface InclineRow {
  on: 'plane' | 'sheet';
  yaw: number;
  sticks: number;
  slides: number;
  /** Steepest slope tried that still slides, and mean speed at 0.9 [mm/s]. */
  creep: number;
  median: number;
}

export interface ShellBenchResult extends RunFacts {
  bench: 'shells';
  rows: ShellRow[];
  inclines: InclineRow[];
  cusick: CusickRow[];
  growth: { vertices: number; median: number }[];
  /** Of the step's time over the number of vertices. */
  exponent: number;
  argus: ArgusRow[];
  targets: BenchTarget[];
}

/** Runs the tables, or some of their parts. */
export function benchShells(
  size: ShellBenchSize,
  progress: (text: string) => void,
  parts: readonly ShellPart[] = SHELL_PARTS,
): ShellBenchResult {
  const only = (part: ShellPart) => parts.includes(part);
  const facts = noteRun();
  const rows: ShellRow[] = [];

  const add = (part: ShellPart, run: () => ShellRow, name: string = part) => {
    if (!only(part)) return;
    progress(name);
    rows.push(run());
  };
  add('hang', () => benchHang(size));
  add('drape', () => benchDrape(size));
  add('cape', () => benchCape(size, {}));
  for (const iterations of size.iterations)
    add('cape', () => benchCape(size, { iterations }), `cape, ${iterations} iterations`);
  add('layers', () => benchLayers(size));
  add('flag', () => benchFlag(size));
  const inclines: InclineRow[] = [];

  for (const on of ['plane', 'sheet'] as const) {
    for (const yaw of only('incline') ? size.yaws : []) {
      progress(`incline on a ${on}, yaw ${yaw.toFixed(2)}`);
      inclines.push(benchIncline(on, yaw, size));
    }
  }
  const cusick = (only('cusick') ? FABRICS : []).map((fabric) => {
    progress(`drape test, ${fabric.name}`);
    return benchCusick(fabric, size.rings, size.drapeSeconds);
  });
  const growth = (only('growth') ? size.growth : []).map((columns) => {
    progress(`growth, ${columns * columns} vertices`);
    return benchGrowth(columns, size);
  });
  const argus = only('argus') ? benchArgus(size.argus, progress) : [];
  progress('');

  const result = {
    bench: 'shells' as const,
    ...facts(),
    rows,
    inclines,
    cusick,
    growth,
    exponent: growth.length > 1 ? exponentOf(growth) : Number.NaN,
    argus,
  };

  return { ...result, targets: judge(result, size) };
}

/** Runs a world and times its steps; `watch` sees every step. */
function play(
  scene: string,
  world: ShellWorld,
  ofSteps: number,
  cap: number,
  watch: (step: number) => void,
  judgeEnd: (finished: boolean) => Record<string, number>,
): ShellRow {
  const { physics, sheets } = world;
  const times: number[] = [];
  const contacts: number[] = [];
  let spent = 0;
  let steps = 0;
  while (steps < ofSteps && spent < 1000 * cap) {
    const start = processorTime();
    world.advance();
    const time = processorTime() - start;
    spent += time;
    times.push(time);
    contacts.push(physics.report.strands.contacts);
    watch(++steps);
  }
  const timed = times.slice(Math.min(20, times.length >> 1));
  const row: ShellRow = {
    scene,
    vertices: sheets.reduce((sum, sheet) => sum + sheet.positions().length / 3, 0),
    steps,
    ofSteps,
    median: quantile(timed, 0.5),
    p99: quantile(timed, 0.99),
    contacts: quantile(contacts, 0.5),
    quality: judgeEnd(steps === ofSteps),
    quarantined: physics.report.strands.quarantined,
  };
  physics.dispose();
  return row;
}

/** Where all vertices were a while ago, for a mean speed over the last half second. */
function createLate({ sheets, physics }: ShellWorld, ofSteps: number) {
  const LAST = 30;
  let before: Float64Array[] = [];
  return {
    watch(step: number) {
      if (step === ofSteps - LAST) before = sheets.map((sheet) => sheet.positions().slice());
    },
    /** Root mean square [mm/s]. */
    speed(): number {
      let square = 0;
      let count = 0;
      before.forEach((old, s) => {
        const now = sheets[s].positions();
        for (let k = 0; k < now.length; k++) square += (now[k] - old[k]) ** 2;
        count += now.length / 3;
      });
      return (1000 * Math.sqrt(square / count)) / (LAST * physics.settings.timeStep);
    },
  };
}

const ownCrossings = ({ sheets }: ShellWorld) =>
  countCrossings(sheets.map((sheet) => ({ points: sheet.positions(), triangles: sheet.triangles })));

function benchHang(size: ShellBenchSize): ShellRow {
  const world = createHang(size.hang);
  const [sheet] = world.sheets;
  let peak = 0;
  const watch = (step: number) => {
    if (step > 30 && step % 5 === 0) peak = Math.max(peak, stretchOf(sheet, sheet.positions()).most);
  };
  return play('hang', world, size.steps ?? 300, size.cap, watch, () => {
    const points = sheet.positions();
    const { most, p99, mean } = stretchOf(sheet, points);
    let lowest = 0;
    for (let k = 1; k < points.length; k += 3) lowest = Math.min(lowest, points[k]);
    const { own } = ownCrossings(world);
    return {
      stretchPeak: peak,
      stretchEnd: most,
      stretchP99: p99,
      stretchMean: mean,
      lowest: 1000 * lowest,
      crossings: own,
    };
  });
}

/**
 * Mean gap to a body where a sheet presses on it, by the forces [m]. Not of vertices: a sheet that hardly stretches
 * folds, touches a ball along a few lines, and its vertices lie above by as much as they please.
 */
function gapUnderLoad({ physics }: ShellWorld, depth: (x: number, y: number, z: number) => number): number {
  const { arena, tables } = physics.internal.engine;
  const { node, weight, force, side } = tables.nodeContacts;
  const { position } = tables.nodes;
  let [sum, load] = [0, 0];
  for (let row = 0; row < arena.i32[NODE_CONTACT_COUNT >> 2]; row++) {
    if (side[4 * row + 2] < 0) continue;
    const place = [0, 0, 0];
    for (let k = 4 * row; k < 4 * row + 4; k++) {
      for (let axis = 0; axis < 3 && node[k] >= 0; axis++) place[axis] += weight[k] * position[4 * node[k] + axis];
    }
    const [x, y, z, scale] = force.subarray(4 * row, 4 * row + 4);
    const newtons = Math.sqrt(x * x + y * y + z * z) / scale;
    sum -= newtons * depth(place[0], place[1], place[2]);
    load += newtons;
  }
  return sum / load;
}

function benchDrape(size: ShellBenchSize): ShellRow {
  const world = createDrape(size.drape);
  const [sheet] = world.sheets;
  const ofSteps = size.steps ?? 300;
  const late = createLate(world, ofSteps);
  const depth = (x: number, y: number, z: number) => BALL - Math.sqrt(x * x + y * y + z * z);
  let peak = Number.NEGATIVE_INFINITY;
  let most = 0;
  const watch = (step: number) => {
    late.watch(step);
    if (step % 5 === 0) peak = Math.max(peak, deepest(sheet.positions(), sheet.triangles, depth));
    if (step % 30 === 0) most = Math.max(most, ownCrossings(world).own);
  };
  return play('drape', world, ofSteps, size.cap, watch, (finished) => {
    const points = sheet.positions();
    const heights: number[] = [];
    for (let k = 0; k < points.length; k += 3) {
      if (points[k + 1] > 0.2) heights.push(-depth(points[k], points[k + 1], points[k + 2]));
    }
    return {
      crossings: Math.max(most, ownCrossings(world).own),
      gap: 1000 * gapUnderLoad(world, depth),
      above: 1000 * quantile(heights, 0.5),
      deepest: 1000 * peak,
      deepestEnd: 1000 * deepest(points, sheet.triangles, depth),
      stretchP99: stretchOf(sheet, points).p99,
      height: 1000 * meanOf(points, 1),
      ...(finished && { speed: late.speed() }),
    };
  });
}

function benchCape(size: ShellBenchSize, settings: ShellSettings): ShellRow {
  const world = createCape(size.cape, settings);
  const [sheet] = world.sheets;
  const peak = { stretch: 0, inside: 0, steps: 0, depth: Number.NEGATIVE_INFINITY, crossings: 0 };
  const watch = (step: number) => {
    const points = sheet.positions();
    const { position } = world.pose();
    let inside = 0;
    for (let k = 0; k < points.length; k += 3) {
      const [x, z] = [points[k] - position[0], points[k + 2] - position[2]];
      const y = Math.max(0, Math.abs(points[k + 1] - position[1]) - CAPSULE.half);
      const depth = CAPSULE.radius - Math.sqrt(x * x + y * y + z * z);
      if (depth > 0.005) inside++;
      peak.depth = Math.max(peak.depth, depth);
    }
    peak.inside = Math.max(peak.inside, inside);
    if (inside > 0) peak.steps++;
    if (step > 30 && step % 5 === 0) peak.stretch = Math.max(peak.stretch, stretchOf(sheet, points).most);
    if (step % 30 === 0) peak.crossings = Math.max(peak.crossings, ownCrossings(world).own);
  };
  const name = settings.iterations === undefined ? 'cape' : `cape, ${settings.iterations} iterations`;
  return play(name, world, size.steps ?? 240, size.cap, watch, () => ({
    inside: peak.inside,
    stepsInside: peak.steps,
    deepest: 1000 * peak.depth,
    stretchPeak: peak.stretch,
    crossings: Math.max(peak.crossings, ownCrossings(world).own),
  }));
}

function benchLayers(size: ShellBenchSize): ShellRow {
  const world = createLayers(size.layers);
  const ofSteps = size.steps ?? 300;
  const late = createLate(world, ofSteps);
  return play('layers', world, ofSteps, size.cap, late.watch, (finished) => {
    const heights = world.sheets.map((sheet) => 1000 * meanOf(sheet.positions(), 1));
    const { own, mutual } = ownCrossings(world);
    const gaps = heights.slice(1).map((height, i) => height - heights[i]);
    return {
      crossings: own + mutual,
      ground: heights[0],
      gapLeast: Math.min(...gaps),
      gapMost: Math.max(...gaps),
      ...(finished && { speed: late.speed() }),
    };
  });
}

function benchFlag(size: ShellBenchSize): ShellRow {
  const full = size.hang >= 50;
  const world = full ? createFlag(40, 25) : createFlag(20, 13);
  const [sheet] = world.sheets;
  setWind(world.physics, [6, 0, 2]);
  return play(
    'flag',
    world,
    size.steps ?? 300,
    size.cap,
    () => {},
    () => ({
      stretchEnd: stretchOf(sheet, sheet.positions()).most,
    }),
  );
}

/** Bisects the slopes at which a patch begins to creep, and to slide as it should. */
function benchIncline(on: InclineRow['on'], yaw: number, size: ShellBenchSize): InclineRow {
  const create = on === 'plane' ? createIncline : createLayerIncline;
  const times: number[] = [];

  /** Mean speed between 2 s and 4 s, and what it should be [m/s]. */
  const speedAt = (tangent: number) => {
    const world = create(tangent, yaw, size.incline);
    const place = { early: 0, late: 0 };
    for (let step = 1; step <= 240; step++) {
      const start = processorTime();
      world.advance();
      times.push(processorTime() - start);
      if (step === 120) place.early = meanOf(world.sheets[0].positions(), 0);
    }
    place.late = meanOf(world.sheets[0].positions(), 0);
    world.physics.dispose();
    const slope = Math.atan(tangent * FRICTION);
    const pull = Math.max(0, GRAVITY * (Math.sin(slope) - FRICTION * Math.cos(slope)));
    return { speed: (place.late - place.early) / 2, expected: 3 * pull };
  };

  const sticks = (tangent: number) => Math.abs(speedAt(tangent).speed) < 1e-3;
  const slides = (tangent: number) => {
    const { speed, expected } = speedAt(tangent);
    return speed > 0.5 * expected && speed > 1e-3;
  };

  const bisect = (holds: (x: number) => boolean, from: number, to: number) => {
    let [yes, no] = [from, to];
    if (!holds(yes)) return Number.NaN;
    for (let i = 0; i < size.halvings; i++) {
      const middle = (yes + no) / 2;
      if (holds(middle)) yes = middle;
      else no = middle;
    }
    return yes;
  };

  // A sheet on a sheet runs out of it when it slides far: the slope is kept gentle.
  const [least, most] = on === 'plane' ? [0.8, 1.2] : [0.9, 1.03];

  return {
    on,
    yaw,
    sticks: bisect(sticks, least, most),
    slides: bisect(slides, most, least),
    creep: 1000 * speedAt(0.9).speed,
    median: quantile(times, 0.5),
  };
}

function benchGrowth(columns: number, size: ShellBenchSize): { vertices: number; median: number } {
  const world = createHang(columns);
  const times: number[] = [];
  let spent = 0;
  for (let step = 0; step < 60 && spent < 500 * size.cap; step++) {
    const start = processorTime();
    world.advance();
    const time = processorTime() - start;
    spent += time;
    if (step >= 10) times.push(time);
  }
  world.physics.dispose();
  return { vertices: columns * columns, median: quantile(times, 0.5) };
}

/** Slope of log time over log vertices, least squares. */
function exponentOf(growth: readonly { vertices: number; median: number }[]): number {
  const x = growth.map(({ vertices }) => Math.log(vertices));
  const y = growth.map(({ median }) => Math.log(median));
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const above = x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0);
  return above / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

type Measured = Omit<ShellBenchResult, 'targets'>;

function judge({ rows, inclines, cusick, exponent, growth }: Measured, size: ShellBenchSize): BenchTarget[] {
  const targets: BenchTarget[] = [];
  const add = (name: string, value: number | undefined, unit: string, most: number, target = `<= ${most}`) => {
    if (value !== undefined) targets.push({ name, value, unit, target, met: value <= most });
  };
  const between = (name: string, value: number | undefined, unit: string, least: number, most: number) => {
    if (value === undefined) return;
    targets.push({ name, value, unit, target: `${least}..${most}`, met: value >= least && value <= most });
  };

  for (const { scene, vertices, median, p99, quality } of rows) {
    const name = `${scene}, ${vertices} vertices`;
    if (scene === 'hang') {
      add(`${name}: stretch at the end`, quality.stretchEnd, '%', 2);
      add(`${name}: p99 of edges`, quality.stretchP99, '%', 0.5);
      add(`${name}: step`, median, 'ms', 5);
    } else if (scene === 'drape') {
      add(`${name}: crossings`, quality.crossings, '', 0, '0');
      between(`${name}: gap`, quality.gap, 'mm', 4.75, 5.25);
      add(`${name}: at rest`, quality.speed, 'mm/s', 1);
      add(`${name}: step`, median, 'ms', 15);
      add(`${name}: p99 of steps`, p99, 'ms', 30);
    } else if (scene.startsWith('cape')) {
      add(`${name}: vertices inside`, quality.inside, '', 0, '0');
      add(`${name}: crossings`, quality.crossings, '', 0, '0');
      add(`${name}: peak stretch`, quality.stretchPeak, '%', 15);
      if (scene === 'cape') add(`${name}: step`, median, 'ms', 16, '<= 16, aim 8');
    } else if (scene === 'layers') {
      add(`${name}: crossings`, quality.crossings, '', 0, '0');
      between(`${name}: smallest gap`, quality.gapLeast, 'mm', 9.75, 10.25);
      between(`${name}: largest gap`, quality.gapMost, 'mm', 9.75, 10.25);
      add(`${name}: step`, median, 'ms', 10);
    } else if (scene === 'flag') add(`${name}: step`, median, 'ms', 1.5);
  }

  for (const { on, yaw, sticks, slides, median } of inclines) {
    const name = `incline on a ${on}, yaw ${yaw.toFixed(2)}`;
    targets.push({
      name: `${name}: sticks to`,
      value: sticks,
      unit: 'tan θ/μ',
      target: '>= 0.99',
      met: sticks >= 0.99,
    });
    targets.push({
      name: `${name}: slides from`,
      value: slides,
      unit: 'tan θ/μ',
      target: '<= 1.01',
      met: slides <= 1.01,
    });
    if (on === 'plane') add(`${name}: step of ${size.incline ** 2} vertices`, median, 'ms', 2);
  }

  for (const { name, drape, band } of cusick) {
    if (band) between(`drape coefficient, ${name}`, drape, '%', ...band);
  }
  const [first, last] = [growth[0], growth[growth.length - 1]];
  if (last) add(`growth, ${first.vertices} to ${last.vertices} vertices`, exponent, 'exponent', 1.2);
  return targets;
}
