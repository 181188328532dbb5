// Sheets against what is known in closed form: bending under their own weight, buckling sideways, on meshes unlike
// each other.
//
// Reference values: heavy elastica, plate column (D = E h³ / 12 (1 − ν²), Γ = ρ h g L³ / D), and the lateral
// buckling of Michell and Prandtl; both from the boundary-value problem in double precision. With ν = 0: else a strip
// this narrow is neither plate nor beam.
import { describe, expect, test } from 'vitest';
import { bySuite } from '../setup/suite';
import { bowGrowth, droop, MESHES } from './sheets';

/** Γ, reach and drop of the tip over the length. */
const ELASTICA: readonly (readonly [number, number, number])[] = [
  [1, 0.9912463953466442, 0.12347140198336687],
  [5, 0.8466571799542844, 0.4959050446223804],
  [10, 0.6563537612386011, 0.7001997155143042],
];

const show = (...values: unknown[]) => process.env.SHOW_ERRORS && console.log(...values);

/** Each kind of mesh in the long suite; here the least regular one. */
const MESHES_HERE = bySuite(
  MESHES.filter((kind) => kind === 'uneven'),
  MESHES,
);

describe('a strip of 4 × 40 cells held by one end', () => {
  test.each(MESHES_HERE)('hangs as the heavy elastica within 2 %: %s', (kind) => {
    // Squares in four are many: once is enough.
    for (const [gamma, reach, drop] of kind === 'in four' ? ELASTICA.slice(2) : ELASTICA) {
      const found = droop(gamma, 40, kind);
      show('elastica', kind, gamma, found.reach / reach - 1, found.drop / drop - 1);
      expect(Math.abs(found.drop / drop - 1)).toBeLessThan(0.02);
      expect(Math.abs(found.reach / reach - 1)).toBeLessThan(0.02);
    }
  });

  // The load is that of a strip without width: a width of a fortieth of the length adds 2.3 %, of a twentieth (40 × 2
  // cells) 4.5 %, whatever the mesh; squares in four, whose clamp is stiffer, 6 %.
  test.each(MESHES_HERE)('buckles sideways within 5 % of the load of Michell and Prandtl: %s', (kind) => {
    expect(bowGrowth(0.97, 80, 2, kind)).toBeLessThan(0);
    expect(bowGrowth(1.05, 80, 2, kind)).toBeGreaterThan(0);
  });
});

test('converges with the cells', () => {
  const [gamma, , drop] = ELASTICA[1];
  const errors = [10, 20, 40].map((cells) => Math.abs(droop(gamma, cells, 'turns').drop / drop - 1));
  show('convergence', errors);
  expect(errors[2]).toBeLessThan(0.01);
});
