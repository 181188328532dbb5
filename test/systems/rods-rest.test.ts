// Rest shape and stiffness along a strand, as a game gives them.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addGroom,
  addRod,
  createPhysics,
  type Physics,
  removeRod,
  resampleGroom,
  rodPositions,
  type StrandRest,
} from '../../src/index';

const ROPE = { radius: 0.01, youngModulus: 1e6, density: 1000, damping: 0.05 } as const;
const POINTS = Array.from({ length: 8 }, (_, i) => [0.1 * i, 2, 0]);

function makeWorld(): Physics {
  return createPhysics(createWorld(), { userTiming: false });
}

function run(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
}

const every = (count: number, value: (i: number) => number) => Array.from({ length: count }, (_, i) => value(i));
/** For `points` points: stiffer towards the tip, longer, bent up and twisted. */
const uneven = (points: number): StrandRest => ({
  lengths: every(points, (i) => 0.1 + 0.002 * i),
  curvatures: every(4 * points, (i) => 0.02 * (i % 4)),
  twists: every(points, (i) => 0.1 * (i % 3)),
  stretchFactors: every(points, (i) => 1 + 0.3 * i),
  bendFactors: every(points, (i) => 1 + 0.5 * i),
  twistFactors: every(points, (i) => 2 - 0.1 * i),
});

test('what is given as it would be anyway changes nothing, to the bit', () => {
  const hashes = [undefined, { stretchFactors: every(8, () => 1), bendFactors: every(8, () => 1) }].map((rest) => {
    const physics = makeWorld();
    addRod(physics, { ...ROPE, points: POINTS, clampStart: true, ...(rest && { rest }) });
    run(physics, 40);
    return physics.hash();
  });
  expect(hashes[1]).toBe(hashes[0]);
});

test('every number of it tells', () => {
  const hashOf = (rest: StrandRest) => {
    const physics = makeWorld();
    addRod(physics, { ...ROPE, points: POINTS, clampStart: true, twist: every(7, (i) => 0.1 * i), rest });
    run(physics, 10);
    return physics.hash();
  };
  const usual = hashOf({});
  const hashes = Object.entries(uneven(8)).map(([key, list]) => hashOf({ [key]: list }));
  expect(new Set([usual, ...hashes]).size).toBe(7);
});

test('a twice as stiff half of a cantilever bends half as much', () => {
  // Small angles under their own weight: the turn at a node is its moment times the Voronoi length over β EI.
  const bends = [1, 2].map((share) => {
    const physics = makeWorld();
    const factors = every(8, (i) => (i === 2 || i === 3 ? share : 1));
    const rod = addRod(physics, {
      ...ROPE,
      youngModulus: 1e9,
      points: POINTS,
      clampStart: true,
      rest: { bendFactors: factors },
    });
    run(physics, 300);
    const p = rodPositions(physics, rod);
    const slope = (i: number) => (p[3 * i + 4] - p[3 * i + 1]) / (p[3 * i + 3] - p[3 * i]);
    return [1, 2, 3, 4].map((i) => slope(i) - slope(i - 1));
  });
  for (const i of [1, 2]) expect(bends[0][i] / bends[1][i]).toBeCloseTo(2, 2);
  for (const i of [0, 3]) expect(bends[0][i] / bends[1][i]).toBeCloseTo(1, 2);
});

test('a groom has it strand by strand, each as a rod of its own would', () => {
  const physics = makeWorld();
  const positions = [...POINTS.flat(), ...POINTS.flatMap(([x, y]) => [x, y, 1])];
  const rest = uneven(16);
  const groom = addGroom(physics, { ...ROPE, strands: { counts: [8, 8], positions, rest }, clampStart: true });
  const alone = makeWorld();
  const part = Object.fromEntries(
    Object.entries(rest).map(([key, list]) => [key, Array.from(list).slice(list.length / 2)]),
  );
  const rod = addRod(alone, { ...ROPE, points: POINTS.map(([x, y]) => [x, y, 1]), clampStart: true, rest: part });
  run(physics, 30);
  run(alone, 30);
  expect(rodPositions(physics, groom).subarray(24)).toEqual(rodPositions(alone, rod));
});

