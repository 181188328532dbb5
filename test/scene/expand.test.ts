import { describe, expect, it } from 'vitest';
import { expandScene } from '../../src/scene/expand';
import { readScene } from '../../src/scene/read';

const ball = { shape: { sphere: 1 } };
const names = (scene: object) => expandScene(readScene({ version: 1, ...scene })).map(({ name }) => name);
const places = (repeat: object) =>
  expandScene(readScene({ version: 1, repeat: [{ body: ball, ...repeat }] })).map(({ spec }) => spec.position);

describe('expandScene', () => {
  it('places a lattice from its origin, x fastest, then y, then z, around the place of the body', () => {
    const got = places({
      count: [2, 2, 2],
      spacing: [1, 10, 100],
      origin: [5, 0, 0],
      body: { position: [0, 0.5, 0], ...ball },
    });
    expect(got).toEqual([
      [5, 0.5, 0],
      [6, 0.5, 0],
      [5, 10.5, 0],
      [6, 10.5, 0],
      [5, 0.5, 100],
      [6, 0.5, 100],
      [5, 10.5, 100],
      [6, 10.5, 100],
    ]);
  });

  it('places a number of copies in a row', () => {
    expect(places({ count: 3, spacing: [1, 2, 0] })).toEqual([
      [0, 0, 0],
      [1, 2, 0],
      [2, 4, 0],
    ]);
  });

  it('draws copies from a box of the given half size, the same for the same seed', () => {
    const draw = (seed: number) => places({ count: 500, origin: [1, 0, 0], jitter: [2, 0, 0.5], seed });
    const got = draw(7);
    expect(draw(7)).toEqual(got);
    expect(draw(8)).not.toEqual(got);
    for (const [axis, centre, reach] of [
      [0, 1, 2],
      [1, 0, 0],
      [2, 0, 0.5],
    ]) {
      const offsets = got.map((p) => p[axis] - centre);
      expect(Math.max(...offsets)).toBeLessThanOrEqual(reach);
      expect(Math.min(...offsets)).toBeGreaterThanOrEqual(-reach);
      // 500 uniform draws come within a twentieth of both ends.
      expect(Math.max(...offsets)).toBeGreaterThanOrEqual(0.9 * reach);
      expect(Math.min(...offsets)).toBeLessThanOrEqual(-0.9 * reach);
    }
    expect(places({ count: [2, 1, 1], spacing: [1, 0, 0], jitter: 0.1, seed: 1 })[1][0]).toBeCloseTo(1, 0);
  });

  it('pins the draws of seed 7, so that scenes look the same in every version and engine', () => {
    expect(places({ count: 2, jitter: 1, seed: 7 })).toEqual([
      [-0.16014735596936225, -0.24544197591147943, 0.06655425746445953],
      [0.1462095443038942, 0.6624589393631961, -0.0059067598690061285],
    ]);
  });

  it('names copies -0, -1, ... and gives nameless bodies names that nobody has', () => {
    const bodies = [ball, { name: 'body-0', ...ball }, { name: 'a', ...ball }, ball];
    const repeat = [
      { count: 2, jitter: 1, body: { name: 'a', ...ball } },
      { count: 1, body: ball },
    ];
    expect(names({ bodies, repeat })).toEqual(['body-0.2', 'body-0', 'a', 'body-3', 'a-0', 'a-1', 'repeat-1-0']);
  });

  it('looks materials up, with the documented values where there is none', () => {
    const materials = { ice: { density: 917, friction: 0.02, restitution: 0.1 } };
    const bodies = [{ material: 'ice', ...ball }, ball];
    const [ice, plain] = expandScene(readScene({ version: 1, materials, bodies }));
    expect(ice.spec).toMatchObject({ density: 917, friction: 0.02, restitution: 0.1 });
    expect(plain.spec).toMatchObject({ density: 1000, friction: 0.6, restitution: 0 });
    expect(Object.keys(ice.spec)).not.toContain('material');
    expect(Object.keys(ice.spec)).not.toContain('name');
  });

  it('starts a moved body at its motion, and leaves the scene as it was', () => {
    const scene = readScene({
      version: 1,
      bodies: [{ name: 'lift', type: 'kinematic', position: [9, 9, 9], ...ball }],
      motions: [{ body: 'lift', keys: [{ time: 0, position: [1, 2, 3] }] }],
    });
    const before = structuredClone(scene);
    expect(expandScene(scene)[0].spec.position).toEqual([1, 2, 3]);
    expect(scene).toEqual(before);
  });

  it('shares one shape among copies, and nothing else', () => {
    const [a, b] = expandScene(readScene({ version: 1, repeat: [{ count: 2, jitter: 1, body: ball }] }));
    expect(a.spec.shape).toBe(b.spec.shape);
    expect(a.spec.rotation).not.toBe(b.spec.rotation);
  });
});
