// Boxes beside each other show their joint: bevels darken towards the edge, faces do not.

import { expect, test } from 'vitest';
import { geometryOf } from '../../demos/view/geometry';

test.each([1, 0.5])('a box is bright on its faces and darkest where two of them meet (detail %f)', (detail) => {
  const half = [0.5, 0.2, 0.3];
  const { positions, shades } = geometryOf({ box: [0.5, 0.2, 0.3] }, detail);
  expect(shades).toHaveLength(positions.length / 3);
  const darkest = Math.min(...(shades ?? []));
  for (const [vertex, shade] of (shades ?? []).entries()) {
    const inwards = half.map((size, k) => size - Math.abs(positions[3 * vertex + k])).sort((a, b) => a - b);
    // On a face, and off the bevel of the next.
    if (inwards[0] < 1e-6 && inwards[1] > 0.0239) expect(shade).toBe(1);
    // In the middle of a bevel: equally far from both planes.
    else if (Math.abs(inwards[0] - inwards[1]) < 1e-6) expect(shade).toBeCloseTo(darkest, 6);
  }
  expect(darkest).toBeLessThan(0.7);
});

test('what has no bevel has no shades', () => {
  expect(geometryOf({ sphere: 1 }, 1).shades).toBeUndefined();
});
