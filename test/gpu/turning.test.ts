// Hairs that turn while they slide, on the device: further looks add contacts until velocities that obey them all take
// neither hair through the other, as on the CPU (test/kernels/strand-turning.test.ts).

import { expect } from 'vitest';
import { countCrossings } from '../../src/bench/rods-crossings';
import type { Vector } from '../kernels/generic-scene';
import { createStrandScene } from '../kernels/strand-scene';
import { createTurningPair, obey, RADIUS } from '../kernels/turning-pairs';
import { keysOf, withDetection } from './contact-scene';
import { isLong } from './suite';
import { gpuTest, withDevice } from './test-device';

const DT = 1 / 60;
const PAIRS = isLong ? 200 : 30;
const LOOKS = 20;
/** From pair to pair [m]. */
const SPACING = 0.1;
/** How far the ends move in a step [m]: a quarter of an edge. */
const WAY = 3.5e-3;

gpuTest(
  'hairs that turn while they slide do not pass through each other, and get the contacts that they get on wasm',
  async () => {
    const scene = createStrandScene();
    const pairs = Array.from({ length: PAIRS }, (_, k) =>
      createTurningPair(k + 1, WAY, [SPACING * (k % 20), 0, SPACING * Math.floor(k / 20)]),
    );
    scene.addRod(
      pairs.flatMap(({ hairs }) => hairs),
      { radius: RADIUS },
    );
    const wish = pairs.flatMap((pair) => pair.wish);
    const moves = wish.map((way) => [...way] as Vector);
    const from = scene.tables.nodes.position.slice(0, 16 * PAIRS);
    const crossings = () => {
      const to = from.map((x, i) => x + ((i & 3) < 3 ? moves[i >> 2][i & 3] : 0));
      let sum = 0;
      for (let k = 0; k < PAIRS; k++) sum += countCrossings(from, to, 4 * k, 4 * k + 2);
      return sum;
    };
    await withDevice((context) =>
      withDetection(context, scene, async ({ detect }) => {
        const counts: number[] = [];
        let after = 0;
        let [known, found] = [new Set<string>(), new Set<string>()];
        for (let look = 0; look < LOOKS; look++) {
          scene.setVelocities(
            0,
            moves.map((way) => way.map((x) => x / DT) as Vector),
          );
          known = new Set(keysOf(scene.detect({ append: look > 0 })));
          const { contacts } = await detect({ look, keep: look > 0 });
          found = new Set(keysOf(contacts));
          counts.push(contacts.length);
          moves.forEach((way, i) => {
            way.splice(0, 3, ...wish[i]);
          });
          obey(contacts, moves);
          if (look === 1) after = crossings();
        }
        // Two looks are not enough, or this test would be none.
        expect(after).toBeGreaterThan(PAIRS / 50);
        expect(crossings()).toBe(0);
        expect(counts.at(-1)).toBe(counts.at(-2));
        expect([...found].filter((key) => +key.split(':')[1] >= 2 ** 27).length).toBeGreaterThan(PAIRS / 10);
        // Decisions on the edge of a threshold fall otherwise in f32, and what follows them.
        const lost = [...known].filter((key) => !found.has(key)).length;
        const added = [...found].filter((key) => !known.has(key)).length;
        if (process.env.SHOW_ERRORS) console.log(counts, known.size, lost, added, after);
        expect(lost + added).toBeLessThan(0.02 * known.size);
      }),
    );
  },
);
