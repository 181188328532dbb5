// Elastic objects with a mesh of a scene, family by family.

import { nameRods } from '../src/scene/rod-names';
import type { Scene } from '../src/scene/scene-types';
import type { AddSceneOptions } from './add-scene-rods';
import { addSceneShells } from './add-scene-shells';
import { addSceneSolids } from './add-scene-solids';
import type { MeshViews } from './mesh-families';
import type { Physics } from './physics';
import { removeShell } from './shells';
import { growOn } from './solid-fur';
import { removeSolid } from './solids';

/** What was added of each family, by name, in the order of the file. */
export interface AddedMeshes {
  /** Entities of the shells. */
  readonly shells: Map<string, number>;
  /** Entities of the elastic solids. */
  readonly solids: Map<string, number>;
}

const FAMILIES = {
  shells: { add: addSceneShells, remove: removeShell },
  solids: { add: addSceneSolids, remove: removeSolid },
} satisfies Record<keyof MeshViews, unknown>;
const LISTS = Object.keys(FAMILIES) as (keyof typeof FAMILIES)[];

/** Adds all of them; if one is refused, takes out those it added before, and throws. */
export function addSceneMeshes(
  physics: Physics,
  scene: Scene,
  bodies: ReadonlyMap<string, number>,
  options: AddSceneOptions,
): AddedMeshes {
  const added: AddedMeshes = { shells: new Map(), solids: new Map() };
  try {
    for (const list of LISTS) {
      for (const [name, eid] of FAMILIES[list].add(physics, scene, bodies, options)) added[list].set(name, eid);
    }
    return added;
  } catch (error) {
    removeSceneMeshes(physics, added);
    throw error;
  }
}

/** Takes them out again. */
export function removeSceneMeshes(physics: Physics, added: AddedMeshes): void {
  for (const list of [...LISTS].reverse()) {
    for (const eid of added[list].values()) FAMILIES[list].remove(physics, eid);
  }
}

/** Roots the strands of a scene that grow on its solids; entities by name. */
export function growSceneRods(
  physics: Physics,
  scene: Scene,
  rods: ReadonlyMap<string, number>,
  { solids }: { readonly solids: ReadonlyMap<string, number> },
): void {
  for (const { name, entry } of nameRods(scene).values()) {
    const solid = ('rod' in entry ? entry.rod : entry).growOn;
    if (solid !== undefined) growOn(physics, rods.get(name) ?? -1, solids.get(solid) ?? -1);
  }
}
