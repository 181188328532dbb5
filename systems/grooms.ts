// Many strands as one entity: a groom.

import { refuse, refuseAs, requireFinite } from '../src/core/errors';
import type { BakedFor } from '../src/state/baked-strands';
import { resolveRodMaterial } from '../src/state/rod-material';
import type { StrandRest } from '../src/state/strand-rest';
import type { SagFreeOptions } from '../src/static-equilibrium/sag-free-options';
import { bakeAdded, keepOutcome, madeFor } from './bake-options';
import { type Physics, requirePhysics } from './physics';
import { addStrands, MOST_NODES, OPTION_KEYS, type RodOptions, requireCentreLine, requireKnownKeys } from './rod-spec';
import { readStrandRest } from './strand-rest';

export interface GroomSpec extends RodOptions {
  /**
   * As a groom reader gives it: nodes of each strand, at least 2, and all points flat, x y z, strand after strand [m].
   */
  strands: {
    readonly counts: ArrayLike<number>;
    readonly positions: ArrayLike<number>;
    /**
     * Rest lengths, curvatures, twists and stiffness that differ along strands; an entry for
     * each point, as positions have them.
     */
    readonly rest?: StrandRest;
    /**
     * As a baked file has it: what `rest` was found for. Material left out is taken from it, other material refused.
     */
    readonly baked?: BakedFor;
  };
  /** The shape without stress, flat, as many. Default the positions. */
  restPositions?: ArrayLike<number>;
  /** Entity of the body that the roots follow; another name of attachStart. */
  attach?: number;
  /**
   * Finds rest shape and stiffness such that the positions are a stable equilibrium under the world's gravity: hair
   * stays as drawn. Needs `enableSagFree`. Default false.
   */
  sagFree?: boolean | SagFreeOptions;
}

const KEYS = ['strands', 'restPositions', 'attach', 'sagFree', ...OPTION_KEYS];

/**
 * Adds an entity with Groom: many strands of one material. Their starts are clamped unless clampStart is false.
 * Throws UsageError on wrong input, before anything is added; `resampleGroom` removes what is degenerate in a file.
 */
export function addGroom(physics: Physics, spec: GroomSpec): number {
  const where = 'addGroom';
  requirePhysics(physics, where);
  const { counts, positions: points, options, sagFree } = readGroomSpec(where, spec);
  const { restPositions, strands } = spec;
  const rest = restPositions === undefined ? points : readNumbers(where, 'restPositions', restPositions, points.length);
  if (rest !== points) {
    requireCentreLine(where, rest, counts, (strand, point) => `rest point ${point} of strand ${strand}`);
  }
  if (strands.baked !== undefined) takeBakedMaterial(physics, where, strands.baked, options);
  let along = readStrandRest(where, 'strands.rest', strands.rest, counts, true);
  if (along?.curvatures && rest !== points)
    refuseAs(where, 'strands.rest.curvatures must not be given with restPositions', 'both');
  let outcome: Float64Array | null = null;
  if (sagFree !== false) {
    if (along !== null) refuseAs(where, 'sagFree must not be given with strands.rest', 'both');
    if (rest !== points) refuseAs(where, 'sagFree must not be given with restPositions', 'both');
    const baked = bakeAdded(physics, where, { counts, positions: points }, options, true, sagFree);
    along = readStrandRest(where, 'sagFree', baked.rest, counts, true);
    outcome = baked.outcome;
  }
  const eid = addStrands(physics, where, options, true, { counts, points, rest, twist: null, restTwist: null, along });
  keepOutcome(physics, eid, outcome);
  return eid;
}

/** Strands and options of a groom, checked and copied, `attach` taken as attachStart. */
export function readGroomSpec(
  where: string,
  spec: GroomSpec,
): { counts: Int32Array; positions: Float64Array; options: RodOptions; sagFree: boolean | SagFreeOptions } {
  requireKnownKeys(where, spec, KEYS);
  const { strands, restPositions: _, attach, sagFree = false, ...options } = spec;
  if (attach !== undefined) {
    if (options.attachStart !== undefined) refuse(where, 'attach must not be given with attachStart', attach);
    options.attachStart = attach;
  }
  const counts = readCounts(where, strands?.counts);
  let nodes = 0;
  for (let s = 0; s < counts.length; s++) nodes += counts[s];
  if (nodes > MOST_NODES) refuse(where, `points of all rods must be at most ${MOST_NODES}`, nodes);
  const positions = readNumbers(where, 'strands.positions', strands.positions, 3 * nodes);
  requireCentreLine(where, positions, counts, (strand, point) => `point ${point} of strand ${strand}`);
  return { counts, positions, options, sagFree };
}

/** Material left out of `options` becomes the baked one; what differs is refused. */
function takeBakedMaterial(physics: Physics, where: string, baked: BakedFor, options: RodOptions): void {
  for (const name of ['radius', 'density', 'youngModulus', 'shearModulus', 'stretchModulus'] as const) {
    options[name] ??= baked[name];
  }
  const here = madeFor(physics, resolveRodMaterial(where, options), options);
  for (const name of ['radius', 'density', 'youngModulus', 'shearModulus', 'stretchModulus'] as const) {
    if (Math.abs(here[name] - baked[name]) > 1e-9 * baked[name]) {
      refuse(where, `${name} must be ${baked[name]}, which the strands were baked for`, here[name]);
    }
  }
  if (here.clampEnd !== baked.clampEnd) {
    refuse(where, `clampEnd must be ${baked.clampEnd}, which the strands were baked for`, here.clampEnd);
  }
  for (let k = 0; k < 3; k++) {
    if (Math.abs(here.gravity[k] - baked.gravity[k]) > 1e-9) {
      const wanted = baked.gravity.join(', ');
      refuse(where, `gravity times gravityScale must be (${wanted}), which the strands were baked for`, here.gravity);
    }
  }
}

function readCounts(where: string, given: unknown): Int32Array {
  const list = given as ArrayLike<unknown> | null | undefined;
  if (typeof list !== 'object' || list === null || !(list.length > 0)) {
    refuse(where, 'strands.counts must be a list of at least 1 number of points', given);
  }
  for (let s = 0; s < list.length; s++) {
    const count = list[s];
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 2 || count > MOST_NODES) {
      refuse(where, `strands.counts[${s}] must be a whole number >= 2`, count);
    }
  }
  return Int32Array.from(list as ArrayLike<number>);
}

function readNumbers(where: string, name: string, given: unknown, length: number): Float64Array {
  const list = given as ArrayLike<unknown> | null | undefined;
  if (typeof list !== 'object' || list === null || list.length !== length) {
    refuse(where, `${name} must be ${length} numbers, 3 a point [m]`, given);
  }
  for (let k = 0; k < length; k++) {
    if (!Number.isFinite(list[k])) requireFinite(where, `${name}[${k}]`, list[k], 'm');
  }
  return Float64Array.from(list as ArrayLike<number>);
}
