// One strand, sag-free: from its drawn shape to parameters in equilibrium, and a stable one.
//
// Free ends: the internal forces are determined by loads and shape, so the best parameters follow edge by edge and node
// by node, exactly (internal-forces, nearest-parameters): the minimum that the augmented Lagrangian finds in dozens of
// Newton steps, at the cost of a fraction of one. Held at both ends, or without stiffness factors: the augmented
// Lagrangian. Where the stiffness is not positive definite with a margin, bending and twist get a floor, doubled until
// it suffices and then refined: highest at the root and falling with the square of the length that hangs on it; even
// where the augmented Lagrangian finds the forces.

import { createActiveSetCholesky } from '../math/band-preconditioners';
import { solveInteriorPoint } from '../math/interior-point';
import { createMprgpWork, type FacePreconditioner, type MprgpWork, solveMprgp } from '../math/mprgp';
import {
  createLagrangianWork,
  LAGRANGIAN_DEFAULTS,
  type LagrangianSettings,
  type LagrangianWork,
  optimiseStrand,
} from './augmented-lagrangian';
import { createDrawnStrand, type DrawnStrand, drawStrand, type StrandLoads, type StrandMaterial } from './drawn-strand';
import { createInternalForces, findInternalForces, type InternalForces } from './internal-forces';
import { fitParameters } from './nearest-parameters';
import { addForces, createParameters, forceLeft, resetParameters, type StrandParameters } from './parameters';
import type { ResolvedSagFree } from './sag-free-options';
import {
  countBelow,
  createStabilityWork,
  leastEigenvalue,
  type StabilityWork,
  writeGeometricStiffness,
  writeStiffness,
} from './stability';

/** What became of a strand. */
export interface StrandOutcome {
  /** Largest force left on a node over its weight [1]; torques by the mean edge. */
  force: number;
  /**
   * Least eigenvalue of its stiffness over its masses [1/s²]; negative: it leaves the drawn shape by
   * itself, as with NaN: too uneven.
   */
  eigenvalue: number;
  /** Floor that stability asked for, on the stiffness of the root [1]; 0 for none. */
  floor: number;
  /** Largest factors on bending, twist and stretch stiffness [1]. */
  bend: number;
  twist: number;
  stretch: number;
}

/** Room to bake strands of at most `most` nodes, one after another. */
export interface Baker {
  readonly drawn: DrawnStrand;
  /** Of the last strand. */
  readonly parameters: StrandParameters;
  readonly settings: ResolvedSagFree;
  readonly forces: InternalForces;
  readonly stability: StabilityWork;
  readonly force: Float64Array;
  /** Least factors by node. */
  readonly floors: Float64Array;
  iterative: {
    settings: LagrangianSettings;
    work: LagrangianWork;
    mprgp: MprgpWork;
    factor: FacePreconditioner;
  } | null;
  readonly most: number;
}

/**
 * Least eigenvalue wanted, of that of a pendulum as long as the strand, g/L [1]. A strand that hangs straight has 1.45.
 */
const MARGIN = 0.25;
/**
 * Shortest edge, of the mean one [1]. With one of 1e-3 a strand of five edges moves by 0.5 % of its length within a
 * second, with one of 1e-2 by 1e-17.
 */
const SHORTEST_SHARE = 5e-3;
/** Largest floor tried [1]. */
const HIGHEST_FLOOR = 1e8;
/** How close the floor is found [1]; coarser where every trial is an optimisation. */
const FLOOR_TOLERANCE = 0.05;
const COARSE_TOLERANCE = 0.3;

export function createBaker(most: number, settings: ResolvedSagFree): Baker {
  return {
    drawn: createDrawnStrand(most),
    parameters: createParameters(most),
    settings,
    forces: createInternalForces(most),
    stability: createStabilityWork(most),
    force: new Float64Array(4 * most),
    floors: new Float64Array(most),
    iterative: null,
    most,
  };
}

