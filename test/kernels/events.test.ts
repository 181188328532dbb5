import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import { addBox, addGround, createBoxWorld, link } from './helpers/box-world';

function scene() {
  const world = createBoxWorld();
  const ground = addGround(world);
  const box = addBox(world);
  const pair = link(world, ground, box);
  const { pairs } = world.tables;
  /** One point of this gap [m] and normal impulse [N·s], then the events of the step: [begun, ended]. */
  const collect = (gap: number | null, impulse = 0): [number[], number[][]] => {
    pairs.points[pair] = gap === null ? 0 : 1;
    pairs.point[pair * 16 + 3] = gap ?? 0;
    pairs.impulse[pair * 16] = impulse;
    world.arena.i32[L.BEGIN_COUNT >> 2] = 0;
    world.arena.i32[L.END_COUNT >> 2] = 0;
    world.kernels.collectTouches();
    const begun = [...pairs.beginList.subarray(0, world.arena.i32[L.BEGIN_COUNT >> 2])];
    const ended = Array.from({ length: world.arena.i32[L.END_COUNT >> 2] }, (_, k) => [
      ...pairs.endList.subarray(k * 3, k * 3 + 3),
    ]);
    return [begun, ended];
  };
  return { world, ground, box, pair, pairs, collect };
}

test('a touch begins once with a gap of zero, lasts while the gap trembles, and ends once when it opens', () => {
  const { ground, box, pair, pairs, collect } = scene();
  expect(collect(0.01)).toEqual([[], []]);
  expect(collect(-1e-4)).toEqual([[pair], []]);
  expect(pairs.flags[pair] & (L.PAIR_TOUCHING | L.PAIR_REPORTED)).toBe(L.PAIR_TOUCHING | L.PAIR_REPORTED);
  expect(collect(1e-3)).toEqual([[], []]);
  expect(collect(-1e-3)).toEqual([[], []]);
  expect(collect(0.01)).toEqual([[], [[pair, ground, box]]]);
  expect(pairs.flags[pair] & (L.PAIR_TOUCHING | L.PAIR_REPORTED)).toBe(0);
  expect(collect(0.01)).toEqual([[], []]);
});

test('an impulse begins a touch across a gap, and a manifold without points ends it', () => {
  const { pair, collect } = scene();
  expect(collect(0.01, 2)[0]).toEqual([pair]);
  expect(collect(0.01, 2)).toEqual([[], []]);
  expect(collect(null)[1]).toHaveLength(1);
});

test('sensors go by the gap alone, disabled pairs and quarantined bodies do not touch', () => {
  const { world, box, pair, pairs, collect } = scene();
  pairs.flags[pair] |= L.PAIR_SENSOR;
  expect(collect(0.01, 2)).toEqual([[], []]);
  expect(collect(-0.01)[0]).toEqual([pair]);
  pairs.flags[pair] |= L.PAIR_DISABLED;
  expect(collect(-0.01)[1]).toHaveLength(1);
  pairs.flags[pair] &= ~L.PAIR_DISABLED;
  expect(collect(-0.01)[0]).toEqual([pair]);
  world.tables.bodies.flags[box] |= L.BODY_QUARANTINED;
  expect(collect(-0.01)[1]).toHaveLength(1);
});
