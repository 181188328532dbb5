// Rest shape and stiffness along a strand as a game gives them: checked and copied.

import { refuse, refuseKey, requireFinite } from '../src/core/errors';
import type { StrandRest } from '../src/state/strand-rest';

/** Numbers a node, what they must be, and where an entry has an effect: on edges, at inner nodes. */
interface Field {
  readonly width: number;
  readonly on: 'edge' | 'node';
  readonly least: number;
  readonly most: number;
  readonly expectation: string;
  readonly unit?: string;
}

const factor = (on: Field['on']): Field => ({
  width: 1,
  on,
  least: 0,
  most: 1e6,
  expectation: 'must be >= 0 and <= 1e6',
});

const FIELDS: Readonly<Record<keyof StrandRest, Field>> = {
  lengths: { width: 1, on: 'edge', least: 1e-7, most: 1e6, expectation: 'must be >= 1e-7 and <= 1e6 [m]', unit: 'm' },
  curvatures: { width: 4, on: 'node', least: -1e6, most: 1e6, expectation: 'must be within ±1e6' },
  twists: { width: 1, on: 'node', least: -1e6, most: 1e6, expectation: 'must be within ±1e6 [rad]', unit: 'rad' },
  stretchFactors: { ...factor('edge'), least: 1e-6, expectation: 'must be >= 1e-6 and <= 1e6' },
  bendFactors: factor('node'),
  twistFactors: factor('node'),
};
const NAMES = Object.keys(FIELDS) as (keyof StrandRest)[];

/**
 * A copy of `given`, or null for none. `counts`: nodes of each strand. Entries without effect may be anything. Throws
 * UsageError, which names the strand of a groom (`isGroom`) and the node.
 */
export function readStrandRest(
  where: string,
  name: string,
  given: unknown,
  counts: ArrayLike<number>,
  isGroom: boolean,
): StrandRest | null {
  if (given === undefined || given === null) return null;
  if (typeof given !== 'object') refuse(where, `${name} must be an object`, given);
  for (const key of Object.keys(given)) if (!(key in FIELDS)) refuseKey(where, key, NAMES, `key of ${name}`);
  let nodes = 0;
  for (let s = 0; s < counts.length; s++) nodes += counts[s];
  const out: { -readonly [K in keyof StrandRest]: Float64Array } = {};
  for (const key of NAMES) {
    const list = (given as Record<string, ArrayLike<unknown> | undefined>)[key];
    if (list === undefined) continue;
    const field = FIELDS[key];
    const length = field.width * nodes;
    if (typeof list !== 'object' || list === null || list.length !== length) {
      const got = typeof list === 'object' && list !== null ? `${list.length} numbers` : list;
      refuse(
        where,
        `${name}.${key} must be ${field.width === 1 ? 'a number' : `${field.width} numbers`} a point, ${length}`,
        got,
      );
    }
    out[key] = readField(where, `${name}.${key}`, list, field, counts, isGroom);
  }
  return out;
}

function readField(
  where: string,
  name: string,
  list: ArrayLike<unknown>,
  field: Field,
  counts: ArrayLike<number>,
  isGroom: boolean,
): Float64Array {
  const out = new Float64Array(list.length);
  let first = 0;
  for (let s = 0; s < counts.length; s++) {
    const from = field.on === 'edge' ? 0 : 1;
    for (let i = from; i < counts[s] - 1; i++) {
      for (let k = field.width * (first + i); k < field.width * (first + i + 1); k++) {
        const x = list[k];
        if (typeof x === 'number' && x >= field.least && x <= field.most) {
          out[k] = x;
          continue;
        }
        const at = isGroom ? `${name} at point ${i} of strand ${s}` : `${name}[${k}]`;
        requireFinite(where, at, x, field.unit ?? '1');
        refuse(where, `${at} ${field.expectation}`, x);
      }
    }
    first += counts[s];
  }
  return out;
}
