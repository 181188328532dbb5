// A scene to text: the inverse of the reader, compact enough to be read and compared by people.
//
// In: a scene. Out: JSON of format version 1 with one entry of a list per line; what equals its default is left
// out. readScene(writeScene(scene)) gives the same scene, to the last bit of every number.

import * as v from 'valibot';
import { MESH_SCHEMAS } from './mesh-families';
import { readScene } from './read';
import { groomSchema, rodSchema } from './rod-schema';
import type { Scene, SceneLimits } from './scene-types';
import { bodySchema, motionSchema, repeatSchema, sceneSchema } from './schema';

/**
 * JSON text of `scene`, ending in a line break.
 *
 * @throws SceneError when the scene (made or changed by hand) is not one that `readScene` would take.
 */
export function writeScene(scene: Scene, limits?: SceneLimits): string {
  const bodyDefaults = v.getDefaults(bodySchema);
  const repeatDefaults = v.getDefaults(repeatSchema);
  const motionDefaults = v.getDefaults(motionSchema);
  const checked = readScene(scene, limits);
  const plain: Record<string, unknown> = { ...checked };
  plain.bodies = checked.bodies.map((body) => sparse(body, bodyDefaults));
  plain.repeat = checked.repeat.map((repeat) => {
    const body = sparse(repeat.body, bodyDefaults);
    return { ...sparse(repeat, repeatDefaults), body };
  });
  const rodDefaults = v.getDefaults(rodSchema);
  const groomDefaults = v.getDefaults(groomSchema);
  plain.rods = checked.rods.map((rod) => sparse(rod, rodDefaults));
  plain.grooms = checked.grooms.map((groom) => {
    const rod = sparse(groom.rod, rodDefaults);
    return { ...sparse(groom, groomDefaults), rod };
  });
  for (const list of Object.keys(MESH_SCHEMAS) as (keyof typeof MESH_SCHEMAS)[]) {
    const defaults = v.getDefaults(MESH_SCHEMAS[list]);
    plain[list] = checked[list].map((mesh: object) => sparse(mesh, defaults));
  }
  plain.motions = checked.motions.map((motion) => sparse(motion, motionDefaults));
  const lines: string[] = [];
  for (const key of Object.keys(sceneSchema.entries)) {
    const value = plain[key];
    if (value === undefined || isEmpty(value)) continue;
    lines.push(`  ${JSON.stringify(key)}: ${showValue(value)}`);
  }
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Lists of objects and maps of objects take a line per entry, everything else one line in all. */
function showValue(value: unknown): string {
  if (Array.isArray(value) && typeof value[0] === 'object') {
    return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
  }
  if (typeof value === 'object' && value !== null && Object.values(value).some((item) => typeof item === 'object')) {
    const entries = Object.entries(value).map(([key, item]) => `    ${JSON.stringify(key)}: ${JSON.stringify(item)}`);
    return `{\n${entries.join(',\n')}\n  }`;
  }
  return JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** `item` without the entries that equal their default. */
function sparse(item: object, defaults: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(item)) {
    if (JSON.stringify(value) !== JSON.stringify(defaults[key])) out[key] = value;
  }
  return out;
}
