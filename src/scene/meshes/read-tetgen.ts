// Reader of .node and .ele (TetGen): the points in one file, the tetrahedra (of quadratic ones the corners) in the
// other.

import { keepUsed, mostLines, readLines, refuseMesh, type TetrahedronMesh } from './mesh';

/** Reads a pair of .node and .ele files. Throws UsageError with the line. */
export function readTetgen(nodes: Uint8Array, elements: Uint8Array): TetrahedronMesh {
  const { vertices, first } = readNodes(nodes);
  const lines = readLines('.ele', elements);
  const head = lines.need('the number of tetrahedra');
  const count = lines.whole(head[0], 'the number of tetrahedra', 1, mostLines(elements));
  const width = lines.whole(head[1] ?? '4', 'the number of corners', 4, 10);
  const last = first + vertices.length / 3 - 1;
  const tetrahedra: number[] = [];
  for (let t = 0; t < count; t++) {
    const words = lines.need('a tetrahedron');
    if (words.length < 1 + width) lines.refuse(`a tetrahedron must have ${width} corners`, words.length - 1);
    for (let k = 1; k <= 4; k++) tetrahedra.push(lines.whole(words[k], `corner ${k}`, first, last) - first);
  }
  return keepUsed(vertices, tetrahedra);
}

/** Points, and the number of the first one: the format allows 0 and 1. */
function readNodes(bytes: Uint8Array): { vertices: number[]; first: number } {
  const lines = readLines('.node', bytes);
  const head = lines.need('the number of points');
  const count = lines.whole(head[0], 'the number of points', 1, mostLines(bytes));
  if ((head[1] ?? '3') !== '3') lines.refuse('points must have 3 coordinates', head[1]);
  const vertices: number[] = [];
  let first = 0;
  for (let i = 0; i < count; i++) {
    const words = lines.need('a point');
    if (i === 0) first = lines.whole(words[0], 'the number of the first point', 0, 1);
    else if (words[0] !== String(first + i)) lines.refuse(`the point's number must be ${first + i}`, words[0]);
    for (let k = 1; k <= 3; k++) vertices.push(lines.finite(words[k], `coordinate ${k} of a point`));
  }
  if (vertices.length === 0) refuseMesh('.node', 'must hold points', 'none');
  return { vertices, first };
}
