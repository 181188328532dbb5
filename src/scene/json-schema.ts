// The JSON Schema (draft 2020-12) of the scene file, from the same definition that the reader uses.
//
// Published as stiction/scene.schema.json by `npm run build` (emit-schema.mjs). The generator, a development
// dependency, is handed in: the library must not carry it. What a JSON Schema cannot say (rotations that are not
// zero, references, unique names, volume) is left to the reader.

import type { GenericSchema } from 'valibot';
import { sceneSchema, shapeSchema } from './schema';

/** `toJsonSchema` of @valibot/to-json-schema, as far as it is used here. */
export type JsonSchemaMaker = (
  schema: GenericSchema,
  config: {
    target: 'draft-2020-12';
    typeMode: 'input';
    errorMode: 'throw';
    ignoreActions: string[];
    definitions: Record<string, GenericSchema>;
  },
) => object;

/** The JSON Schema of a scene file of format version 1. */
export function makeSceneJsonSchema(convert: JsonSchemaMaker): Record<string, unknown> {
  return {
    ...convert(sceneSchema, {
      target: 'draft-2020-12',
      typeMode: 'input',
      errorMode: 'throw',
      ignoreActions: ['check', 'finite', 'safe_integer'],
      definitions: { shape: shapeSchema },
    }),
    title: 'stiction scene, format version 1',
    description: 'Units are SI (m, kg, s, N, rad); y is up; rotations are quaternions [x, y, z, w].',
  };
}
