// Time of a step of strands, stage by stage, both backends from the same states in the same minutes.
//
// A world is brought to a typical moment and its state is kept. Every round puts every backend back to that state and
// times a few steps; a round gives one ratio, the median over the rounds is shown. Clocks around the kernels tell which
// of them takes how much.

import {
  type BackendName,
  type BenchWorld,
  changeElastic,
  createHairyBall,
  createTufts,
  keepState,
  type TuftShape,
  takeState,
} from './rods-worlds';

/** One world that is timed. */
export interface SpeedCase {
  scene: 'tufts' | 'bundle' | 'hairy ball';
  strands: number;
  vertices: number;
  contact: boolean;
  /** Steps before anything is timed. */
  lead: number;
  /** Steps of a round; the same ones for both backends. */
  steps: number;
  /** Is the reference measured, too? */
  reference: boolean;
}

/** Median over the rounds; times of one step [ms]. */
export interface SpeedRow {
  scene: string;
  strands: number;
  vertices: number;
  contact: boolean;
  backend: BackendName;
  /** Contacts of a step over strands. */
  contactsPerStrand: number;
  /** Iterations of ADMM, and of a step its δ∞ [mm], medians. */
  iterations: number;
  delta: number;
  predict: number;
  detect: number;
  solve: number;
  integrate: number;
  step: number;
  /** Part of it that both backends have in common: all detections of contacts, the first and those within the solve. */
  detection: number;
  /** [smallest, largest] of the rounds. */
  stepRange: [number, number];
  /** Of a step, per strand [µs]. */
  perStrand: number;
  /** Reference over wasm of the same round; 0 where there is no reference. */
  ratio: number;
  ratioRange: [number, number];
  /** The same without the detections. */
  ownRatio: number;
  /** Memory of the world over nodes [B]; only of wasm. */
  bytesPerNode: number;
  /** Kernels by time in a step, longest first [ms]. */
  kernels: [string, number][];
}

export const TUFT: Pick<TuftShape, 'rows' | 'columns'> = { rows: 10, columns: 10 };
export const BUNDLE: Pick<TuftShape, 'rows' | 'columns'> = { rows: 20, columns: 25 };

/** The world of a case. */
function createCase({ scene, strands, vertices, contact }: SpeedCase, backend: BackendName): BenchWorld {
  const world =
    scene === 'hairy ball'
      ? createHairyBall(strands, vertices, backend)
      : createTufts(strands, { ...(scene === 'tufts' ? TUFT : BUNDLE), vertices }, contact, backend);
  world.physics.hash(); // makes the rows
  return world;
}

/** Middle one, of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[half];
  return sorted.length === 0 ? 0 : 0.5 * (sorted[half - 1] + sorted[half]);
}

/** The kernel that detects contacts, for both backends. */
const DETECTION = 'findStrandContacts';

interface Timed {
  step: number;
  detection: number;
  /** The step without its detections. */
  own: number;
  predict: number;
  detect: number;
  solve: number;
  integrate: number;
  iterations: number;
  contacts: number;
  delta: number;
  kernels: Map<string, number>;
}

function timeSteps(world: BenchWorld, steps: number): Timed {
  const { physics, kernelTimes } = world;
  const { profile, report } = physics;
  kernelTimes.clear();
  const rows: number[][] = [];
  for (let i = 0; i < steps; i++) {
    const before = kernelTimes.get(DETECTION) ?? 0;
    world.advance();
    const step = profile.stepMilliseconds();
    const detection = (kernelTimes.get(DETECTION) ?? 0) - before;
    rows.push([
      step,
      detection,
      step - detection,
      profile.milliseconds('predict-motion'),
      profile.milliseconds('find-contacts'),
      profile.milliseconds('solve-contacts'),
      profile.milliseconds('integrate-motion'),
      report.strands.iterations,
      report.strands.contacts,
      report.strands.delta,
    ]);
  }
  const column = (k: number) => median(rows.map((row) => row[k]));
  const [step, detection, own, predict, detect, solve, integrate, iterations, contacts, delta] = rows[0].map((_, k) =>
    column(k),
  );
  const kernels = new Map([...kernelTimes].map(([name, time]) => [name, time / steps]));
  return { step, detection, own, predict, detect, solve, integrate, iterations, contacts, delta, kernels };
}

