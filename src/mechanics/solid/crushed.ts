// Whether a solid is crushed: a tetrahedron is inside out, or more than half of them have less than CRUSHED_VOLUME of
// their volume. Such a solid is on its way back to its shape, not at its work (recoveryLaw). One that a load presses to
// that in places keeps its law: by another, softer one the load would press it flat for good.

import { CRUSHED_VOLUME } from '../../core/elastic-constants';
import { ELEMENT_NODES, REST_NUMBERS, REST_VOLUME, type SolidElements } from './elements';

/** Edges from an element's first corner, by rows [m]. */
const edges = new Float64Array(9);

/** `position`: four numbers a node from the elements' origin on. Of quadratic elements the corners tell. */
export function isCrushed({ order, count, nodes, origin, rest }: SolidElements, position: ArrayLike<number>): boolean {
  const width = ELEMENT_NODES[order];
  let small = 0;
  for (let e = 0; e < count; e++) {
    const from = 4 * (nodes[width * e] - origin);
    for (let a = 0; a < 3; a++) {
      const to = 4 * (nodes[width * e + a + 1] - origin);
      for (let k = 0; k < 3; k++) edges[3 * a + k] = position[to + k] - position[from + k];
    }
    const [a, b, c, d, f, g, h, i, j] = edges;
    const volume = (a * (f * j - g * i) - b * (d * j - g * h) + c * (d * i - f * h)) / 6;
    if (volume < 0) return true;
    if (volume < CRUSHED_VOLUME * rest[REST_NUMBERS * e + REST_VOLUME]) small++;
  }
  return 2 * small > count;
}
