// The families of elastic objects with a mesh, as scene files have them: what a further one is to the reader, the
// writer and the ends of joints is an entry here, and its types in scene-types.

import { checkShells } from './check-shells';
import { checkSolids } from './check-solids';
import type { Problems } from './errors';
import type { NamedBody } from './names';
import type { Scene } from './scene-types';
import { field, list, open, text } from './schema-parts';
import { shellSchema } from './shell-schema';
import { solidSchema } from './solid-schema';

/** What a list of each has for entries. */
export const MESH_SCHEMAS = { shells: shellSchema, solids: solidSchema };

/** Lists of them in a scene. */
export const MESH_FIELDS = {
  shells: field(list('a list of shells', MESH_SCHEMAS.shells), 'Surfaces such as cloth', []),
  solids: field(list('a list of solids', MESH_SCHEMAS.solids), 'Elastic solids, made of tetrahedra', []),
};

/** One of them at an end of a joint. */
export const MESH_END_FIELDS = {
  shell: open(text(), 'Name of a shell, with vertex'),
  solid: open(text(), 'Name of a solid, with vertex'),
};

/** Adds every problem of them; returns them by name, by the word of an end. */
export function checkMeshes(scene: Scene, bodies: ReadonlyMap<string, NamedBody>, problems: Problems) {
  return { shell: checkShells(scene, bodies, problems), solid: checkSolids(scene, bodies, problems) };
}

/** Of these rods and grooms may grow on. */
export const CARRIER = 'solid';
