// Reader of .obj: vertices and faces; polygons become fans of triangles, everything else is passed over.

import { MOST_ELEMENTS, readLines, type TriangleMesh } from './mesh';

/** Reads a .obj file. Throws UsageError with the line. */
export function readObj(bytes: Uint8Array): TriangleMesh {
  const lines = readLines('.obj', bytes);
  const vertices: number[] = [];
  const triangles: number[] = [];
  const corners: number[] = [];
  for (let words = lines.next(); words !== null; words = lines.next()) {
    if (words[0] === 'v') {
      for (let k = 1; k <= 3; k++) vertices.push(lines.finite(words[k], `coordinate ${k} of a vertex`));
      if (vertices.length > 3 * MOST_ELEMENTS) lines.refuse(`must hold at most ${MOST_ELEMENTS} vertices`, 'more');
      continue;
    }
    if (words[0] !== 'f') continue;
    if (words.length < 4) lines.refuse('a face must have at least 3 vertices', words.length - 1);
    const count = vertices.length / 3;
    corners.length = 0;
    for (let k = 1; k < words.length; k++) {
      // Vertex, texture and normal: v/t/n. Counted from 1, or backwards from the last one so far.
      const index = lines.whole(words[k].split('/', 1)[0], `vertex ${k} of a face`, -count, count);
      if (index === 0) lines.refuse(`vertex ${k} of a face must be 1 to ${count}, or −1 to −${count}`, 0);
      corners.push(index > 0 ? index - 1 : count + index);
    }
    for (let k = 2; k < corners.length; k++) triangles.push(corners[0], corners[k - 1], corners[k]);
    if (triangles.length > 3 * MOST_ELEMENTS) lines.refuse(`must hold at most ${MOST_ELEMENTS} triangles`, 'more');
  }
  return { vertices: Float64Array.from(vertices), triangles: Int32Array.from(triangles) };
}
