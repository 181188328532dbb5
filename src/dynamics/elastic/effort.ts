// How much a step does for each island of elastic things: iterations, sweeps, and what is exact enough.

import type { Effort } from '../../solvers/elastic/islands';
import { FINE_ITERATIONS, USUAL_ITERATIONS } from '../../state/elastic-settings';
import * as L from '../../state/layout';
import { RADIUS } from '../../state/material-places';
import { RANGE_COUNT } from '../../state/node-places';
import type { Engine } from '../engine';

/** δ∞ that is exact enough, as a share of the least radius [-]. */
export const EXACT = 0.1;

/** ADMM iterations of a step at most where the settings leave it to the engine: with solids, and what bears bodies. */
const BEARING_ITERATIONS = 100;
/**
 * What rests on a stack of solids goes through it in as many iterations as it weighs more than one of them, over
 * this: four blocks under 2000 times the mass of one need some 120, under 5000 times some 200 to 400 [-]. Only what
 * does not converge takes as many.
 */
const RATIO_OF_ITERATION = 10;
const MOST_BEARING_ITERATIONS = 600;
/**
 * Sweeps of an iteration, at least, where sheets or solids bear bodies: contacts of one body push each other, and what
 * weighs a thousand times a node under it sinks in and rocks where they are left half done. They are the cheap part,
 * and save iterations. What presses a node against the ground is pushed back in turns, by a share of node over body
 * each time: one more for every SWEEP_RATIO of body over node. (A ball on a sheet of 0.8 g a node over the floor stops
 * in one step with 100 sweeps at 300 kg, with 400 at a ton; with 40, 2 mm and all of the way too deep.)
 */
const BEARING_SWEEPS = 40;
const MOST_BEARING_SWEEPS = 1000;
const SWEEP_RATIO = 3500;
/**
 * Sweeps of an iteration, at least, where solids touch: a tenth of an iteration's time, and the friction of heaps is
 * half as far off as with 5. (Rings, toys, a mill and a wedge of 9 to 30 solids: residual at the 90th percentile 0.4,
 * 0.7, 0.6 and 0.5 of what it was, iterations 0.84 to 0.92, the same processor time.)
 */
const SOLID_SWEEPS = 10;

/** Share of the tolerance to which a step is solved while what could sleep is awake [-]. */
const CALM_SHARE = 0.05;

/** What of an island decides on it. */
export interface Load {
  hasSurface: boolean;
  hasVolume: boolean;
  /** Bodies that take part. */
  bodies: number;
  /** Least inverse mass of a body, ∞ none [1/kg]. */
  inverse: number;
  /** Lightest solid and lightest node, ∞ none [kg]. */
  mass: number;
  node: number;
  /** Least radius [m]. */
  radius: number;
  /** A solid, and anything else, has been calm for long enough to sleep. */
  isVolumeCalm: boolean;
  isCalm: boolean;
  /** Something touches one of its objects, or a body is in it. */
  isGoing: boolean;
}

/** Nothing yet. */
export function createLoad(): Load {
  const none = Number.POSITIVE_INFINITY;
  return {
    hasSurface: false,
    hasVolume: false,
    bodies: 0,
    inverse: none,
    mass: none,
    node: none,
    radius: none,
    isVolumeCalm: false,
    isCalm: false,
    isGoing: false,
  };
}

/** Nothing again. */
export function clearLoad(load: Load): void {
  load.hasSurface = load.hasVolume = load.isVolumeCalm = load.isCalm = load.isGoing = false;
  load.bodies = 0;
  load.inverse = load.mass = load.node = load.radius = Number.POSITIVE_INFINITY;
}

