// Sheets against what is known in closed form: bending under their own weight, buckling sideways, on meshes unlike
// each other.
//
// Reference values: heavy elastica, plate column (D = E h³ / 12 (1 − ν²), Γ = ρ h g L³ / D), and the lateral buckling
// of Michell and Prandtl; both from the boundary-value problem in double precision. With ν = 0: else a strip this
// narrow is neither plate nor beam.
import { describe, expect, test } from 'vitest';
import { bucklingLoad, droop, MESHES } from './sheets';

/** Γ, reach and drop of the tip over the length. */
const ELASTICA: readonly (readonly [number, number, number])[] = [
  [1, 0.9912463953466442, 0.12347140198336687],
  [5, 0.8466571799542844, 0.4959050446223804],
  [10, 0.6563537612386011, 0.7001997155143042],
];

const show = (...values: unknown[]) => process.env.SHOW_ERRORS && console.log(...values);

describe('a strip of 4 × 40 cells held by one end', () => {
  test.each(MESHES)('hangs as the heavy elastica within 2 %%, mesh: %s', (kind) => {
    for (const [gamma, reach, drop] of ELASTICA) {
      const found = droop(gamma, 40, kind);
      show('elastica', kind, gamma, found.reach / reach - 1, found.drop / drop - 1);
      expect(Math.abs(found.drop / drop - 1)).toBeLessThan(0.02);
      expect(Math.abs(found.reach / reach - 1)).toBeLessThan(0.02);
    }
  });

  // The strip's clamp keeps it from warping, by which one of finite width is stiffer: half a width to a length of ten
  // tells.
  test.each(MESHES)('buckles sideways at the load of Michell and Prandtl within 5 %%, mesh: %s', (kind) => {
    const load = bucklingLoad(40, 2, kind);
    show('buckling', kind, load, process.env.SHOW_ERRORS && [bucklingLoad(40, 4, kind), bucklingLoad(80, 4, kind)]);
    expect(Math.abs(load - 1)).toBeLessThan(0.05);
  });
});

test('converges with the cells', () => {
  const [gamma, , drop] = ELASTICA[1];
  const errors = [10, 20, 40].map((cells) => Math.abs(droop(gamma, cells, 'turns').drop / drop - 1));
  show('convergence', errors);
  expect(errors[2]).toBeLessThan(0.01);
});