/** Bytes the world holds: its memory, and arrays of the backend over an empty process. */
function bytesOf({ physics }: BenchWorld): number {
  return physics.report.memoryBytes;
}

/** Times one case: a row a backend. */
export function benchCase(entry: SpeedCase, rounds: number): SpeedRow[] {
  const wasm = createCase(entry, 'wasm');
  for (let i = 0; i < entry.lead; i++) wasm.advance();
  const state = keepState(wasm);
  const worlds: BenchWorld[] = [wasm];
  if (entry.reference) {
    const reference = createCase(entry, 'reference');
    // Its code gets warm on the same work.
    takeState(reference, state);
    reference.advance();
    worlds.push(reference);
  }
  const timed: Timed[][] = worlds.map(() => []);
  for (let round = 0; round < rounds; round++) {
    worlds.forEach((world, k) => {
      takeState(world, state);
      timed[k].push(timeSteps(world, entry.steps));
    });
  }
  return worlds.map((world, k) => rowOf(entry, k === 0 ? 'wasm' : 'reference', world, timed[k], timed[0]));
}

function rowOf(entry: SpeedCase, backend: BackendName, world: BenchWorld, timed: Timed[], wasm: Timed[]): SpeedRow {
  const { scene, strands, vertices, contact } = entry;
  const pick = (key: Exclude<keyof Timed, 'kernels'>) => median(timed.map((round) => round[key]));
  const isReference = backend === 'reference';
  const ratios = isReference ? timed.map((round, k) => round.step / wasm[k].step) : [];
  const own = isReference ? timed.map((round, k) => round.own / wasm[k].own) : [];
  const names = new Set(timed.flatMap(({ kernels }) => [...kernels.keys()]));
  const kernels = [...names].map((name): [string, number] => [
    name,
    median(timed.map((round) => round.kernels.get(name) ?? 0)),
  ]);
  return {
    scene,
    strands,
    vertices,
    contact,
    backend,
    contactsPerStrand: pick('contacts') / strands,
    iterations: pick('iterations'),
    delta: 1000 * pick('delta'),
    predict: pick('predict'),
    detect: pick('detect'),
    solve: pick('solve'),
    integrate: pick('integrate'),
    step: pick('step'),
    detection: pick('detection'),
    stepRange: range(timed.map(({ step }) => step)),
    perStrand: (1000 * pick('step')) / strands,
    ratio: ratios.length > 0 ? median(ratios) : 0,
    ratioRange: ratios.length > 0 ? range(ratios) : [0, 0],
    ownRatio: own.length > 0 ? median(own) : 0,
    bytesPerNode: backend === 'wasm' ? bytesOf(world) / (strands * vertices) : 0,
    kernels: kernels.sort((a, b) => b[1] - a[1]).filter(([, time]) => time > 0.001),
  };
}

