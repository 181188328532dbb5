// Brick walls in running bond stand by the solver that a game gets, set down flush or with a hair of a gap between the
// courses: what falls by a gap in all stays up. Of several sizes, scales and steps, with sleep and without.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { addRigidBody, createPhysics, readPosition } from '../../src/index.js';
import { rounds, seed } from './rounds.js';

interface Wall {
  rows: number;
  columns: number;
  /** Length of a brick [m]; it is half as high. */
  brick: number;
  /** Between courses, and between the bricks of one, in lengths of a brick [-]. */
  gap: number;
  joint: number;
  timeStep: number;
  sleeping: boolean;
  steps: number;
}

/** Most that a brick moves sideways, in lengths of a brick [-]. */
const LIMIT = 2e-3;

/** Largest sideways way of a brick from its place in the wall, in lengths of a brick [-]. */
function sway({ rows, columns, brick, gap, joint, timeStep, sleeping, steps }: Wall): number {
  const physics = createPhysics(createWorld(), { timeStep, sleeping });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const bricks: [eid: number, x: number][] = [];
  for (let row = 0; row < rows; row++) {
    const isEven = row % 2 === 0;
    let end = 0;
    for (let i = 0; i < columns + (isEven ? 0 : 1); i++) {
      const length = !isEven && (i === 0 || i === columns) ? 0.5 : 1;
      const x = (end + length / 2) * brick;
      end += length;
      const box: [number, number, number] = [(length / 2 - joint) * brick, brick / 4, brick / 4];
      bricks.push([addRigidBody(physics, { shape: { box }, position: [x, (0.25 + (0.5 + gap) * row) * brick, 0] }), x]);
    }
  }
  for (let i = 0; i < steps; i++) physics.step();
  let most = 0;
  for (const [eid, x] of bricks) {
    const [px, , pz] = readPosition(physics, eid, [0, 0, 0]);
    most = Math.max(most, Math.hypot(px - x, pz));
  }
  physics.dispose();
  return most / brick;
}

const usual = { rows: 8, columns: 6, brick: 0.4, gap: 5e-4, joint: 5e-3, timeStep: 1 / 60, sleeping: true, steps: 60 };
const walls: [string, Partial<Wall>][] = [
  ['of the usual size, half a thousandth apart', { rows: 12 }],
  ['two thousandths apart', { gap: 2e-3, sleeping: false, steps: 40 }],
  ['of 2 cm bricks', { brick: 0.02 }],
  ['of 20 m bricks', { brick: 20 }],
  ['in long steps', { timeStep: 1 / 30, steps: 40 }],
  ['in short steps', { timeStep: 1 / 240, steps: 80 }],
  ['flush on all sides', { gap: 0, joint: 0, sleeping: false, steps: 120 }],
  ['flush, of 10 cm bricks in long steps', { gap: 0, joint: 0, brick: 0.1, timeStep: 1 / 30, sleeping: false }],
];

test.each(walls)('a wall %s stands', (_name, wall) => {
  expect(sway({ ...usual, ...wall })).toBeLessThan(LIMIT);
});

test('walls of any size, gap, scale and step stand', () => {
  const random = createRandom(seed());
  for (let i = 0; i < rounds(1, 200); i++) {
    const wall = {
      rows: 4 + Math.floor(9 * random()),
      columns: 4 + Math.floor(6 * random()),
      brick: 0.05 * 400 ** random(),
      gap: random() < 0.3 ? 0 : 2e-4 * 10 ** random(),
      joint: random() < 0.3 ? 0 : 5e-3,
      timeStep: 1 / (random() < 0.5 ? 60 : 120),
      sleeping: random() < 0.5,
      steps: rounds(40, 300),
    };
    expect(sway(wall), JSON.stringify(wall)).toBeLessThan(LIMIT);
  }
});
