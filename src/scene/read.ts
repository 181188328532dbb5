// The door for scenes: text or data of unknown origin in, a checked scene with all defaults out.
//
// No input crashes it: whatever is wrong becomes a SceneError with the path to the value, what was expected and
// what came. Order: text to data, plain copy, counts against the limits, schema, then what needs several values.

import * as v from 'valibot';
import { checkScene } from './check-scene';
import { collectProblems, type Path, type Problems } from './errors';
import { parseJson } from './json-text';
import { checkLimits, resolveLimits } from './limits';
import { copyPlain } from './plain-data';
import type { Scene, SceneLimits } from './scene-types';
import { sceneSchema } from './schema';

export { SceneError } from './errors';
export type { Scene } from './scene-types';

/**
 * Reads a scene of format version 1: JSON text, or data of that form (lists may be typed arrays). The result is
 * independent of `source`, its defaults are filled in and its rotations normalised.
 *
 * @param limits Most bodies (200 000) and points (2 000 000), counted before anything is built.
 * @throws SceneError with a line per problem, such as `bodies[3].mass: must be > 0 [kg], got -1`.
 */
export function readScene(source: unknown, limits?: SceneLimits): Scene {
  const most = resolveLimits(limits);
  const data = copyPlain(typeof source === 'string' ? parseJson(source) : source);
  checkLimits(data, most);
  const problems = collectProblems();
  const result = v.safeParse(sceneSchema, data);
  if (!result.success) {
    addIssues(result.issues, problems);
    problems.throwIfAny();
  }
  const scene: Scene = result.output as v.InferOutput<typeof sceneSchema>;
  checkScene(scene, problems);
  problems.throwIfAny();
  return scene;
}

function addIssues(issues: readonly v.BaseIssue<unknown>[], problems: Problems): void {
  for (const issue of issues) {
    const path: Path = (issue.path ?? []).map((item) => (typeof item.key === 'number' ? item.key : String(item.key)));
    problems.add(path, issue.message);
  }
}