function range(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Runs of a world as a game steps it: one step after the other, nothing put back between them. */
export interface RunRow {
  scene: string;
  strands: number;
  vertices: number;
  /** Median over the steps of all runs. */
  contactsPerStrand: number;
  delta: number;
  /** Of each run, the median of its steps [ms]; their median. */
  runs: number[];
  step: number;
  /** The detections of a step [ms]. */
  detection: number;
}

/** `count` runs of `steps` steps on wasm, each from the same moment. */
export function benchRuns(entry: SpeedCase, count: number, steps: number): RunRow {
  const world = createCase(entry, 'wasm');
  for (let i = 0; i < entry.lead; i++) world.advance();
  const state = keepState(world);
  const timed = Array.from({ length: count }, () => {
    takeState(world, state);
    return timeSteps(world, steps);
  });
  const { scene, strands, vertices } = entry;
  const pick = (key: 'step' | 'detection' | 'contacts' | 'delta') => median(timed.map((run) => run[key]));
  return {
    scene,
    strands,
    vertices,
    contactsPerStrand: pick('contacts') / strands,
    delta: 1000 * pick('delta'),
    runs: timed.map(({ step }) => step),
    step: pick('step'),
    detection: pick('detection'),
  };
}

/**
 * Both backends with all iterations, whatever δ∞ they reach, and with none of the
 * contacts asleep: the very same work.
 */
export interface EqualWorkRow {
  strands: number;
  vertices: number;
  contacts: number;
  wasm: number;
  reference: number;
  ratio: number;
  ratioRange: [number, number];
  /** Without the detections of contacts, which both have in common [ms]. */
  ownWasm: number;
  ownReference: number;
  ownRatio: number;
}

export function benchEqualWork(entry: SpeedCase, rounds: number): EqualWorkRow {
  const worlds = (['wasm', 'reference'] as const).map((backend) => createCase(entry, backend));
  const [wasm, reference] = worlds;
  for (let i = 0; i < entry.lead; i++) wasm.advance();
  const state = keepState(wasm);
  for (const world of worlds) changeElastic(world, { tolerance: 1e-30, sleeping: false });
  takeState(reference, state);
  reference.advance();
  const pairs: [Timed, Timed][] = [];
  let contacts = 0;
  for (let round = 0; round < rounds; round++) {
    const [a, b] = worlds.map((world) => {
      takeState(world, state);
      return timeSteps(world, 1);
    });
    pairs.push([a, b]);
    contacts = a.contacts;
  }
  const ratios = pairs.map(([a, b]) => b.step / a.step);
  return {
    strands: entry.strands,
    vertices: entry.vertices,
    contacts,
    wasm: median(pairs.map(([a]) => a.step)),
    reference: median(pairs.map(([, b]) => b.step)),
    ratio: median(ratios),
    ownWasm: median(pairs.map(([a]) => a.own)),
    ownReference: median(pairs.map(([, b]) => b.own)),
    ownRatio: median(pairs.map(([a, b]) => b.own / a.own)),
    ratioRange: range(ratios),
  };
}

/** A small and a large world of tufts in turn, all iterations, none asleep. */
export interface GrowthResult {
  strands: [number, number];
  vertices: number;
  contactsPerStrand: [number, number];
  /** Of a step, per strand [µs]. */
  perStrand: [number, number];
  /** Large over small of the same round. */
  ratio: number;
  ratioRange: [number, number];
  /** Without the detections of contacts, and the detections alone. */
  ownRatio: number;
  detectionRatio: number;
}

export function benchGrowth(
  strands: readonly [number, number],
  vertices: number,
  lead: number,
  rounds: number,
): GrowthResult {
  const worlds = strands.map((count) => {
    const entry = {
      scene: 'tufts',
      strands: count,
      vertices,
      contact: true,
      lead,
      steps: 1,
      reference: false,
    } as const;
    const world = createCase(entry, 'wasm');
    for (let i = 0; i < lead; i++) world.advance();
    const state = keepState(world);
    changeElastic(world, { tolerance: 1e-30, sleeping: false });
    return { world, state, count };
  });

  const pairs: [Timed, Timed][] = [];

  for (let round = 0; round < rounds; round++) {
    const [small, large] = worlds.map(({ world, state, count }, k) => {
      takeState(world, state);
      // As many strands are stepped in either turn: moods of the machine last equally long in both.
      const steps = k === 0 ? Math.max(1, Math.round(strands[1] / count)) : 1;
      const first = timeSteps(world, 1);
      const all = [first];
      for (let i = 1; i < steps; i++) {
        takeState(world, state);
        all.push(timeSteps(world, 1));
      }
      const mean = (key: 'step' | 'detection' | 'own') =>
        all.reduce((sum, timed) => sum + timed[key], 0) / all.length / count;
      return {
        ...first,
        step: mean('step'),
        detection: mean('detection'),
        own: mean('own'),
        contacts: first.contacts / count,
      };
    });
    pairs.push([small, large]);
  }

  const ratios = (key: 'step' | 'detection' | 'own') => pairs.map(([small, large]) => large[key] / small[key]);

  return {
    strands: [strands[0], strands[1]],
    vertices,
    contactsPerStrand: [pairs[0][0].contacts, pairs[0][1].contacts],
    perStrand: [1000 * median(pairs.map(([small]) => small.step)), 1000 * median(pairs.map(([, large]) => large.step))],
    ratio: median(ratios('step')),
    ratioRange: range(ratios('step')),
    ownRatio: median(ratios('own')),
    detectionRatio: median(ratios('detection')),
  };
}
