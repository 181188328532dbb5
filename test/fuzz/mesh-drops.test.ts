import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { bySuite } from '../setup/suite';
import { drop } from './mesh-drops';
import { rounds, seed } from './rounds';

// A world of 40 drops each, with a seed of its own: what is found can be seen again alone. 10 000 drops are those of
// `npm run fuzz -- test/fuzz/mesh-drops.test.ts`, of other ones with FUZZ_SEED before it.
const WORLDS = Array.from({ length: rounds(bySuite(1, 40), 250) }, (_, k) => seed() + k);

test.each(WORLDS)('no body falls through a mesh, seed %i', (start) => {
  const lost = drop(createRandom(start));
  if (lost.length > 0) throw new Error(lost.join('\n'));
});

// Sticks of 4 and 7 mm that roll across a valley, over by more than a radian in a step: the velocity that they kept
// fell freely, faster and faster, while their contacts held them.
test.each(bySuite([20261202], [20261202, 20261235, 20261273, 5060, 5102]))(
  'no stick hangs in a mesh, seed %i',
  (start) => {
    expect(drop(createRandom(start))).toEqual([]);
  },
);
