// What a rod is made of: one list of its numbers with unit, default and range, used by the calls, the scene file and
// the columns alike. Defaults are those of human hair.
//
// The ranges keep every product that the mechanics forms (E r⁴, masses, 1/dt²) well inside double precision.

import { LARGEST_GRAVITY_SCALE } from './limits';
import { above, fromZero, type MaterialNumbers, resolveMaterial, within } from './material-number';
/** The numbers of a rod's material. */
export interface RodMaterial {
  /** Of the round section [m]. Default 3.7e-5. */
  radius: number;
  /** [kg/m³]. Default 1300. */
  density: number;
  /** Against bending [Pa]. Default 4e9. */
  youngModulus: number;
  /** Against twist [Pa]. Default 0.3375 × youngModulus. */
  shearModulus: number;
  /** Against stretch [Pa]. Default youngModulus; softer hair converges sooner and looks the same. */
  stretchModulus: number;
  /** Stiffness-proportional damping [s]. Default 0.001. */
  damping: number;
  /**
   * Coulomb coefficient [-]. Of two rods the geometric mean counts, against a body its rule (`combineFriction`; without
   * one the geometric mean, too). Default 0.2.
   */
  friction: number;
  /** Most a contact may pull before it lets go [N]. Default 0. */
  cohesion: number;
  /** Factor on gravity [-]. Default 1. */
  gravityScale: number;
  /** Rate at which a node takes on the speed of the air [1/s]. Default 0. */
  airDrag: number;
  /** How far a contact gives way [m/N]. Default 0. */
  compliance: number;
}

/** All numbers of a material, in the order of ROD_PARAMETER (8) and ROD_EXTRA (3). */
export const ROD_NUMBERS: MaterialNumbers<keyof RodMaterial> = {
  radius: above('m', 1e-7, 100, 'Radius of the round section [m]'),
  density: above('kg/m³', 1e-3, 1e6, 'Mass over volume [kg/m³]'),
  youngModulus: above('Pa', 1e-3, 1e14, 'Modulus of bending [Pa]'),
  shearModulus: above('Pa', 1e-3, 1e14, 'Modulus of twist [Pa]; without one 0.3375 × youngModulus'),
  stretchModulus: above('Pa', 1e-3, 1e14, 'Modulus of stretch [Pa]; without one youngModulus'),
  damping: fromZero('s', 1e3, 'Stiffness-proportional damping [s]'),
  friction: fromZero('', 1e6, 'Coefficient of friction; of two rods, the geometric mean; against a body, by its rule'),
  cohesion: fromZero('N', 1e9, 'Most a contact may pull [N]'),
  gravityScale: within(-LARGEST_GRAVITY_SCALE, LARGEST_GRAVITY_SCALE, 'Factor on gravity'),
  airDrag: fromZero('1/s', 1e6, 'Rate at which nodes take on the speed of the air [1/s]'),
  compliance: fromZero('m/N', 1e6, 'How far a contact gives way [m/N]'),
};

/** Names in the order of ROD_PARAMETER, then ROD_EXTRA. */
export const ROD_NUMBER_NAMES = Object.keys(ROD_NUMBERS) as readonly (keyof RodMaterial)[];

const SHEAR_SHARE = 0.3375;

/** A hair's numbers; the two moduli that depend on youngModulus are filled in by `resolveRodMaterial`. */
export const ROD_DEFAULTS = {
  radius: 3.7e-5,
  density: 1300,
  youngModulus: 4e9,
  damping: 0.001,
  friction: 0.2,
  cohesion: 0,
  gravityScale: 1,
  airDrag: 0,
  compliance: 0,
} as const;

/** Checks and completes a material. Throws UsageError: `addRod: radius must be > 0 [m], got -0.1`. */
export function resolveRodMaterial(where: string, given: Partial<RodMaterial>): RodMaterial {
  const out: RodMaterial = { shearModulus: 0, stretchModulus: 0, ...ROD_DEFAULTS };
  resolveMaterial(where, ROD_NUMBERS, given, out);
  if (given.shearModulus === undefined) out.shearModulus = SHEAR_SHARE * out.youngModulus;
  if (given.stretchModulus === undefined) out.stretchModulus = out.youngModulus;
  return out;
}
