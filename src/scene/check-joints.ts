// What the schema cannot see of joints: their bodies, two ends that are one, names, limits
// that cross, axes without length.

import { type Path, type Problems, quote } from './errors';
import { MESH_WORDS, type Scene, type SceneJoint, type SceneJointEnd } from './scene-types';

/** Name of a joint: its own, or its place in the list. */
export function jointName(joint: SceneJoint, place: number): string {
  return joint.name ?? `joint-${place}`;
}

/** Adds every problem of the joints. */
export function checkJoints(scene: Scene, known: KnownNames, problems: Problems): void {
  const seen = new Map<string, number>();
  scene.joints.forEach((joint, i) => {
    const path: Path = ['joints', i];
    const name = jointName(joint, i);
    const first = seen.get(name);
    if (first !== undefined) {
      problems.add([...path, 'name'], `must be unique, got ${quote(name)}, which joints[${first}] has already`);
    }
    seen.set(name, i);
    checkEnds(joint, known, path, problems);
    for (const key of ['limits', 'twist'] as const) checkRange(joint[key], [...path, key], problems);
    if (Array.isArray(joint.length)) checkRange(joint.length, [...path, 'length'], problems);
    for (const key of ['axis', 'axis2'] as const) {
      if (joint[key]?.every((x) => x === 0)) problems.add([...path, key], 'must not be zero, got 0 0 0');
    }
  });
}

const KINDS = ['body', 'rod', ...MESH_WORDS] as const;
const KINDS_SHOWN = `body, world, rod, ${MESH_WORDS.join(' and ')}`;

/** Names that an end may have. */
type KnownNames = Record<(typeof KINDS)[number], { has(name: string): boolean }>;

/** What a joint of a node or vertex does not know. */
const BODIES_ALONE = [
  ...(['axis', 'axis2', 'limits', 'cone', 'twist', 'axes', 'motor', 'friction'] as const),
  ...(['breakTorque', 'collide'] as const),
];

/** Whether an end is a node of a rod, or a vertex. */
export function isNodeEnd(end: SceneJointEnd): boolean {
  return end.rod !== undefined || MESH_WORDS.some((word) => end[word] !== undefined);
}

function checkNodes(joint: SceneJoint, path: Path, problems: Problems): void {
  if (joint.type !== 'ball' && joint.type !== 'rope') {
    problems.add([...path, 'type'], `must be "ball" or "rope" at a node or vertex, got ${quote(joint.type)}`);
  }
  for (const key of BODIES_ALONE) {
    if (joint[key] !== undefined && joint[key] !== null) problems.add([...path, key], 'is for joints of bodies alone');
  }
  if (Array.isArray(joint.length) && joint.length[0] > 0) {
    problems.add(
      [...path, 'length'],
      `must be a greatest length at a node or vertex, got ${joint.length.join(' to ')}`,
    );
  }
}

function checkEnds(joint: SceneJoint, known: KnownNames, path: Path, problems: Problems): void {
  joint.ends.forEach((end, k) => {
    const at: Path = [...path, 'ends', k];
    const given = KINDS.filter((kind) => end[kind] !== undefined);
    if (given.length + (end.world ? 1 : 0) !== 1) {
      problems.add(at, `must have one of ${KINDS_SHOWN}`);
      return;
    }
    const [kind] = given;
    const name = kind && end[kind];
    if (name !== undefined && !known[kind].has(name))
      problems.add([...at, kind], `no such ${kind}, got ${quote(name)}`);
    const number = kind === 'rod' ? 'node' : kind === 'body' || !kind ? null : 'vertex';
    for (const key of ['node', 'vertex'] as const) {
      if ((end[key] === undefined) === (key === number)) {
        problems.add(
          [...at, key],
          key === number ? `missing, expected its number in the ${kind}` : 'is not for this end',
        );
      }
    }
  });
  if (joint.ends.some(isNodeEnd)) checkNodes(joint, path, problems);
  const [first, second] = joint.ends;
  if (first.world && second.world)
    problems.add([...path, 'ends'], 'must have a body or node at one end, got the world twice');
  if (first.body !== undefined && first.body === second.body) {
    problems.add([...path, 'ends'], `must be two different bodies, got ${quote(first.body)} twice`);
  }
}

function checkRange(range: readonly number[] | undefined, path: Path, problems: Problems): void {
  if (range && range[0] > range[1]) problems.add(path, `must not cross, got ${range[0]} > ${range[1]}`);
}
