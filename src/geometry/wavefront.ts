// Wavefront .obj: places and faces. Texture coordinates, normals, groups and materials are passed over; polygons become
// fans.

import { UsageError } from '../core/errors';

/** Vertices as the file has them, three numbers each, and triangles, three vertices each. */
export interface WavefrontMesh {
  readonly vertices: number[];
  readonly triangles: number[];
}

/** Reads a .obj file. Throws UsageError that names the line. */
export function readWavefront(text: string, file = 'file'): WavefrontMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  text.split(/\r?\n/).forEach((line, row) => {
    const [word, ...rest] = line.trim().split(/\s+/);
    const refuse = (expectation: string): never => {
      throw new UsageError(`${file}:${row + 1}: ${expectation}, got ${JSON.stringify(line.trim().slice(0, 60))}`);
    };
    if (word === 'v') {
      const place = rest.slice(0, 3).map(Number);
      if (place.length < 3 || !place.every(Number.isFinite)) refuse('v must have 3 finite numbers');
      vertices.push(...place);
    } else if (word === 'f') {
      const count = vertices.length / 3;
      const corners = rest.map((corner) => {
        const number = Number(corner.split('/')[0]);
        const index = number < 0 ? count + number : number - 1;
        if (!Number.isInteger(index) || index < 0 || index >= count) refuse(`f must name vertices 1..${count}`);
        return index;
      });
      if (corners.length < 3) refuse('f must have at least 3 vertices');
      for (let k = 1; k + 1 < corners.length; k++) triangles.push(corners[0], corners[k], corners[k + 1]);
    }
  });
  if (triangles.length === 0) throw new UsageError(`${file}: must have faces (lines that begin with f), got none`);
  return { vertices, triangles };
}
