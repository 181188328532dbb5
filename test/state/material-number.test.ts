// Numbers of materials, and the rules by which two of them make the pair's.

import { expect, test } from 'vitest';
import { COMBINE_RULES, isRuleNumber, numberOfRule } from '../../src/state/combine-rules';
import * as L from '../../src/state/layout';
import { above, expectMaterialNumber, fromZero, resolveMaterial, within } from '../../src/state/material-number';
import { ROD_NUMBERS } from '../../src/state/rod-material';
import { SHELL_NUMBER_NAMES, SHELL_NUMBERS } from '../../src/state/shell-material';
import { SOLID_NUMBER_NAMES, SOLID_NUMBERS, SOLID_PLACE_COUNT, SOLID_PLACES } from '../../src/state/solid-material';

test('what is expected of a number names its bound and unit', () => {
  const width = above('m', 1e-6, 10, '');
  const friction = fromZero('', 1e6, '');
  const ratio = within(-0.9, 0.49, '');
  const all = [
    [expectMaterialNumber(width, 1), null],
    [expectMaterialNumber(width, 0), 'must be > 0 [m]'],
    [expectMaterialNumber(width, 11), 'must be 0.000001..10 [m]'],
    [expectMaterialNumber(width, Number.NaN), 'must be a finite number [m]'],
    [expectMaterialNumber(friction, 0), null],
    [expectMaterialNumber(friction, -1), 'must be >= 0'],
    [expectMaterialNumber(ratio, -1), 'must be -0.9..0.49'],
    [expectMaterialNumber(ratio, 0.5), 'must be -0.9..0.49'],
  ];
  for (const [got, wanted] of all) expect(got).toBe(wanted);
});

test('what is given of a material is written over the defaults, or refused by name', () => {
  const numbers = { radius: above('m', 1e-6, 10, ''), damping: fromZero('s', 1e3, '') };
  const out = { radius: 0.1, damping: 0.5 };
  expect(resolveMaterial('addRod', numbers, { damping: 0 }, out)).toEqual({ radius: 0.1, damping: 0 });
  expect(() => resolveMaterial('addRod', numbers, { radius: -0.1 }, out)).toThrow(
    'addRod: radius must be > 0 [m], got -0.1',
  );
});

test('no place of a solid’s material is there twice, and all kinds have a radius and a density first', () => {
  const places = SOLID_NUMBER_NAMES.map((name) => SOLID_PLACES[name]);
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(...places)).toBeLessThan(SOLID_PLACE_COUNT);
  expect([SOLID_PLACES.radius, SOLID_PLACES.density]).toEqual([0, 1]);
  expect(SHELL_NUMBER_NAMES.slice(0, 2)).toEqual(['thickness', 'density']);
  for (const numbers of [ROD_NUMBERS, SHELL_NUMBERS, SOLID_NUMBERS]) {
    for (const [name, { least, most, meaning }] of Object.entries(numbers)) {
      expect(least, name).toBeLessThan(most);
      expect(meaning.length, name).toBeGreaterThan(5);
    }
  }
});

test('rules of combination are numbered from weak to strong, 0 is none', () => {
  expect(COMBINE_RULES.map(numberOfRule)).toEqual([1, 2, 3, 4, 5]);
  expect(numberOfRule(undefined)).toBe(0);
  expect(numberOfRule('maximum')).toBe(L.RULE_MAXIMUM);
  expect([-1, 0, 5, 6, 2.5].map(isRuleNumber)).toEqual([false, true, true, false, false]);
});
