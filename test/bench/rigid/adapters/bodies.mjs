// Hands the bodies of a scene file to an adapter one by one, with the material looked up.

/**
 * Calls add[kind](body) for every body of the scene, kind being box, sphere, capsule or hull; the body has shape,
 * dynamic, mass [kg], friction, position [m], rotation and, if it moves at first, velocity [m/s].
 */
export function addBodies(scene, add) {
  for (const body of scene.bodies) {
    const kind = Object.keys(body.shape)[0];
    if (!add[kind]) throw new Error(`no ${kind} in this engine`);
    const { friction } = scene.materials[body.material];
    add[kind]({ ...body, dynamic: body.type !== 'static', friction });
  }
}
