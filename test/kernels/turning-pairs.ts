// Pairs of hairs that slide fast over each other while they turn: a contact is a plane, good for small turns only.

import type { Vector } from './generic-scene';
import { createRandom, randomDirection, type StrandContact } from './strand-scene';

/** Of a human hair, and an edge of it [m]. */
export const RADIUS = 3.7e-5;
const EDGE = 0.014;
const SWEEPS = 400;

/** Two edges that cross within reach of each other, about `middle`, and how far their nodes want to go [m]. */
export function createTurningPair(
  seed: number,
  way: number,
  middle: Vector = [0, 0, 0],
): { hairs: [Vector[], Vector[]]; wish: Vector[] } {
  const random = createRandom(seed);
  const angle = 0.3 + 2.5 * random();
  const height = (1.6 + random()) * RADIUS;
  const half = EDGE / 2;
  const along = (d: Vector, shift: number, z: number): Vector[] =>
    [-half, half].map((s) => [middle[0] + (s + shift) * d[0], middle[1] + (s + shift) * d[1], middle[2] + z]);
  const shift = () => 0.8 * half * (2 * random() - 1);
  const first = along([1, 0, 0], shift(), 0);
  const second = along([Math.cos(angle), Math.sin(angle), 0], shift(), height);
  const wish = [0, 1, 2, 3].map(() => randomDirection(random).map((x) => way * x) as Vector);
  return { hairs: [first, second], wish };
}

/** Nearest velocities that obey all contacts, one after the other, as often as wanted; in place [m a step]. */
export function obey(contacts: readonly StrandContact[], moves: Vector[]): void {
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
