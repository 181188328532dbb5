// Reader of .stl, text and binary. The format repeats the corners of every triangle: those at the same place become
// one.

import { MOST_ELEMENTS, mergeVertices, readLines, refuseMesh, type TriangleMesh } from './mesh';

const HEADER = 84;
const FACET = 50;

/** Reads an .stl file. Throws UsageError, with the line where it is text. */
export function readStl(bytes: Uint8Array): TriangleMesh {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Binary ones begin with "solid" too at times: their length says what they are.
  const facets = bytes.length >= HEADER ? view.getUint32(80, true) : 0;
  const isText = new TextDecoder().decode(bytes.subarray(0, 5)).toLowerCase() === 'solid';
  const corners = bytes.length === HEADER + FACET * facets || !isText ? readBinary(view, facets) : readText(bytes);
  const triangles = Int32Array.from({ length: corners.length / 3 }, (_, i) => i);
  return mergeVertices({ vertices: corners, triangles });
}

function readBinary(view: DataView, facets: number): Float64Array {
  const size = view.byteLength;
  if (size < HEADER) refuseMesh('.stl', `must have a header of ${HEADER} bytes`, `${size} bytes`);
  if (facets > MOST_ELEMENTS) refuseMesh('.stl', `must hold at most ${MOST_ELEMENTS} triangles`, facets);
  const whole = HEADER + FACET * facets;
  if (size < whole) refuseMesh('.stl', `must hold ${facets} triangles (${whole} bytes)`, `${size} bytes`);
  const corners = new Float64Array(9 * facets);
  for (let t = 0; t < facets; t++) {
    for (let k = 0; k < 9; k++) {
      const value = view.getFloat32(HEADER + FACET * t + 12 + 4 * k, true);
      if (!Number.isFinite(value)) refuseMesh('.stl', `coordinates of triangle ${t} must be finite numbers`, value);
      corners[9 * t + k] = value;
    }
  }
  return corners;
}

function readText(bytes: Uint8Array): Float64Array {
  const lines = readLines('.stl', bytes, '');
  const corners: number[] = [];
  let inLoop = -1;
  for (let words = lines.next(); words !== null; words = lines.next()) {
    const word = words[0].toLowerCase();
    if (word === 'outer') inLoop = 0;
    else if (word === 'endloop') {
      if (inLoop !== 3) lines.refuse('a loop must have 3 vertices', inLoop);
      inLoop = -1;
    } else if (word === 'vertex') {
      if (inLoop < 0) lines.refuse('a vertex must be in a loop', words.join(' '));
      inLoop++;
      for (let k = 1; k <= 3; k++) corners.push(lines.finite(words[k], `coordinate ${k} of a vertex`));
      if (corners.length > 9 * MOST_ELEMENTS) lines.refuse(`must hold at most ${MOST_ELEMENTS} triangles`, 'more');
    }
  }
  if (inLoop >= 0) lines.refuse('the last loop must end', 'the end of the file');
  return Float64Array.from(corners);
}
