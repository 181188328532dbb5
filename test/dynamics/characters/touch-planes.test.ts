// Characters in each other's way: none is thrown, and those that begin in each other part.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addCharacter, addRigidBody, createPhysics, type Physics } from '../../../src/index';

/** Most that a character goes in a step [m]: out of two others at 12 m/s each, and its own way. */
const MOST_WAY = 0.5;

function makeWorld(places: readonly (readonly [number, number, number])[]) {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  return { physics, heroes: places.map((position) => addCharacter(physics, { position: [...position] })) };
}

const placeOf = ({ components }: Physics, eid: number) => {
  const { x, y, z } = components.Transform.position;
  return [x[eid], y[eid], z[eid]];
};

const apart = (a: number[], b: number[]) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function leastApart(physics: Physics, heroes: number[]): number {
  const places = heroes.map((hero) => placeOf(physics, hero));
  return Math.min(...places.flatMap((a, i) => places.slice(i + 1).map((b) => apart(a, b))));
}

/** Steps, and returns the farthest way that one went in a step [m]. */
function farthestWay(physics: Physics, heroes: number[], steps: number, drive: (step: number) => void): number {
  let most = 0;
  for (let step = 0; step < steps; step++) {
    const before = heroes.map((hero) => placeOf(physics, hero));
    drive(step);
    physics.step();
    heroes.forEach((hero, i) => {
      most = Math.max(most, apart(before[i], placeOf(physics, hero)));
    });
  }
  return most;
}

test.each([2, 3, 4, 6, 20])('%d begun in each other part at a bounded speed', (count) => {
  const { physics, heroes } = makeWorld(Array.from({ length: count }, (_, i) => [0.3 * i, 0.05, 0]));
  const { move } = physics.components.Character;
  const way = farthestWay(physics, heroes, 120, () => {
    heroes.forEach((hero, i) => {
      move.x[hero] = Math.cos(i);
      move.z[hero] = Math.sin(i);
    });
  });
  expect(way).toBeLessThan(MOST_WAY);
});

test.each([
  [3, 0],
  [6, 0],
  [6, 0.3],
])('%d that stand %d m from each other part, and stay on the ground', (count, between) => {
  const { physics, heroes } = makeWorld(Array.from({ length: count }, (_, i) => [between * i, 0.05, 0]));
  expect(farthestWay(physics, heroes, 300, () => {})).toBeLessThan(MOST_WAY);
  expect(leastApart(physics, heroes)).toBeGreaterThan(0.6);
  for (const hero of heroes) expect(placeOf(physics, hero)[1]).toBeLessThan(0.05);
});

test('a crowd that presses to the middle and jumps throws nobody', () => {
  for (let seed = 1; seed <= 4; seed++) {
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return state / 0x7fffffff;
    };
    const angle = (i: number) => (2 * Math.PI * i) / 12;
    const { physics, heroes } = makeWorld(
      Array.from({ length: 12 }, (_, i) => [4 * Math.cos(angle(i)), 0.05, 4 * Math.sin(angle(i))]),
    );
    const { Transform, Character } = physics.components;
    const way = farthestWay(physics, heroes, 400, () => {
      for (const hero of heroes) {
        Character.move.x[hero] = -2 * Math.sign(Transform.position.x[hero]) * random();
        Character.move.z[hero] = -2 * Math.sign(Transform.position.z[hero]) * random();
        if (random() < 0.01) Character.jump[hero] = 5;
      }
    });
    expect(way).toBeLessThan(MOST_WAY);
  }
});
