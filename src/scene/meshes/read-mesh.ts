// The doors for mesh files: bytes and a file's name in, a surface or tetrahedra out.

import { refuse } from '../../core/errors';
import { type Bytes, viewBytes } from '../grooms/groom';
import { refuseMesh, type TetrahedronMesh, type TriangleMesh } from './mesh';
import { readGlb } from './read-glb';
import { readMsh } from './read-msh';
import { readObj } from './read-obj';
import { readPly } from './read-ply';
import { readStl } from './read-stl';
import { readTetgen } from './read-tetgen';
import { readVtk } from './read-vtk';

const SURFACES: Readonly<Record<string, (bytes: Uint8Array) => TriangleMesh>> = {
  '.obj': readObj,
  '.ply': readPly,
  '.stl': readStl,
  '.glb': readGlb,
};
const SOLIDS = ['.msh', '.vtk', '.node'];

const endingOf = (name: string): string => /\.[^./\\]*$/.exec(name)?.[0].toLowerCase() ?? '';

function bytesOf(where: string, bytes: unknown): Uint8Array {
  const view = viewBytes(where, bytes);
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Whether a file of this name holds tetrahedra. */
export function isTetrahedronFile(name: string): boolean {
  return SOLIDS.includes(endingOf(name));
}

/**
 * Reads a surface: .obj, .ply, .stl or .glb, by the ending of `name`. Coordinates are in the file's units; polygons
 * become triangles. Throws UsageError with the line, or the place, of what is wrong.
 */
export function readTriangleMesh(bytes: Bytes, name: string): TriangleMesh {
  const read = SURFACES[endingOf(name)];
  if (read === undefined) refuse('readTriangleMesh', `name must end in ${Object.keys(SURFACES).join(', ')}`, name);
  const mesh = read(bytesOf('readTriangleMesh', bytes));
  if (mesh.triangles.length === 0) refuseMesh(endingOf(name), 'must hold triangles', 'none');
  return mesh;
}

/**
 * Reads tetrahedra: .msh (Gmsh), .vtk (legacy, text) or .node (TetGen, with the bytes of its .ele as `elements`), by
 * the ending of `name`. Coordinates are in the file's units, vertices that no tetrahedron uses are left out. Throws
 * UsageError with the line of what is wrong.
 */
export function readTetrahedra(bytes: Bytes, name: string, elements?: Bytes): TetrahedronMesh {
  const all = bytesOf('readTetrahedra', bytes);
  const ending = endingOf(name);
  if (ending === '.msh') return readMsh(all);
  if (ending === '.vtk') return readVtk(all);
  if (ending !== '.node') refuse('readTetrahedra', `name must end in ${SOLIDS.join(', ')}`, name);
  if (elements === undefined)
    refuse('readTetrahedra', 'a .node file must come with the bytes of its .ele file', elements);
  return readTetgen(all, bytesOf('readTetrahedra', elements));
}
