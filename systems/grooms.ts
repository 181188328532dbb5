// Many strands as one entity: a groom.

import { refuse, requireFinite } from '../src/core/errors';
import type { StrandRest } from '../src/state/strand-rest';
import { type Physics, requirePhysics } from './physics';
import { addStrands, MOST_NODES, OPTION_KEYS, type RodOptions, requireCentreLine, requireKnownKeys } from './rod-spec';
import { readStrandRest } from './strand-rest';

export interface GroomSpec extends RodOptions {
  /** As a groom reader gives it: nodes of each strand, at least 2, and all points flat, x y z, strand after strand [m]. */
  strands: {
    readonly counts: ArrayLike<number>;
    readonly positions: ArrayLike<number>;
    /** Rest lengths, curvatures, twists and stiffness that differ along strands; an entry for each point, as positions have them. */
    readonly rest?: StrandRest;
  };
  /** The shape without stress, flat, as many. Default the positions. */
  restPositions?: ArrayLike<number>;
  /** Entity of the body that the roots follow; another name of attachStart. */
  attach?: number;
}

const KEYS = ['strands', 'restPositions', 'attach', ...OPTION_KEYS];

/**
 * Adds an entity with Groom: many strands of one material. Their starts are clamped unless clampStart is false.
 * Throws UsageError on wrong input, before anything is added; `resampleGroom` removes what is degenerate in a file.
 */
export function addGroom(physics: Physics, spec: GroomSpec): number {
  const where = 'addGroom';
  requirePhysics(physics, where);
  requireKnownKeys(where, spec, KEYS);
  const { strands, restPositions, attach, ...options } = spec;
  if (attach !== undefined) {
    if (options.attachStart !== undefined) refuse(where, 'attach must not be given with attachStart', attach);
    options.attachStart = attach;
  }
  const counts = readCounts(where, strands?.counts);
  let nodes = 0;
  for (let s = 0; s < counts.length; s++) nodes += counts[s];
  if (nodes > MOST_NODES) refuse(where, `points of all rods must be at most ${MOST_NODES}`, nodes);
  const points = readNumbers(where, 'strands.positions', strands.positions, 3 * nodes);
  const rest = restPositions === undefined ? points : readNumbers(where, 'restPositions', restPositions, 3 * nodes);
  requireCentreLine(where, points, counts, (strand, point) => `point ${point} of strand ${strand}`);
  if (rest !== points) {
    requireCentreLine(where, rest, counts, (strand, point) => `rest point ${point} of strand ${strand}`);
  }
  const along = readStrandRest(where, 'strands.rest', strands.rest, counts, true);
  if (along?.curvatures && rest !== points)
    refuse(where, 'strands.rest.curvatures must not be given with restPositions', 'both');
  return addStrands(physics, where, options, true, { counts, points, rest, twist: null, restTwist: null, along });
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
