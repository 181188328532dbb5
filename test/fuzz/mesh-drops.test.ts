import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { drop } from './mesh-drops';
import { rounds, seed } from './rounds';

test('no body falls through a mesh', () => {
  const random = createRandom(seed());
  const lost: string[] = [];
  for (let world = 0; world < rounds(1, 250); world++) lost.push(...drop(random));
  expect(lost).toEqual([]);
});
