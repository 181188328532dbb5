// Elastic solids of a scene.

import { refuse, UsageError } from '../src/core/errors';
import { rotateVector } from '../src/math/quaternion';
import type { TetrahedronMesh } from '../src/scene/meshes/mesh';
import { readTetrahedra } from '../src/scene/meshes/read-mesh';
import type { Quadruple, Scene, SceneSolid, Triple } from '../src/scene/scene-types';
import { nameSolids } from '../src/scene/solid-names';
import type { AddSceneOptions } from './add-scene-rods';
import type { Physics } from './physics';
import { addSolid, removeSolid } from './solids';

/** Adds solids; if one is refused, takes out those it added before, and throws. Returns them by name. */
export function addSceneSolids(
  physics: Physics,
  scene: Scene,
  bodies: ReadonlyMap<string, number>,
  options: AddSceneOptions,
): Map<string, number> {
  const added = new Map<string, number>();
  if (!Array.isArray(scene.solids)) refuse('addScene', 'scene must come from readScene', scene);
  try {
    for (const { name, solid } of nameSolids(scene).values()) {
      added.set(name, addPlaced(physics, name, solid, bodies, options));
    }
  } catch (error) {
    for (const eid of added.values()) removeSolid(physics, eid);
    throw error;
  }
  return added;
}

function addPlaced(
  physics: Physics,
  name: string,
  solid: SceneSolid,
  bodies: ReadonlyMap<string, number>,
  options: AddSceneOptions,
): number {
  const { name: _, file, vertices, tetrahedra, restVertices, surface, position, rotation, pins, ...spec } = solid;
  try {
    const mesh: TetrahedronMesh =
      file === undefined
        ? {
            vertices: Float64Array.from((vertices ?? []).flat()),
            tetrahedra: Int32Array.from((tetrahedra ?? []).flat()),
          }
        : readMesh(file, options);
    // The shape at rest may be anywhere; the surface belongs to it, wherever the vertices are.
    const rest = restVertices ? restVertices.flat() : mesh.vertices;
    const held = pins.map((pin) => {
      if (typeof pin === 'number') return { vertex: pin };
      return pin.body === undefined ? { vertex: pin.vertex } : { vertex: pin.vertex, body: bodies.get(pin.body) };
    });
    return addSolid(physics, {
      ...spec,
      vertices: placed(mesh.vertices, position, rotation),
      restVertices: rest,
      tetrahedra: mesh.tetrahedra,
      ...(surface ? { surface } : {}),
      pins: held,
    });
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`addScene: solid ${JSON.stringify(name)}: ${error.message}`);
    throw error;
  }
}

function placed(vertices: Float64Array, position: Triple, rotation: Quadruple): Float64Array {
  const out = Float64Array.from(vertices);
  for (let v = 0; v < out.length; v += 3) {
    rotateVector(out, v, rotation, 0, out, v);
    for (let k = 0; k < 3; k++) out[v + k] += position[k];
  }
  return out;
}

function readMesh(file: string, { readFile }: AddSceneOptions): TetrahedronMesh {
  if (typeof readFile !== 'function') {
    refuse('addScene', 'options.readFile must be given for a scene with solids from files', readFile);
  }
  const elements = /\.node$/i.test(file) ? readFile(file.replace(/node$/i, 'ele')) : undefined;
  return readTetrahedra(readFile(file), file, elements);
}
