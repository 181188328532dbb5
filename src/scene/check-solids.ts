// What the schema cannot see of solids: indices, references, two ways to give a mesh, moduli that no model bears.

import { FIRM_POISSON_RATIO } from '../state/solid-material';
import { type Path, type Problems, quote } from './errors';
import type { NamedBody } from './names';
import type { Scene, SceneSolid } from './scene-types';
import { nameSolids } from './solid-names';

/** Adds every problem of the solids. */
export function checkSolids(
  scene: Scene,
  bodies: ReadonlyMap<string, NamedBody>,
  problems: Problems,
): ReadonlyMap<string, unknown> {
  scene.solids.forEach((solid, i) => {
    const path: Path = ['solids', i];
    checkMesh(solid, path, problems);
    checkPins(solid, bodies, path, problems);
    const isFirm = solid.model === 'corotated' || solid.poissonRatio >= FIRM_POISSON_RATIO.least;
    if (!isFirm)
      problems.add([...path, 'poissonRatio'], `must be >= 0 with model ${solid.model}, got ${solid.poissonRatio}`);
  });
  return nameSolids(scene, (clash, first) => {
    const text = `must be unique, got ${quote(clash.name)}, which solids[${first.place}] has already`;
    problems.add(['solids', clash.place, 'name'], text);
  });
}

function checkMesh({ vertices, tetrahedra, restVertices, surface, file }: SceneSolid, path: Path, problems: Problems) {
  if (surface) checkIndices(surface.triangles, surface.vertices.length, [...path, 'surface', 'triangles'], problems);
  if (file !== undefined) {
    for (const [key, given] of Object.entries({ vertices, tetrahedra })) {
      if (given) problems.add([...path, key], `must not be given with file, got ${given.length}`);
    }
    return;
  }
  if (!vertices) problems.add([...path, 'vertices'], 'missing, expected a list of at least 4 points [m] (or file)');
  if (!tetrahedra) {
    problems.add([...path, 'tetrahedra'], 'missing, expected a list of at least 1 tetrahedron (or file)');
  }
  if (!vertices || !tetrahedra) return;
  if (restVertices && restVertices.length !== vertices.length) {
    const text = `must be as many as vertices, ${vertices.length}, got ${restVertices.length}`;
    problems.add([...path, 'restVertices'], text);
  }
  checkIndices(tetrahedra, vertices.length, [...path, 'tetrahedra'], problems);
}

/** Adds a problem for each index that is not below `count`. */
export function checkIndices(
  rows: readonly (readonly number[])[],
  count: number,
  path: Path,
  problems: Problems,
): void {
  for (let t = 0; t < rows.length && !problems.full; t++) {
    rows[t].forEach((index, k) => {
      if (index < count) return;
      problems.add([...path, t, k], `must be the index of a vertex, 0..${count - 1}, got ${index}`);
    });
  }
}

function checkPins(
  { pins, vertices }: SceneSolid,
  bodies: ReadonlyMap<string, NamedBody>,
  path: Path,
  problems: Problems,
): void {
  pins.forEach((pin, i) => {
    const place: Path = [...path, 'pins', i];
    const vertex = typeof pin === 'number' ? pin : pin.vertex;
    if (vertices && vertex >= vertices.length) {
      const where: Path = typeof pin === 'number' ? place : [...place, 'vertex'];
      problems.add(where, `must be the index of a vertex, 0..${vertices.length - 1}, got ${vertex}`);
    }
    if (typeof pin !== 'number' && pin.body !== undefined && !bodies.has(pin.body)) {
      problems.add([...place, 'body'], `no such body, got ${quote(pin.body)}`);
    }
  });
}
