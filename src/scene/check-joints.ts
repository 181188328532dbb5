// What the schema cannot see of joints: their bodies, two ends that are one, names, limits
// that cross, axes without length.

import { type Path, type Problems, quote } from './errors';
import type { NamedBody } from './names';
import type { Scene, SceneJoint } from './scene-types';

/** Name of a joint: its own, or its place in the list. */
export function jointName(joint: SceneJoint, place: number): string {
  return joint.name ?? `joint-${place}`;
}

/** Adds every problem of the joints. */
export function checkJoints(scene: Scene, bodies: ReadonlyMap<string, NamedBody>, problems: Problems): void {
  const seen = new Map<string, number>();
  scene.joints.forEach((joint, i) => {
    const path: Path = ['joints', i];
    const name = jointName(joint, i);
    const first = seen.get(name);
    if (first !== undefined) {
      problems.add([...path, 'name'], `must be unique, got ${quote(name)}, which joints[${first}] has already`);
    }
    seen.set(name, i);
    checkEnds(joint, bodies, path, problems);
    for (const key of ['limits', 'twist'] as const) checkRange(joint[key], [...path, key], problems);
    if (Array.isArray(joint.length)) checkRange(joint.length, [...path, 'length'], problems);
    for (const key of ['axis', 'axis2'] as const) {
      if (joint[key]?.every((x) => x === 0)) problems.add([...path, key], 'must have a length, got 0 0 0');
    }
  });
}

function checkEnds(joint: SceneJoint, bodies: ReadonlyMap<string, NamedBody>, path: Path, problems: Problems): void {
  joint.ends.forEach((end, k) => {
    const at: Path = [...path, 'ends', k];
    if ((end.body === undefined) === (end.world === undefined)) {
      problems.add(at, 'must have either body or world');
    } else if (end.body !== undefined && !bodies.has(end.body)) {
      problems.add([...at, 'body'], `no such body, got ${quote(end.body)}`);
    }
  });
  const [first, second] = joint.ends;
  if (first.world && second.world) problems.add([...path, 'ends'], 'must have a body at one end, got the world twice');
  if (first.body !== undefined && first.body === second.body) {
    problems.add([...path, 'ends'], `must be two different bodies, got ${quote(first.body)} twice`);
  }
}

function checkRange(range: readonly number[] | undefined, path: Path, problems: Problems): void {
  if (range && range[0] > range[1]) problems.add(path, `must not cross, got ${range[0]} > ${range[1]}`);
}