/** Bakes a strand of `count` points from point `first` on into baker.parameters; `out` says how it went. */
export function bakeStrand(
  out: StrandOutcome,
  baker: Baker,
  points: ArrayLike<number>,
  first: number,
  count: number,
  material: StrandMaterial,
  loads: StrandLoads,
): void {
  const { drawn, parameters, settings, forces, stability } = baker;
  drawStrand(drawn, points, first, count, material, loads);
  baker.floors.fill(0, 0, count);
  out.floor = 0;
  const determined = settings.stiffness && !loads.clampEnd && findInternalForces(forces, drawn) < 0;
  if (determined) fitParameters(parameters, drawn, forces, settings.bounds, baker.floors);
  else optimise(baker, 1);

  writeGeometricStiffness(stability, drawn, parameters);
  writeStiffness(stability, drawn, parameters);
  const wanted = (MARGIN * drawn.acceleration) / drawn.total;
  if (settings.stiffness && settings.stabilise && countBelow(stability, drawn, wanted) > 0) {
    const tolerance = determined ? FLOOR_TOLERANCE : COARSE_TOLERANCE;
    out.floor = stabilise(baker, wanted, tolerance, determined ? applyFloor : optimiseAbove);
  }
  out.eigenvalue = isTooUneven(drawn) ? Number.NaN : leastEigenvalue(stability, drawn);
  addForces(baker.force, drawn, parameters);
  out.force = forceLeft(baker.force, drawn);
  out.bend = 1;
  out.twist = 1;
  out.stretch = 1;
  for (let i = 1; i < count - 1; i++) {
    out.bend = Math.max(out.bend, parameters.bendFactor[i]);
    out.twist = Math.max(out.twist, parameters.twistFactor[i]);
    out.stretch = Math.max(out.stretch, parameters.stretchFactor[i]);
  }
}

/** Whether an edge is so short that steps of the engine do not keep the equilibrium about it, exact as it is. */
function isTooUneven({ nodes, length, total }: DrawnStrand): boolean {
  const shortest = (SHORTEST_SHARE * total) / (nodes - 1);
  for (let i = 0; i < nodes - 1; i++) if (length[i] < shortest) return true;
  return false;
}

/**
 * The augmented Lagrangian for a material that is stiffer by `floor` in bending and twist;
 * the factors are the drawn one's.
 */
function optimise(baker: Baker, floor: number): void {
  const { drawn, parameters, settings } = baker;
  if (baker.iterative === null) {
    // The rest shape alone often cannot do it: then as a penalty, as the method before the paper's.
    const own = { ...LAGRANGIAN_DEFAULTS, stiffness: settings.stiffness, hard: settings.stiffness, mostSteps: 100 };
    baker.iterative = {
      settings: own,
      work: createLagrangianWork(baker.most, own),
      mprgp: createMprgpWork(7 * baker.most),
      factor: createActiveSetCholesky(),
    };
  }
  const { settings: own, work, mprgp, factor } = baker.iterative;
  const bounds = {
    ...settings.bounds,
    softest: settings.bounds.softest / floor,
    stiffest: settings.bounds.stiffest / floor,
  };
  drawn.bend *= floor;
  drawn.twist *= floor;
  resetParameters(parameters, drawn);
  // Where many bounds are active MPRGP crawls; the interior point method then takes over from its iterate.
  optimiseStrand(parameters, drawn, bounds, own, work, (program, stops) => {
    const result = solveMprgp(program, factor, stops, mprgp);
    return result.converged ? result : solveInteriorPoint(program, stops);
  });
  drawn.bend /= floor;
  drawn.twist /= floor;
  for (let i = 1; i < drawn.nodes - 1; i++) {
    parameters.bendFactor[i] *= floor;
    parameters.twistFactor[i] *= floor;
  }
}

/** Another optimum, whose internal forces are others. */
function optimiseAbove(baker: Baker, floor: number): void {
  const { drawn, parameters, stability } = baker;
  optimise(baker, floor);
  writeGeometricStiffness(stability, drawn, parameters);
  writeStiffness(stability, drawn, parameters);
}

/**
 * Raises the floor until no eigenvalue is below `wanted`; returns it. Where none
 * suffices the strand stays as it was: 0.
 */
function stabilise(
  baker: Baker,
  wanted: number,
  tolerance: number,
  apply: (baker: Baker, floor: number) => void,
): number {
  const { drawn, stability } = baker;
  const highest = Math.min(HIGHEST_FLOOR, baker.settings.bounds.stiffest);
  let low = 1;
  let high = 1;
  const isStable = (floor: number): boolean => {
    apply(baker, floor);
    return countBelow(stability, drawn, wanted) === 0;
  };
  do {
    if (high >= highest) {
      apply(baker, 1);
      return 0;
    }
    low = high;
    high = Math.min(2 * high, highest);
  } while (!isStable(high));
  while (high > low * (1 + tolerance)) {
    const middle = Math.sqrt(low * high);
    if (isStable(middle)) high = middle;
    else low = middle;
  }
  apply(baker, high);
  return high;
}

/** The internal forces stay, and so does their stiffness. */
function applyFloor(baker: Baker, floor: number): void {
  const { drawn, parameters, forces, settings, floors, stability } = baker;
  const n = drawn.nodes;
  let hanging = 0;
  for (let i = n - 2; i > 0; i--) {
    hanging += drawn.length[i];
    floors[i] = floor * (hanging / drawn.total) ** 2;
  }
  fitParameters(parameters, drawn, forces, settings.bounds, floors);
  writeStiffness(stability, drawn, parameters);
}
