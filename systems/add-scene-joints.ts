// The joints of a scene, by the public call.

import { UsageError } from '../src/core/errors';
import { jointName } from '../src/scene/check-joints';
import type { Scene, SceneJoint } from '../src/scene/scene-types';
import type { JointSpec } from './joint-spec';
import { addJoint } from './joints';
import type { Physics } from './physics';

/** Adds the joints; their entities by name. Throws UsageError. */
export function addSceneJoints(
  physics: Physics,
  scene: Scene,
  entities: ReadonlyMap<string, number>,
): Map<string, number> {
  const joints = new Map<string, number>();
  (scene.joints ?? []).forEach((joint, i) => {
    const name = jointName(joint, i);
    try {
      joints.set(name, addJoint(physics, specOf(joint, entities)));
    } catch (error) {
      if (error instanceof UsageError)
        throw new UsageError(`addScene: joint ${JSON.stringify(name)}: ${error.message}`);
      throw error;
    }
  });
  return joints;
}

/** What the file says in the words of the call. The world is the second end whichever place it has in the file. */
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
