// Two hairs that slide fast over each other while they turn: a contact is a plane, good for small turns only. Further
// looks add planes until velocities that obey them all take neither hair through the other.

import { expect, test } from 'vitest';
import { countCrossings } from '../../src/cli/bench-rods-crossings';
import type { Vector } from './generic-scene';
import { createRandom, createStrandScene, randomDirection, type StrandScene } from './strand-scene';

const DT = 1 / 60;
/** Of a human hair, and an edge of it [m]. */
const RADIUS = 3.7e-5;
const EDGE = 0.014;
const LOOKS = 25;
const SWEEPS = 400;

/** Two edges that cross within reach of each other, and how far their nodes want to go [m]. */
function createPair(seed: number, way: number): { scene: StrandScene; wish: Vector[] } {
  const random = createRandom(seed);
  const angle = 0.3 + 2.5 * random();
  const height = (1.6 + random()) * RADIUS;
  const half = EDGE / 2;
  const along = (d: Vector, shift: number, z: number): Vector[] =>
    [-half, half].map((s) => [(s + shift) * d[0], (s + shift) * d[1], z]);
  const scene = createStrandScene();
  const shift = () => 0.8 * half * (2 * random() - 1);
  scene.addRod([along([1, 0, 0], shift(), 0)], { radius: RADIUS });
  scene.addRod([along([Math.cos(angle), Math.sin(angle), 0], shift(), height)], { radius: RADIUS });
  const wish = [0, 1, 2, 3].map(() => randomDirection(random).map((x) => way * x) as Vector);
  return { scene, wish };
}

/** Nearest velocities that obey all contacts, one after the other, as often as wanted; in place [m a step]. */
function obey(scene: StrandScene, moves: Vector[]): void {
  const contacts = scene.readContacts();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let worst = 0;
    for (const { nodes, weights, normal, gap } of contacts) {
      let way = Math.max(gap, 0);
      let mass = 0;
      nodes.forEach((node, k) => {
        for (let x = 0; x < 3; x++) way += weights[k] * normal[x] * moves[node][x];
        mass += weights[k] * weights[k];
      });
      if (way >= 0) continue;
      worst = Math.max(worst, -way);
      nodes.forEach((node, k) => {
        for (let x = 0; x < 3; x++) moves[node][x] -= (way / mass) * weights[k] * normal[x];
      });
    }
    if (worst < 1e-3 * RADIUS) return;
  }
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
    obey(scene, moves);
  }
  const from = scene.tables.nodes.position.slice(0, 16);
  const to = from.map((x, i) => x + ((i & 3) < 3 ? moves[i >> 2][i & 3] : 0));
  return { contacts, crossings: countCrossings(from, to, 0, 2) };
}

for (const [name, way] of [
  ['a millimetre', 1e-3],
  ['a quarter of their length', 3.5e-3],
] as const) {
  test(`hairs whose ends move ${name} in a step do not pass through each other`, () => {
    const PAIRS = 250;
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
