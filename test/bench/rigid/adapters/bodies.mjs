// Hands the bodies and joints of a scene file to an adapter one by one, with material and places looked up.

import { conjugate, rotate, subtract } from '../vectors.mjs';

/**
 * Calls add[kind](body) for every body of the scene, kind being box, sphere, capsule or hull; the body has shape,
 * dynamic, mass [kg], friction, position [m], rotation and, if it moves at first, velocity [m/s].
 */
export function addBodies(scene, add) {
  if (scene.joints && !add.joint) throw new Error('no joints in this adapter');
  for (const body of scene.bodies) {
    const kind = Object.keys(body.shape)[0];
    if (!add[kind]) throw new Error(`no ${kind} in this engine`);
    const { friction } = scene.materials[body.material];
    add[kind]({ ...body, dynamic: body.type !== 'static', friction });
  }
  for (const joint of scene.joints ?? []) add.joint(placeJoint(scene, joint));
}

/**
 * A joint with its ends: type, limits, and `ends` of { index of the body in the scene or -1 for the world, anchor [m]
 * and axis in the axes of that body }.
 */
export function placeJoint(scene, { type, limits, anchor, axis = [0, 1, 0], ends }) {
  return {
    type,
    limits,
    ends: ends.map(({ body }) => {
      if (body === undefined) return { index: -1, anchor, axis };
      const index = scene.bodies.findIndex(({ name }) => name === body);
      const { position, rotation } = scene.bodies[index];
      const back = conjugate(rotation);
      return { index, anchor: rotate(back, subtract(anchor, position)), axis: rotate(back, axis) };
    }),
  };
}
