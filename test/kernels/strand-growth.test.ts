// What a detection of contacts of strands costs as there are more of them, counted: the tree above the strands.

import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import { longTest } from '../setup/suite';
import { createRandom, createStrandScene, randomDirection, tangledStrands } from './strand-scene';

/** Blocks a strand that a detection asks for, of so many strands at one density. */
function blocksOf(strands: number): number {
  const scene = createStrandScene();
  scene.addRod(tangledStrands(strands, 9, 0.001, 0.04 * Math.cbrt(strands / 1000), 7), { radius: 0.0004 });
  const contacts = scene.find();
  // As crowded as each other, but for the outermost ones.
  expect(contacts / strands).toBeGreaterThan(1);
  return scene.strandKernels.strandBlocksAsked() / strands;
}

test('eight times as many strands of one density look at few more boxes each', () => {
  // All with all would be eight times as many.
  expect(blocksOf(2400) / blocksOf(300)).toBeLessThan(2);
});

longTest('thousands of short pieces, and long ones among them, have the contacts of all pairs tried', () => {
  const scene = createStrandScene();
  const random = createRandom(11);
  const radius = 0.002;
  const lines = Array.from({ length: 2000 }, (_, k) => {
    const at = [0.3 * random(), 0.3 * random(), 0.3 * random()];
    const d = randomDirection(random);
    // One in a hundred is as long as the whole.
    const length = k % 100 === 0 ? 0.3 : 0.004;
    return [0, 1, 2].map((i) => at.map((x, a) => x + i * length * d[a])) as [number, number, number][];
  });
  scene.addRod(lines, { radius });
  scene.find({ continuous: false });
  const found = new Set(scene.readContacts().map(({ nodes }) => `${nodes[0]} ${nodes[2]}`));
  expect(found.size).toBeGreaterThan(100);

  const { position } = scene.tables.nodes;
  let missing = 0;
  let near = 0;
  for (let a = 0; a < lines.length; a++) {
    for (let b = a + 1; b < lines.length; b++) {
      // Middle node to middle node is the quickest certain sign of a touch.
      const [p, q] = [4 * (3 * a + 1), 4 * (3 * b + 1)];
      const [x, y, z] = [0, 1, 2].map((k) => position[p + k] - position[q + k]);
      if (x * x + y * y + z * z > (2 * radius) ** 2) continue;
      near++;
      const edgesOf = (s: number) => [3 * s, 3 * s + 1];
      if (!edgesOf(a).some((e) => edgesOf(b).some((f) => found.has(`${e} ${f}`)))) missing++;
    }
  }
  expect(near).toBeGreaterThan(5);
  expect(missing).toBe(0);
  expect(scene.arena.i32[L.MISSING_NODE_CONTACTS >> 2]).toBe(0);
});
