// The joints of a scene, by the public calls: those of bodies by addJoint, those of nodes and vertices by attach.

import { UsageError } from '../src/core/errors';
import { unrotateVector } from '../src/math/quaternion';
import { isNodeEnd, jointName } from '../src/scene/check-joints';
import type { Scene, SceneJoint, SceneJointEnd } from '../src/scene/scene-types';
import { type AttachEnd, type AttachSpec, attach } from './attachments';
import type { JointSpec } from './joint-spec';
import { addJoint } from './joints';
import { MESH_FAMILIES, MESH_NAMES, type MeshViews } from './mesh-families';
import type { Physics } from './physics';

/** Entities by name, of the kinds that a joint may have at its ends. */
export type SceneEnds = Readonly<Record<'entities' | 'rods' | keyof MeshViews, ReadonlyMap<string, number>>>;

/** Adds the joints. Entities by name, of those of bodies (Joint) and of nodes (Attachment). Throws UsageError. */
export function addSceneJoints(physics: Physics, scene: Scene, ends: SceneEnds) {
  const joints = new Map<string, number>();
  const attachments = new Map<string, number>();
  (scene.joints ?? []).forEach((joint, i) => {
    const name = jointName(joint, i);
    try {
      if (joint.ends.some(isNodeEnd)) attachments.set(name, attach(physics, attachmentOf(physics, joint, ends)));
      else joints.set(name, addJoint(physics, specOf(joint, ends.entities)));
    } catch (error) {
      if (error instanceof UsageError)
        throw new UsageError(`addScene: joint ${JSON.stringify(name)}: ${error.message}`);
      throw error;
    }
  });
  return { joints, attachments };
}

/** What the file says in the words of addJoint. The world is the second end whichever place it has in the file. */
function specOf(joint: SceneJoint, entities: ReadonlyMap<string, number>): JointSpec {
  const { name, ends, anchors, twist, limits, breakForce, breakTorque, ...rest } = joint;
  const [first, second] = ends.map(({ body }) => (body === undefined ? 0 : (entities.get(body) ?? 0)));
  const isTurned = first === 0;
  return {
    ...rest,
    a: isTurned ? second : first,
    b: isTurned ? 0 : second,
    ...(anchors ? { anchors: isTurned ? [anchors[1], anchors[0]] : anchors } : {}),
    ...((limits ?? twist) ? { limits: limits ?? twist } : {}),
    ...(typeof breakForce === 'number' ? { breakForce } : {}),
    ...(typeof breakTorque === 'number' ? { breakTorque } : {}),
  };
}

function nodeOf(end: SceneJointEnd, ends: SceneEnds): AttachEnd {
  for (const family of MESH_NAMES) {
    const { word, list } = MESH_FAMILIES[family];
    const name = end[word];
    if (name !== undefined) return { [word]: ends[list].get(name) ?? 0, vertex: end.vertex ?? 0 };
  }
  return { rod: ends.rods.get(end.rod ?? '') ?? 0, node: end.node ?? 0 };
}

/** The same in the words of attach: the node first, then what it is joined to. */
function attachmentOf(physics: Physics, joint: SceneJoint, ends: SceneEnds): AttachSpec {
  const own = isNodeEnd(joint.ends[0]) ? 0 : 1;
  const other = joint.ends[1 - own];
  const length = Array.isArray(joint.length) ? joint.length[1] : joint.length;
  const spec: AttachSpec = { ...nodeOf(joint.ends[own], ends) };
  const place = joint.anchors?.[1 - own] ?? joint.anchor;
  if (isNodeEnd(other)) spec.to = nodeOf(other, ends);
  else if (other.body !== undefined) {
    spec.body = ends.entities.get(other.body) ?? 0;
    if (place) spec.point = inBody(physics, spec.body, place);
  } else if (place) spec.point = place;
  if (joint.type === 'rope') spec.length = length ?? ropeLength(joint);
  if (joint.spring) spec.spring = joint.spring;
  if (typeof joint.breakForce === 'number') spec.breakForce = joint.breakForce;
  return spec;
}

/** Of a rope that is as long as its ends are apart at the start [m]. */
function ropeLength({ anchors }: SceneJoint): number {
  if (!anchors) return 0;
  const [x, y, z] = anchors[0].map((from, k) => anchors[1][k] - from);
  return Math.sqrt(x * x + y * y + z * z);
}

/** A place of the world in the frame of a body. */
function inBody({ components }: Physics, eid: number, place: readonly number[]): number[] {
  const { position: p, rotation: q } = components.Transform;
  const out = Float64Array.of(place[0] - p.x[eid], place[1] - p.y[eid], place[2] - p.z[eid]);
  unrotateVector(out, 0, [q.x[eid], q.y[eid], q.z[eid], q.w[eid]], 0, out, 0);
  return [...out];
}
