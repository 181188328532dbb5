// What a solid is made of: one list of its numbers with unit, default and range, used by the calls, the scene file and
// the columns alike. Defaults are those of a firm jelly.

import { refuse, requireFinite } from '../core/errors';
import type { RodNumber } from './rod-material';

/** The numbers of a solid's material. */
export interface SolidMaterial {
  /**
   * Reach of its surface beyond the mesh [m]: surfaces rest at the sum of theirs. Default 0: a twentieth of the mean
   * edge of its boundary.
   */
  radius: number;
  /** [kg/m³]. Default 1000. */
  density: number;
  /** Against stretch [Pa]. Default 1e5. */
  youngModulus: number;
  /** How much it narrows when it is drawn out [-], −0.9 to 0.49. Default 0.3. Near 0.5 linear tetrahedra lock. */
  poissonRatio: number;
  /** Stiffness-proportional damping [s]. Default 0.005. */
  damping: number;
  /**
   * Coulomb coefficient [-]. Of two elastic objects the geometric mean counts, against a body its rule
   * (`combineFriction`; without one the geometric mean, too). Default 0.5.
   */
  friction: number;
  /** Most a contact may pull before it lets go [N]. Default 0. */
  cohesion: number;
  /** Factor on gravity [-]. Default 1. */
  gravityScale: number;
  /** How far a contact gives way [m/N]. Default 0. */
  compliance: number;
}

const above = (unit: string, least: number, most: number, meaning: string): RodNumber => {
  return { unit, least, most, strict: true, meaning };
};
const fromZero = (unit: string, most: number, meaning: string): RodNumber => {
  return { unit, least: 0, most, strict: false, meaning };
};

/** All numbers of a material. */
export const SOLID_NUMBERS: Readonly<Record<keyof SolidMaterial, RodNumber>> = {
  radius: fromZero(
    'm',
    10,
    'Reach of the surface beyond the mesh [m]; 0: a twentieth of the mean edge of the boundary',
  ),
  density: above('kg/m³', 1e-3, 1e6, 'Mass over volume [kg/m³]'),
  youngModulus: above('Pa', 1e-3, 1e13, "Young's modulus [Pa]"),
  poissonRatio: { unit: '', least: -0.9, most: 0.49, strict: false, meaning: 'Narrowing over stretch' },
  damping: fromZero('s', 1e3, 'Stiffness-proportional damping [s]'),
  friction: fromZero(
    '',
    1e6,
    'Coefficient of friction; of two objects, the geometric mean; against a body, by its rule',
  ),
  cohesion: fromZero('N', 1e9, 'Most a contact may pull [N]'),
  gravityScale: { unit: '', least: -1e6, most: 1e6, strict: false, meaning: 'Factor on gravity' },
  compliance: fromZero('m/N', 1e6, 'How far a contact gives way [m/N]'),
};

export const SOLID_NUMBER_NAMES = Object.keys(SOLID_NUMBERS) as readonly (keyof SolidMaterial)[];

export const SOLID_DEFAULTS: Readonly<SolidMaterial> = {
  radius: 0,
  density: 1000,
  youngModulus: 1e5,
  poissonRatio: 0.3,
  damping: 0.005,
  friction: 0.5,
  cohesion: 0,
  gravityScale: 1,
  compliance: 0,
};

/** Where each number is: in ROD_PARAMETER from 0 on, in ROD_EXTRA from 8 on. */
export const SOLID_PLACES: Readonly<Record<keyof SolidMaterial, number>> = {
  radius: 0,
  density: 1,
  youngModulus: 4,
  damping: 5,
  friction: 6,
  cohesion: 7,
  gravityScale: 8,
  compliance: 10,
  poissonRatio: 11,
};

/** What is expected of a number, `must be > 0 [m]`; null if `value` is all right. */
export function expectSolidNumber(name: keyof SolidMaterial, value: number): string | null {
  const { unit, least, most, strict } = SOLID_NUMBERS[name];
  const shown = unit === '' ? '' : ` [${unit}]`;
  if (!Number.isFinite(value)) return `must be a finite number${shown}`;
  if (strict && !(value > 0)) return `must be > 0${shown}`;
  if (least === 0 && value < 0) return `must be >= 0${shown}`;
  if (value < least || value > most) return `must be ${least}..${most}${shown}`;
  return null;
}

/** Checks and completes a material. Throws UsageError: `addSolid: youngModulus must be > 0 [Pa], got 0`. */
export function resolveSolidMaterial(where: string, given: Partial<SolidMaterial>): SolidMaterial {
  const out = { ...SOLID_DEFAULTS };
  for (const name of SOLID_NUMBER_NAMES) {
    const value: unknown = given[name];
    if (value === undefined) continue;
    const number = typeof value === 'number' ? value : requireFinite(where, name, value, SOLID_NUMBERS[name].unit);
    const expectation = expectSolidNumber(name, number);
    if (expectation !== null) refuse(where, `${name} ${expectation}`, value);
    out[name] = number;
  }
  return out;
}
