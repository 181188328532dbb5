// A plain copy of whatever a caller hands in as a scene, so that everything after works on harmless data.
//
// In: any JavaScript value. Out: fresh objects, arrays, numbers, strings, booleans and null only. Typed arrays
// become lists, -0 becomes 0 (JSON text keeps no sign of zero), undefined properties are dropped as in JSON.
// Refused with a SceneError: loops, more than DEPTH_LIMIT levels, more than VALUE_LIMIT values, keys that would
// reach an object's prototype, and objects whose properties throw when read.

import { type Path, SceneError, showPath } from './errors';

/** Deepest nesting of a scene; a compound within a compound takes four levels. */
const DEPTH_LIMIT = 64;
/** Most values in a scene: a mesh of two million vertices and four million triangles has 24 million. */
const VALUE_LIMIT = 40_000_000;

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Copies `value` as plain data. Throws SceneError and nothing else. */
export function copyPlain(value: unknown): unknown {
  const path: (string | number)[] = [];
  const ancestors = new Set<object>();
  let count = 0;

  const refuseHere = (text: string): never => {
    // A path of sixty steps helps nobody.
    const shown: Path = path.length > 12 ? path.slice(0, 12) : path;
    throw new SceneError([`${showPath(shown)}${path.length > 12 ? '...' : ''}: ${text}`]);
  };

  const copy = (item: unknown): unknown => {
    if (++count > VALUE_LIMIT) refuseHere(`too many values, expected at most ${VALUE_LIMIT} in a scene`);
    if (typeof item === 'number') return item === 0 ? 0 : item;
    if (typeof item !== 'object' || item === null) return item;
    if (path.length >= DEPTH_LIMIT) refuseHere(`nested too deeply, expected at most ${DEPTH_LIMIT} levels`);
    if (ancestors.has(item)) refuseHere('contains itself, expected plain data');
    ancestors.add(item);
    const out = Array.isArray(item) || ArrayBuffer.isView(item) ? copyList(item) : copyObject(item);
    ancestors.delete(item);
    return out;
  };

  const copyList = (item: readonly unknown[] | ArrayBufferView): unknown[] => {
    const list = item as ArrayLike<unknown>;
    const length = list.length ?? 0;
    if (length > VALUE_LIMIT) refuseHere(`too many entries, expected at most ${VALUE_LIMIT}`);
    const out: unknown[] = [];
    for (let i = 0; i < length; i++) {
      path.push(i);
      out.push(copy(list[i]));
      path.pop();
    }
    return out;
  };

  const copyObject = (item: object): Record<string, unknown> => {
    const out: Record<string, unknown> = {};
    for (const key of Object.keys(item)) {
      path.push(key);
      if (FORBIDDEN.has(key)) refuseHere('this key is not allowed');
      const part = (item as Record<string, unknown>)[key];
      if (part !== undefined) out[key] = copy(part);
      path.pop();
    }
    return out;
  };

  try {
    return copy(value);
  } catch (error) {
    if (error instanceof SceneError) throw error;
    // A getter or proxy of the caller threw: its error may hold anything, so only the place is told.
    throw new SceneError([`${showPath(path.slice(0, 12))}: cannot be read, expected plain data`]);
  }
}
