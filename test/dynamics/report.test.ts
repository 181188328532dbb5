// The step report as an object.

import { expect, test } from 'vitest';
import { createStepReport } from '../../src/dynamics/report';

/** Names of all numbers in an object and the objects in it, each with what reads and writes it. */
function numbersOf(object: object, path = ''): { name: string; owner: Record<string, number>; key: string }[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const name = `${path}${key}`;
    if (typeof value === 'number') return [{ name, owner: object as Record<string, number>, key }];
    return typeof value === 'object' && !Array.isArray(value) ? numbersOf(value, `${name}.`) : [];
  });
}

test('every number of the report has a place of its own', () => {
  const numbers = numbersOf(createStepReport());
  expect(numbers.map(({ name }) => name)).toContain('joints.error');
  numbers.forEach(({ owner, key }, i) => {
    owner[key] = i + 0.5;
  });
  const read = Object.fromEntries(numbers.map(({ name, owner, key }) => [name, owner[key]]));
  expect(read).toEqual(Object.fromEntries(numbers.map(({ name }, i) => [name, i + 0.5])));
});
