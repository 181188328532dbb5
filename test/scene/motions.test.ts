import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTrack, poseAt, slerp } from '../../src/scene/motions';
import type { MotionKey, Quadruple } from '../../src/scene/scene-types';

const HERE: [number, number, number] = [7, 8, 9];
const UPRIGHT: Quadruple = [0, 0, 0, 1];

function pose(keys: MotionKey[], time: number, loop = false): number[] {
  const out = new Float64Array(9).fill(99);
  poseAt(out, 1, createTrack({ body: 'x', keys, loop }, HERE, UPRIGHT), time);
  expect([out[0], out[8]]).toEqual([99, 99]);
  return [...out.subarray(1, 8)];
}

const path: MotionKey[] = [
  { time: 1, position: [0, 0, 0], rotation: [0, 0, 0, 1] },
  { time: 2, position: [2, 0, 0], rotation: [0, 1, 0, 0] },
  { time: 4, position: [2, 4, 0], rotation: [0, 0, 0, 1] },
];

describe('motions', () => {
  it('go straight between keys and rest before the first and after the last', () => {
    expect(pose(path, 0).slice(0, 3)).toEqual([0, 0, 0]);
    expect(pose(path, 1.25).slice(0, 3)).toEqual([0.5, 0, 0]);
    expect(pose(path, 3).slice(0, 3)).toEqual([2, 2, 0]);
    expect(pose(path, 99).slice(0, 3)).toEqual([2, 4, 0]);
  });

  it('are at each key exactly, however the time was summed up', () => {
    expect(pose(path, 2)).toEqual([2, 0, 0, 0, 1, 0, 0]);
    let time = 0;
    for (let k = 0; k < 120; k++) time += 1 / 60;
    expect(time).not.toBe(2);
    expect(pose(path, time)).toEqual([2, 0, 0, 0, 1, 0, 0]);
  });

  it('turn at constant rate: a quarter of the way round y is 45 degrees of 180', () => {
    const got = pose(path, 1.25).slice(3);
    const expected = [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)];
    got.forEach((x, k) => {
      expect(Math.abs(x - expected[k])).toBeLessThan(1e-15);
    });
  });

  it('repeat when they loop, from the first key on', () => {
    for (const t of [1, 1.5, 2, 3.9]) {
      const later = pose(path, t + 3 * 5, true);
      pose(path, t, true).forEach((x, k) => {
        expect(Math.abs(later[k] - x)).toBeLessThan(1e-13);
      });
    }
    expect(pose(path, 0.5, true).slice(0, 3)).toEqual([0, 0, 0]);
    expect(pose(path, 4, true).slice(0, 3)).toEqual([2, 4, 0]);
    expect(pose([path[0]], 5, true).slice(0, 3)).toEqual([0, 0, 0]);
  });

  it('take what a key leaves out from the key before, at first from the body', () => {
    const keys: MotionKey[] = [{ time: 0 }, { time: 1, position: [0, 0, 0] }, { time: 2, rotation: [1, 0, 0, 0] }];
    expect(pose(keys, 0)).toEqual([...HERE, ...UPRIGHT]);
    expect(pose(keys, 1)).toEqual([0, 0, 0, ...UPRIGHT]);
    expect(pose(keys, 2)).toEqual([0, 0, 0, 1, 0, 0, 0]);
  });
});

describe('slerp', () => {
  const angle = fc.double({ min: 0, max: Math.PI, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const axis = fc.constantFrom([1, 0, 0], [0, 0.6, 0.8], [0.48, 0.6, 0.64]);

  it('agrees with turning about the axis by the share of the angle, to 1e-14, the short way', () => {
    fc.assert(
      fc.property(angle, share, axis, fc.boolean(), (turn, s, [x, y, z], flip) => {
        // At exactly half a turn both ways are short.
        fc.pre(turn < Math.PI - 1e-6);
        const sign = flip ? -1 : 1;
        const half = Math.sin(turn / 2);
        const a = Float64Array.of(0, 0, 0, 1);
        const b = Float64Array.of(half * x, half * y, half * z, Math.cos(turn / 2)).map((v) => sign * v);
        const out = new Float64Array(4);
        slerp(out, 0, a, 0, b, 0, s);
        const part = Math.sin((s * turn) / 2);
        const expected = [part * x, part * y, part * z, Math.cos((s * turn) / 2)];
        out.forEach((v, k) => {
          expect(Math.abs(v - expected[k])).toBeLessThan(1e-14);
        });
      }),
      { numRuns: 1000 },
    );
  });
});
