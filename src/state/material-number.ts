// The numbers of a material: unit and range of each, and the one way in which the calls, the scene file and the columns
// judge them. The lists are in rod-material, shell-material and solid-material.

import { refuse, requireFinite } from '../core/errors';

/** Meaning, unit and range of one number; `least` itself is allowed unless it is `strict`. */
export interface MaterialNumber {
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  /** Must be more than 0. */
  readonly strict: boolean;
  readonly meaning: string;
}

/** The list of a material's numbers. */
export type MaterialNumbers<Name extends string> = Readonly<Record<Name, MaterialNumber>>;

/** A number > 0, `least` to `most`. */
export function above(unit: string, least: number, most: number, meaning: string): MaterialNumber {
  return { unit, least, most, strict: true, meaning };
}

/** A number >= 0. */
export function fromZero(unit: string, most: number, meaning: string): MaterialNumber {
  return { unit, least: 0, most, strict: false, meaning };
}

/** A number without a unit, `least` to `most`. */
export function within(least: number, most: number, meaning: string): MaterialNumber {
  return { unit: '', least, most, strict: false, meaning };
}

/** What is expected of a number: `low` where it is not even positive (or finite), `range` where it is out of range. */
export function materialExpectations({ unit, least, most, strict }: MaterialNumber) {
  const shown = unit === '' ? '' : ` [${unit}]`;
  const range = `must be ${least}..${most}${shown}`;
  const low = strict ? `must be > 0${shown}` : least === 0 ? `must be >= 0${shown}` : range;
  return { finite: `must be a finite number${shown}`, low, range };
}

/** What is expected of a number, `must be > 0 [m]`; null if `value` is all right. */
export function expectMaterialNumber(number: MaterialNumber, value: number): string | null {
  const { least, most, strict } = number;
  if (value >= least && value <= most && (!strict || value > 0)) return null;
  const { finite, low, range } = materialExpectations(number);
  if (!Number.isFinite(value)) return finite;
  return (strict && !(value > 0)) || (least === 0 && value < 0) ? low : range;
}

/**
 * Writes what is given of a material over `out`, the defaults. Throws UsageError: `addRod: radius must be > 0 [m], got
 * -0.1`.
 */
export function resolveMaterial<Material extends object>(
  where: string,
  numbers: MaterialNumbers<keyof Material & string>,
  given: Partial<Material>,
  out: Material,
): Material {
  for (const name of Object.keys(numbers) as (keyof Material & string)[]) {
    const value: unknown = given[name];
    if (value === undefined) continue;
    const number = typeof value === 'number' ? value : requireFinite(where, name, value, numbers[name].unit);
    const expectation = expectMaterialNumber(numbers[name], number);
    if (expectation !== null) refuse(where, `${name} ${expectation}`, value);
    (out as Record<string, number>)[name] = number;
  }
  return out;
}
