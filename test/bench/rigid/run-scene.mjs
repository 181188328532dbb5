// One scene or one scan with one engine, in this process. Knows engines only by the interface of adapters/index.mjs.

import { performance } from 'node:perf_hooks';
import { placeJoint } from './adapters/bodies.mjs';
import {
  distanceAlong,
  hashPoses,
  measureDrift,
  measureEnergy,
  measureGap,
  measurePile,
  measureSlide,
  percentile,
} from './measure.mjs';
import { measurePenetration } from './penetration.mjs';
import { buildScene, SCANS } from './scenes.mjs';

const WARM_UP = 20; // steps that are not timed
const QUIET_STEPS = 60; // the last second, over which the energy's median is taken
const CREEP_STEPS = 120; // the last steps of a scan, over which creep is taken

const movingBodies = (scene) => scene.bodies.filter((body) => body.type !== 'static');
const fixedBodies = (scene) => scene.bodies.filter((body) => body.type === 'static');

/** Row of a scene: times [ms], quality [m, J/kg], hash. `options`: sleep, cap [s], steps, quality. */
export function runScene(engine, name, options) {
  const { scene, measure } = buildScene(name);
  const steps = options.steps ?? measure.steps;
  const settle = Math.min(measure.settle ?? 60, steps);
  const quality = options.quality && measure.quality !== false;
  const bodies = movingBodies(scene);
  const shapes = bodies.map((body) => body.shape);
  const statics = fixedBodies(scene);
  const penetrationEvery = bodies.length > 500 ? 60 : 10;
  const world = engine.load(scene, { sleep: options.sleep || measure.sleep === true });
  let poses = new Float64Array(7 * bodies.length);
  let before = new Float64Array(7 * bodies.length);
  world.readPoses(poses);
  const start = poses.slice();
  let late = start;
  let penetrationPeak = 0;
  const joints = (scene.joints ?? []).map((joint) => heldPlaces(scene, joint));
  let gap = 0;
  const times = [];
  const reads = [];
  const works = [];
  let firstMs = 0;
  const energies = [];
  const begin = performance.now();
  let done = 0;
  while (done < steps && performance.now() - begin < 1000 * options.cap) {
    const w0 = process.cpuUsage();
    const t0 = performance.now();
    world.step();
    const t1 = performance.now();
    const work = process.cpuUsage(w0);
    [poses, before] = [before, poses];
    world.readPoses(poses);
    const t2 = performance.now();
    if (done === 0) firstMs = t1 - t0;
    // A scene that sleeps is timed once it does.
    if (done >= (measure.sleep ? settle : WARM_UP)) {
      times.push(t1 - t0);
      reads.push(t2 - t1);
      works.push((work.user + work.system) / 1000);
    }
    done++;
    if (done === settle) late = poses.slice();
    if (!quality) continue;
    gap = Math.max(gap, measureGap(joints, poses));
    if ((done - 1) % penetrationEvery === 0) {
      const { max } = measurePenetration(shapes, poses, statics);
      if (!(max <= penetrationPeak)) penetrationPeak = max;
    }
    if (done > steps - QUIET_STEPS) energies.push(measureEnergy(bodies, before, poses, scene.timeStep));
  }
  const row = {
    steps: done,
    bodies: bodies.length,
    startError: startError(bodies, start),
    medianMs: percentile(times, 0.5),
    cpuMs: percentile(works, 0.5),
    p99Ms: percentile(times, 0.99),
    firstMs,
    times,
    meanMs: times.reduce((sum, t) => sum + t, 0) / times.length,
    lateMedianMs: percentile(times.slice(-120), 0.5),
    readMs: percentile(reads, 0.5),
    rssMb: process.memoryUsage().rss / 1048576,
    hash: hashPoses(poses),
    note: world.describe?.(),
  };
  if (quality) {
    const end = measurePenetration(shapes, poses, statics);
    row.penetrationPeak = Math.max(penetrationPeak, end.max);
    row.penetrationEnd = end.max;
    row.penetrationMean = end.mean;
    if (joints.length > 0) Object.assign(row, { gap, gapEnd: measureGap(joints, poses) });
    row.contacts = end.contacts;
    row.energy = percentile(energies, 0.5);
    Object.assign(row, judge(measure, { start, late, end: poses, done, settle, timeStep: scene.timeStep }));
  }
  world.dispose();
  return row;
}

/** Of each end of a joint: which moving body it is on, -1 none, and where in its axes, or in the world [m]. */
function heldPlaces(scene, joint) {
  const statics = fixedBodies(scene).length;
  return placeJoint(scene, joint).ends.map(({ index, anchor }) =>
    index >= statics ? { index: index - statics, anchor } : { index: -1, anchor: joint.anchor },
  );
}

/** Largest difference between a position written and read back before the first step [m]: the adapter's own check. */
function startError(bodies, start) {
  let worst = 0;
  bodies.forEach(({ position }, i) => {
    for (let axis = 0; axis < 3; axis++) worst = Math.max(worst, Math.abs(start[7 * i + axis] - position[axis]));
  });
  return worst;
}

/** Displacements, and whatever answer the scene has. */
function judge(measure, { start, late, end, done, settle, timeStep }) {
  const drift = measureDrift(start, end);
  const row = {
    move: drift.move,
    driftHorizontal: drift.horizontal,
    driftVertical: drift.vertical,
    late: measureDrift(late, end).move,
  };
  if (measure.standTolerance) {
    row.stands = drift.move < measure.standTolerance;
    row.expectStand = measure.expectStand;
  }
  if (measure.pile) Object.assign(row, measurePile(measure.pile, end));
  if (measure.slide) Object.assign(row, measureSlide(measure.slide, start, end));
  if (measure.slope) {
    const { down, acceleration } = measure.slope;
    row.slid = distanceAlong(start, end, down);
    row.slidExpected = 0.5 * acceleration * (done * timeStep) ** 2;
    row.creep = done > settle ? distanceAlong(late, end, down) / ((done - settle) * timeStep) : Number.NaN;
  }
  return row;
}

/** Row of a scan: { trials, value }; each trial is one small world. */
export function runScan(engine, name, options) {
  const { parameters, steps, build, passes, until } = SCANS[name];
  const trials = [];
  for (const parameter of parameters) {
    const trial = tryParameter(engine, build(parameter), steps, options);
    const passed = passes(trial);
    trials.push({ parameter, passed, ...trial });
    if (passed === (until === 'pass')) break;
  }
  return { trials, value: trials.findLast((trial) => trial.passed)?.parameter ?? null };
}

function tryParameter(engine, { scene, measure }, steps, { sleep }) {
  const world = engine.load(scene, { sleep });
  const count = movingBodies(scene).length;
  const start = new Float64Array(7 * count);
  const late = new Float64Array(7 * count);
  const end = new Float64Array(7 * count);
  world.readPoses(start);
  for (let step = 0; step < steps; step++) {
    world.step();
    if (step === steps - CREEP_STEPS - 1) world.readPoses(late);
  }
  world.readPoses(end);
  const note = world.describe?.();
  world.dispose();
  const trial = { move: measureDrift(start, end).move, note };
  if (measure.slope) {
    const { down, acceleration } = measure.slope;
    trial.slid = distanceAlong(start, end, down);
    trial.slidExpected = 0.5 * acceleration * (steps * scene.timeStep) ** 2;
    trial.creep = distanceAlong(late, end, down) / (CREEP_STEPS * scene.timeStep);
  }
  return trial;
}