test('it goes along through snapshots, and when others are removed', () => {
  const physics = makeWorld();
  const first = addRod(physics, { ...ROPE, points: POINTS.map(([x, y]) => [x, y, 1]) });
  const rod = addRod(physics, { ...ROPE, points: POINTS, clampStart: true, rest: uneven(8) });
  run(physics, 5);
  removeRod(physics, first);
  run(physics, 5);
  const snapshot = physics.snapshot();
  run(physics, 20);
  const once = rodPositions(physics, rod);
  physics.restore(snapshot);
  run(physics, 20);
  expect(rodPositions(physics, rod)).toEqual(once);
  const alone = makeWorld();
  const same = addRod(alone, { ...ROPE, points: POINTS, clampStart: true, rest: uneven(8) });
  run(alone, 30);
  expect(rodPositions(alone, same)).toEqual(once);
});

describe('refused', () => {
  const refuses = (rest: unknown, more: object = {}) => {
    try {
      addRod(makeWorld(), { ...ROPE, points: POINTS, rest: rest as StrandRest, ...more });
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };

  test.each([
    [7, 'addRod: rest must be an object, got 7'],
    [{ length: [1] }, /^addRod: unknown key of rest; known are lengths, .*, got "length"$/],
    [{ lengths: every(7, () => 1) }, 'addRod: rest.lengths must be a number a point, 8, got "7 numbers"'],
    [{ curvatures: every(8, () => 0) }, 'addRod: rest.curvatures must be 4 numbers a point, 32, got "8 numbers"'],
    [{ lengths: every(8, (i) => (i === 3 ? 0 : 1)) }, 'addRod: rest.lengths[3] must be >= 1e-7 and <= 1e6 [m], got 0'],
    [{ stretchFactors: every(8, () => 0) }, 'addRod: rest.stretchFactors[0] must be >= 1e-6 and <= 1e6, got 0'],
    [{ bendFactors: every(8, () => -1) }, 'addRod: rest.bendFactors[1] must be >= 0 and <= 1e6, got -1'],
    [{ twists: every(8, () => Number.NaN) }, /^addRod: rest.twists\[1\] must be .*got NaN$/],
  ])('%j', (rest, message) => {
    if (message instanceof RegExp) expect(refuses(rest)).toMatch(message);
    else expect(refuses(rest)).toBe(message);
  });

  test('entries without effect may be anything', () => {
    expect(
      refuses({ lengths: [...every(7, () => 0.1), Number.NaN], bendFactors: [-1, ...every(6, () => 1), -1] }),
    ).toBe(null);
  });

  test('beside what says the same otherwise', () => {
    expect(refuses({ curvatures: every(32, () => 0) }, { restPoints: POINTS.map(([x, y]) => [x, y, 1]) })).toMatch(
      /rest.curvatures must not be given with restPoints/,
    );
    expect(refuses({ twists: every(8, () => 0) }, { restTwist: every(7, () => 0) })).toMatch(
      /rest.twists must not be given with restTwist/,
    );
  });

  test('a groom names strand and point', () => {
    const positions = [...POINTS.flat(), ...POINTS.flatMap(([x, y]) => [x, y, 1])];
    const rest = { twistFactors: every(16, (i) => (i === 10 ? -2 : 1)) };
    expect(() => addGroom(makeWorld(), { ...ROPE, strands: { counts: [8, 8], positions, rest } })).toThrow(
      'addGroom: strands.rest.twistFactors at point 2 of strand 1 must be >= 0 and <= 1e6, got -2',
    );
  });

  test('by resampleGroom, whose points would be others', () => {
    const groom = { counts: Int32Array.of(8), positions: Float64Array.from(POINTS.flat()), rest: uneven(8) };
    expect(() => resampleGroom(groom, { vertices: 5 })).toThrow(/^resampleGroom: groom must have no rest/);
  });
});
