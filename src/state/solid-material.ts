// What a solid is made of: one list of its numbers with unit, default and range, used by the calls, the scene file and
// the columns alike. Defaults are those of a firm jelly.

import { above, fromZero, type MaterialNumber, type MaterialNumbers, resolveMaterial, within } from './material-number';

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
  /**
   * How much it narrows when it is drawn out [-], 0 to 0.49, of corotated ones from −0.9 on. Default 0.3. Near 0.5
   * linear tetrahedra lock.
   */
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
  /**
   * Von Mises stress above which it flows and keeps its new shape: clay, lead [Pa]. Default 0: it never does. Too
   * small: it gives way under its own weight, ρ g h.
   */
  yieldStress: number;
  /** Time in which stress above `yieldStress` falls to 1/e by flowing [s]. Default 0: within a step. */
  creepTime: number;
  /** Plastic strain, summed over all that happened to an element, at which it is elastic again [-]. Default 1. */
  plasticLimit: number;
}

/** All numbers of a material. */
export const SOLID_NUMBERS: MaterialNumbers<keyof SolidMaterial> = {
  radius: fromZero(
    'm',
    10,
    'Reach of the surface beyond the mesh [m]; 0: a twentieth of the mean edge of the boundary',
  ),
  density: above('kg/m³', 1e-3, 1e6, 'Mass over volume [kg/m³]'),
  youngModulus: above('Pa', 1e-3, 1e13, "Young's modulus [Pa]"),
  poissonRatio: within(-0.9, 0.49, 'Narrowing over stretch'),
  damping: fromZero('s', 1e3, 'Stiffness-proportional damping [s]'),
  friction: fromZero(
    '',
    1e6,
    'Coefficient of friction; of two objects, the geometric mean; against a body, by its rule',
  ),
  cohesion: fromZero('N', 1e9, 'Most a contact may pull [N]'),
  gravityScale: within(-1e6, 1e6, 'Factor on gravity'),
  compliance: fromZero('m/N', 1e6, 'How far a contact gives way [m/N]'),
  yieldStress: fromZero('Pa', 1e13, 'Von Mises stress above which it flows and keeps its new shape [Pa]; 0: never'),
  creepTime: fromZero('s', 1e6, 'Time in which stress above yieldStress falls to 1/e [s]; 0: within a step'),
  plasticLimit: fromZero('', 100, 'Plastic strain, summed up, at which an element is elastic again'),
};

/**
 * Fixed-corotated and neo-Hookean energies of a negative ratio have no bottom: λ < 0 wins over µ where a solid is
 * blown up, or crushed. Corotated ones are convex down to −1.
 */
export const FIRM_POISSON_RATIO: MaterialNumber = {
  ...SOLID_NUMBERS.poissonRatio,
  least: 0,
  meaning: 'Narrowing over stretch, of models but corotated',
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
  yieldStress: 0,
  creepTime: 0,
  plasticLimit: 1,
};

/** Places in ROD_WEAVE. */
export const SOLID_YIELD_STRESS = 0;
export const SOLID_CREEP_TIME = 1;
export const SOLID_PLASTIC_LIMIT = 2;

/** Where each number is: in ROD_PARAMETER from 0 on, in ROD_EXTRA from 8 on, in ROD_WEAVE from 12 on. */
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
  yieldStress: 12 + SOLID_YIELD_STRESS,
  creepTime: 12 + SOLID_CREEP_TIME,
  plasticLimit: 12 + SOLID_PLASTIC_LIMIT,
};

/** How many places there are. */
export const SOLID_PLACE_COUNT = 15;

/** Checks and completes a material. Throws UsageError: `addSolid: youngModulus must be > 0 [Pa], got 0`. */
export function resolveSolidMaterial(where: string, given: Partial<SolidMaterial>): SolidMaterial {
  return resolveMaterial(where, SOLID_NUMBERS, given, { ...SOLID_DEFAULTS });
}