/** load, with an object; `isAwake`: it neither sleeps nor is ill, `isActive`: something touches it. */
export function addObjectLoad(
  { arena, tables, settings }: Engine,
  load: Load,
  object: number,
  isAwake: boolean,
  isActive: boolean,
): void {
  const { nodes, strands, rods } = tables;
  const isVolume = strands.tetrahedra[2 * object + RANGE_COUNT] > 0;
  if (strands.triangles[2 * object + RANGE_COUNT] > 0) load.hasSurface = true;
  let sum = 0;
  // Masses matter where something bears bodies: in worlds of strands alone nothing does.
  const hasSurfaces = arena.i32[L.TRIANGLE_COUNT >> 2] > 0;
  const end = hasSurfaces ? strands.first[object] + strands.nodes[object] : 0;
  for (let node = strands.first[object]; node < end; node++) {
    const own = nodes.mass[2 * node];
    sum += own;
    if (own > 0 && own < load.node) load.node = own;
  }
  if (isVolume) {
    load.hasVolume = true;
    if (isActive) load.mass = Math.min(load.mass, sum);
  }
  if (isActive) load.isGoing = true;
  load.radius = Math.min(load.radius, rods.parameter[8 * strands.rod[object] + RADIUS]);
  // What never slept: isKeptAwake.
  if (!settings.sleeping || !isAwake || !(strands.calm[object] > settings.sleepDelay)) return;
  if (isActive) load.isCalm = true;
  if (isVolume) load.isVolumeCalm = true;
}

/** load, with a body that takes part. */
export function addBodyLoad({ tables }: Engine, load: Load, body: number): void {
  const inverse = tables.bodies.inverseMass[body];
  load.bodies++;
  load.isGoing = true;
  if (inverse > 0) load.inverse = Math.min(load.inverse, inverse);
}

/** Iterations for the heaviest body that takes part, on the lightest of the solids that do. */
function bearingIterations({ inverse, mass }: Load): number {
  const wanted = Math.ceil(1 / (inverse * mass * RATIO_OF_ITERATION));
  return Math.max(BEARING_ITERATIONS, Math.min(MOST_BEARING_ITERATIONS, wanted));
}

/** Sweeps for the heaviest body that takes part, on the lightest node. */
function bearingSweeps({ inverse, node }: Load): number {
  const wanted = Math.ceil(1 / (inverse * node * SWEEP_RATIO));
  return Math.max(BEARING_SWEEPS, Math.min(MOST_BEARING_SWEEPS, wanted));
}

/**
 * Whether a solid, or what bears bodies, has been calm for long enough and is awake all the same: mostly kept so by
 * what the solver leaves, contacts at the limit of friction that creep by the tolerance, in turns, and crates that rock
 * by it on ropes. Stacks of ten blocks that never slept do after 64 to 127 steps; with a fifth of the tolerance some
 * still do not.
 */
const isKeptAwake = ({ isVolumeCalm, isCalm, bodies }: Load): boolean => isVolumeCalm || (isCalm && bodies > 0);

/** What is done for an island with such a load; `allowed`: iterations at most. */
export function effortOf({ settings }: Engine, load: Load, allowed: number): Effort {
  const { iterations, sweeps, tolerance } = settings.elastic;
  const isAuto = iterations === 'auto';
  const { hasSurface, hasVolume } = load;
  const isBearing = isAuto && load.inverse < Number.POSITIVE_INFINITY && hasSurface;
  // Hair that is cut short is a good part of its radius off, and gets through hair. Of 200 real hairs on a shaken ball
  // 38 of 60 steps missed 0.01 mm with 25, none with 50: 27 on average, and cheaper, as nothing is kept apart after it.
  const isThin = isAuto && tolerance > EXACT * load.radius;
  // Cloth that is cut short stretches where it is held: a cape that turns at 10 m/s, whose solves take 40 to 55, by
  // 18.0 % with 25, by 16.5 with 50, by 10 with 100; as often as the benchmark looks, by 17.8, 13.3 and 10.0.
  const fine = isThin || hasSurface ? FINE_ITERATIONS : USUAL_ITERATIONS;
  const many = isBearing && hasVolume ? bearingIterations(load) : BEARING_ITERATIONS;
  const isFine = isKeptAwake(load);
  const usual = isBearing || hasVolume || isFine ? many : fine;
  const least = isBearing ? bearingSweeps(load) : isAuto && hasVolume ? SOLID_SWEEPS : 0;
  return {
    iterations: Math.min(allowed, isAuto ? usual : iterations),
    sweeps: Math.max(sweeps, least),
    tolerance: (isFine ? CALM_SHARE : 1) * tolerance,
  };
}

/** Iterations that the budget of a world is asked for: what an island gets at most. */
export function mostIterations({ settings }: Engine): number {
  const { iterations } = settings.elastic;
  return iterations === 'auto' ? MOST_BEARING_ITERATIONS : iterations;
}
