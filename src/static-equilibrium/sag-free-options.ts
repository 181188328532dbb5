// The options of sag-free strands, as calls, scene files and the command line take them: names, defaults, checks.

import { refuse, refuseKey, requireFlag, requirePositive, requireVector } from '../core/errors';
import { DEFAULT_BOUNDS, type EquilibriumBounds } from './bounds';

export interface SagFreeOptions {
  /** 'stiffness-too' changes rest shape and stiffness, 'rest-shape' the rest shape alone, which may not suffice. */
  change?: 'stiffness-too' | 'rest-shape';
  /**
   * Most a rest curvature may differ from the drawn one [1], 2 tan of half the angle between edges. Default 1. Smaller:
   * stiffer strands; larger: strands that may snap to another shape when they are shaken.
   */
  curvatureChange?: number;
  /** Most a rest twist between edges may be [rad]. Default a quarter of curvatureChange. */
  twistChange?: number;
  /** Largest factor on a stiffness [1], 1 to 1e6. Default 1e6. Smaller: strands that cannot reach equilibrium. */
  stiffest?: number;
  /** Stiffens strands that would leave their drawn shape by themselves. Default true. */
  stabilise?: boolean;
  /**
   * Forces taken as given besides the weight, 3 a point [N]: those of contacts, as `rodContactForces` tells them of a
   * groom that lies still. Default none: contacts off.
   */
  forces?: ArrayLike<number>;
}

export interface ResolvedSagFree {
  readonly bounds: EquilibriumBounds;
  readonly stiffness: boolean;
  readonly stabilise: boolean;
  readonly forces: Float64Array | null;
}

const KEYS = ['change', 'curvatureChange', 'twistChange', 'stiffest', 'stabilise', 'forces'];

/**
 * Checks and completes the options for strands of `points` points in all; `true` stands for
 * the defaults. Throws UsageError.
 */
export function resolveSagFree(where: string, given: unknown, points = 0): ResolvedSagFree {
  if (given !== true && (typeof given !== 'object' || given === null)) {
    refuse(where, 'sagFree must be true or an object of options', given);
  }
  const options = (given === true ? {} : given) as SagFreeOptions;
  for (const key of Object.keys(options)) {
    if (!KEYS.includes(key)) refuseKey(where, key, KEYS, 'key of sagFree');
  }
  const change = options.change ?? 'stiffness-too';
  if (change !== 'stiffness-too' && change !== 'rest-shape') {
    refuse(where, "sagFree.change must be 'stiffness-too' or 'rest-shape'", change);
  }
  const number = (name: 'curvatureChange' | 'twistChange' | 'stiffest', otherwise: number): number => {
    const value = options[name];
    return value === undefined ? otherwise : requirePositive(where, `sagFree.${name}`, value);
  };
  const curvatureChange = number('curvatureChange', DEFAULT_BOUNDS.curvatureChange);
  const stiffest = number('stiffest', DEFAULT_BOUNDS.stiffest);
  // The material's own stiffness must be within the bounds.
  if (stiffest < 1) refuse(where, 'sagFree.stiffest must be >= 1', stiffest);
  if (stiffest > DEFAULT_BOUNDS.stiffest) {
    refuse(where, `sagFree.stiffest must be <= ${DEFAULT_BOUNDS.stiffest}`, stiffest);
  }
  return {
    bounds: { ...DEFAULT_BOUNDS, curvatureChange, twistChange: number('twistChange', curvatureChange / 4), stiffest },
    stiffness: change === 'stiffness-too',
    stabilise: requireFlag(where, 'sagFree.stabilise', options.stabilise ?? true),
    forces:
      options.forces === undefined
        ? null
        : Float64Array.from(requireVector(where, 'sagFree.forces', options.forces, 3 * points, 'N')),
  };
}
