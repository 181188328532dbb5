// Fields that many entries of the scene file have: places, rotations, names, files, and numbers of materials.

import * as v from 'valibot';
import { type MaterialNumber, materialExpectations } from '../state/material-number';
import { normalizeRotation } from './rotation';
import type { Quadruple, Triple } from './scene-types';
import { field, finite, got, open, quadruple, text, triple } from './schema-parts';

/** No rotation. */
export const UPRIGHT: Quadruple = [0, 0, 0, 1];
/** No velocity, no shift. */
export const STILL: Triple = [0, 0, 0];

export const point = triple('3 numbers [m]', finite('m'));
export const direction = v.pipe(
  triple('3 numbers', finite()),
  v.check((n) => n.some((x) => x !== 0), got('must not be zero')),
);
export const rotation = v.pipe(
  quadruple('4 numbers, a quaternion [x, y, z, w]', finite()),
  v.check((q) => q.some((x) => x !== 0), got('must not be zero, expected a quaternion [x, y, z, w]')),
  v.transform(normalizeRotation),
);
export const name = v.pipe(text(), v.minLength(1, got('must not be empty')));

/** Where a file is: no absolute path, no address. */
export const path = v.pipe(
  text(),
  v.minLength(1, got('must not be empty')),
  v.check((path) => !/^[/\\]|:|\0/.test(path), got('must be a path relative to the scene')),
);

/** One number of a material, within its range. */
function materialNumber(number: MaterialNumber) {
  const expected = materialExpectations(number);
  const low = got(expected.low);
  const range = got(expected.range);
  const plain = v.pipe(v.number(low), v.finite(low));
  if (!number.strict) return v.pipe(plain, v.minValue(number.least, low), v.maxValue(number.most, range));
  // What is not even positive is told as that.
  return v.pipe(
    plain,
    v.check((x) => x > 0, low),
    v.minValue(number.least, range),
    v.maxValue(number.most, range),
  );
}

/** The same as a field with a default. */
export function materialField(number: MaterialNumber, byDefault: number) {
  return field(materialNumber(number), number.meaning, byDefault);
}

/** The same as a field without one. */
export function openMaterialField(number: MaterialNumber) {
  return open(materialNumber(number), number.meaning);
}
