// What a shell is made of: one list of its numbers with unit, default and range, used by the calls, the scene file and
// the columns alike. Defaults are those of a cotton shirt.

import { above, fromZero, type MaterialNumbers, resolveMaterial, within } from './material-number';

/** The numbers of a shell's material. */
export interface ShellMaterial {
  /** [m]. Surfaces rest at the sum of their half thicknesses. Default 0.001. */
  thickness: number;
  /** [kg/m³]; mass per area is density × thickness. Default 300. */
  density: number;
  /** Against bending [Pa]: E_b h³/12(1 − ν²) is the plate's stiffness. Default stretchModulus. */
  bendingModulus: number;
  /** Against shear within the surface [Pa]. Default 0: as stretchModulus and poissonRatio have it. */
  shearModulus: number;
  /** Against stretch [Pa]. Default 1e6. */
  stretchModulus: number;
  /** Stiffness-proportional damping [s]. Default 0.001. */
  damping: number;
  /**
   * Coulomb coefficient [-]. Of two shells the geometric mean counts, against a body its rule (`combineFriction`;
   * without one the geometric mean, too). Default 0.3.
   */
  friction: number;
  /** Most a contact may pull before it lets go [N]. Default 0. */
  cohesion: number;
  /** Factor on gravity [-]. Default 1. */
  gravityScale: number;
  /** Pressure of the air per square of the speed along a face's normal [kg/m³]; a flat plate: about 1. Default 0. */
  airDrag: number;
  /** How far a contact gives way [m/N]. Default 0. */
  compliance: number;
  /** How much it narrows when it is drawn out [-], −0.9 to 0.49. Default 0.3. */
  poissonRatio: number;
  /**
   * Against stretch across the warp [Pa], where cloth is stiffer one way than the other: `stretchModulus` is then that
   * along the warp. Default 0: the same both ways.
   */
  weftModulus: number;
  /** Share of its length by which an edge may be stretched at most [-], 0: by whatever the load does. Default 0. */
  strainLimit: number;
}

/** All numbers of a material, in the order of ROD_PARAMETER (8), ROD_EXTRA (4) and ROD_WEAVE. */
export const SHELL_NUMBERS: MaterialNumbers<keyof ShellMaterial> = {
  thickness: above('m', 1e-6, 10, 'Thickness [m]'),
  density: above('kg/m³', 1e-3, 1e6, 'Mass over volume [kg/m³]; mass per area is density × thickness'),
  bendingModulus: above('Pa', 1e-6, 1e13, 'Modulus of bending [Pa]; without one stretchModulus'),
  shearModulus: fromZero('Pa', 1e13, 'Modulus of shear within the surface [Pa]; 0: that of stretchModulus'),
  stretchModulus: above('Pa', 1e-3, 1e13, 'Modulus of stretch [Pa]'),
  damping: fromZero('s', 1e3, 'Stiffness-proportional damping [s]'),
  friction: fromZero(
    '',
    1e6,
    'Coefficient of friction; of two shells, the geometric mean; against a body, by its rule',
  ),
  cohesion: fromZero('N', 1e9, 'Most a contact may pull [N]'),
  gravityScale: within(-1e6, 1e6, 'Factor on gravity'),
  airDrag: fromZero('kg/m³', 1e6, 'Pressure of the air per square of the speed along a normal [kg/m³]'),
  compliance: fromZero('m/N', 1e6, 'How far a contact gives way [m/N]'),
  poissonRatio: within(-0.9, 0.49, 'Narrowing over stretch'),
  weftModulus: fromZero('Pa', 1e13, 'Modulus of stretch across the warp [Pa]; 0: stretchModulus'),
  strainLimit: fromZero('', 10, 'Most an edge may be stretched, as a share of its length; 0: no limit'),
};

/** Names in the order of ROD_PARAMETER, ROD_EXTRA, ROD_WEAVE. */
export const SHELL_NUMBER_NAMES = Object.keys(SHELL_NUMBERS) as readonly (keyof ShellMaterial)[];

/** A shirt's numbers; bendingModulus is filled in by `resolveShellMaterial`. */
export const SHELL_DEFAULTS = {
  thickness: 0.001,
  density: 300,
  shearModulus: 0,
  stretchModulus: 1e6,
  damping: 0.001,
  friction: 0.3,
  cohesion: 0,
  gravityScale: 1,
  airDrag: 0,
  compliance: 0,
  poissonRatio: 0.3,
  weftModulus: 0,
  strainLimit: 0,
} as const;

/** Checks and completes a material. Throws UsageError: `addShell: thickness must be > 0 [m], got 0`. */
export function resolveShellMaterial(where: string, given: Partial<ShellMaterial>): ShellMaterial {
  const out: ShellMaterial = { bendingModulus: 0, ...SHELL_DEFAULTS };
  resolveMaterial(where, SHELL_NUMBERS, given, out);
  if (given.bendingModulus === undefined) out.bendingModulus = out.stretchModulus;
  return out;
}
