// Two hairs that slide fast over each other while they turn: a contact is a plane, good for small turns only. Further
// looks add planes until velocities that obey them all take neither hair through the other.

import { expect } from 'vitest';
import { countCrossings } from '../../src/bench/rods-crossings';
import { bySuite, longTest } from '../setup/suite';
import type { Vector } from './generic-scene';
import { createStrandScene, type StrandScene } from './strand-scene';
import { createTurningPair, obey, RADIUS } from './turning-pairs';

const DT = 1 / 60;
const LOOKS = 25;

function createPair(seed: number, way: number): { scene: StrandScene; wish: Vector[] } {
  const scene = createStrandScene();
  const { hairs, wish } = createTurningPair(seed, way);
  for (const hair of hairs) scene.addRod([hair], { radius: RADIUS });
  return { scene, wish };
}

/** Looks and obeys by turns until nothing new is found; returns contacts and crossings, -1 where it has no end. */
function settle(
  { scene, wish }: ReturnType<typeof createPair>,
  looks: number,
): { contacts: number; crossings: number } {
  const moves = wish.map((w) => [...w] as Vector);
  let contacts = 0;
  for (let look = 0; look < looks; look++) {
    scene.setVelocities(
      0,
      moves.map((m) => m.map((x) => x / DT) as Vector),
    );
    const found = scene.find({ timeStep: DT, append: look > 0 });
    if (look > 0 && found === contacts) break;
    contacts = found;
    moves.forEach((m, i) => {
      m.splice(0, 3, ...wish[i]);
    });
    obey(scene.readContacts(), moves);
  }
  const from = scene.tables.nodes.position.slice(0, 16);
  const to = from.map((x, i) => x + ((i & 3) < 3 ? moves[i >> 2][i & 3] : 0));
  return { contacts, crossings: countCrossings(from, to, 0, 2) };
}

for (const [name, way] of [
  ['a millimetre', 1e-3],
  ...bySuite([], [['a quarter of their length', 3.5e-3] as const]),
] as const) {
  longTest(`hairs whose ends move ${name} in a step do not pass through each other`, () => {
    const PAIRS = bySuite(100, 250);
    let [before, after, most] = [0, 0, 0];
    const crossed: number[] = [];
    for (let seed = 1; seed <= PAIRS; seed++) {
      // What one look finds is not enough, or this test would be none.
      before += settle(createPair(seed, way), 2).crossings;
      const { contacts, crossings } = settle(createPair(seed, way), LOOKS);
      most = Math.max(most, contacts);
      after += crossings;
      if (crossings > 0) crossed.push(seed);
    }
    expect(crossed).toEqual([]);
    expect(after).toBe(0);
    expect(before).toBeGreaterThan(PAIRS / 50);
    expect(most).toBeLessThanOrEqual(9);
  });
}
