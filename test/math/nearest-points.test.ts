// Nearest points of a point and a triangle, and of two segments, against a search over fine grids.

import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { nearestOnSegments, nearestOnTriangle } from '../../src/math/nearest-points';

test('no point of a triangle, nor pair of points of two segments, is nearer', () => {
  const weights = new Float64Array(4);
  const random = createRandom(7);
  for (let trial = 0; trial < 40; trial++) {
    const x = Array.from({ length: 12 }, () => random() - 0.5);
    const away = (w: readonly number[]): number =>
      Math.hypot(...[0, 1, 2].map((k) => w.reduce((sum, share, i) => sum + share * x[3 * i + k], 0)));

    nearestOnTriangle(weights, 0, x, 0, 3);
    const [u, v, w] = weights;
    expect(u + v + w).toBeCloseTo(1, 12);
    const near = away([1, -u, -v, -w]);
    nearestOnSegments(weights, x);
    const [a, b, c, d] = weights;
    expect([a + b, c + d]).toEqual([expect.closeTo(1, 12), expect.closeTo(1, 12)]);
    const between = away([a, b, -c, -d]);
    let least = [near, between];
    for (let i = 0; i <= 20; i++) {
      for (let j = 0; j <= 20; j++) {
        const [s, t] = [i / 20, j / 20];
        const onTriangle = s + t <= 1 ? away([1, s + t - 1, -s, -t]) : near;
        least = [Math.min(least[0], onTriangle), Math.min(least[1], away([1 - s, s, t - 1, -t]))];
      }
    }
    expect(least[0]).toBeGreaterThan(near - 1e-9);
    expect(least[1]).toBeGreaterThan(between - 1e-9);
  }
});
