// Strands that the tests of static equilibrium share, and what they do with them.

import { createActiveSetCholesky } from '../../src/math/band-preconditioners';
import { createMprgpWork, solveMprgp } from '../../src/math/mprgp';
import {
  createLagrangianWork,
  LAGRANGIAN_DEFAULTS,
  type LagrangianResult,
  type LagrangianSettings,
  optimiseStrand,
} from '../../src/static-equilibrium/augmented-lagrangian';
import type { EquilibriumBounds } from '../../src/static-equilibrium/bounds';
import {
  createDrawnStrand,
  type DrawnStrand,
  drawStrand,
  type StrandMaterial,
} from '../../src/static-equilibrium/drawn-strand';
import { createParameters, resetParameters, type StrandParameters } from '../../src/static-equilibrium/parameters';

export const HAIR: StrandMaterial = {
  ...{ radius: 3.7e-5, density: 1300 },
  ...{ youngModulus: 4e9, shearModulus: 1.35e9, stretchModulus: 4e9 },
};

/** A material by the paper's coefficients [0.1 Pa]. */
export function soft(bend: number, stretch = bend): StrandMaterial {
  const pascal = { youngModulus: bend / 10, shearModulus: bend / 20, stretchModulus: stretch / 10 };
  return { radius: 5e-5, density: 1300, ...pascal };
}

export function straight(n: number, length: number, x: number, y: number, z = 0): Float64Array {
  const at = (i: number, d: number) => (d * length * i) / (n - 1);
  return Float64Array.from({ length: 3 * n }, (_, k) => at(Math.floor(k / 3), [x, y, z][k % 3]));
}

/** A curl on its side. */
export function curl(n: number, size = 1, turns = 3.2): Float64Array {
  return Float64Array.from({ length: 3 * n }, (_, k) => {
    const s = Math.floor(k / 3) / (n - 1);
    const angle = 2 * Math.PI * turns * s;
    return size * [0.03 * Math.cos(angle) + 0.1 * s, -0.2 * s, 0.03 * Math.sin(angle)][k % 3];
  });
}

export function draw(points: Float64Array, material: StrandMaterial, gravity = [0, -9.81, 0]): DrawnStrand {
  const count = points.length / 3;
  const drawn = createDrawnStrand(count);
  drawStrand(drawn, points, 0, count, material, { gravity, forces: null, clampEnd: false });
  return drawn;
}

/** The augmented Lagrangian from the drawn shape, with the complete factor. */
export function optimise(
  drawn: DrawnStrand,
  bounds: EquilibriumBounds,
  change: Partial<LagrangianSettings> = {},
): { result: LagrangianResult; parameters: StrandParameters } {
  const settings = { ...LAGRANGIAN_DEFAULTS, ...change };
  const parameters = createParameters(drawn.nodes);
  resetParameters(parameters, drawn);
  const work = createLagrangianWork(drawn.nodes, settings);
  const mprgp = createMprgpWork(9 * drawn.nodes);
  const factor = createActiveSetCholesky();
  const result = optimiseStrand(parameters, drawn, bounds, settings, work, (program, stops) =>
    solveMprgp(program, factor, stops, mprgp),
  );
  return { result, parameters };
}
