// crashcat: plain TypeScript. Convex radius of thin boxes as Jolt's adapter has it.

import * as X from 'crashcat';
import { addBodies } from './bodies.mjs';

function makeSettings(scene, sleep) {
  const settings = X.createWorldSettings();
  const moving = X.addObjectLayer(settings, X.addBroadphaseLayer(settings));
  const still = X.addObjectLayer(settings, X.addBroadphaseLayer(settings));
  X.enableCollision(settings, moving, still);
  X.enableCollision(settings, moving, moving);
  settings.gravity = [...scene.gravity];
  settings.sleeping.allowSleeping = sleep;
  return { settings, moving, still };
}

export const crashcat = {
  async init() {
    X.registerAll();
    return '';
  },
  load(scene, { sleep }) {
    const layers = makeSettings(scene, sleep);
    const world = X.createWorld(layers.settings);
    const bodies = [];
    const add = (shape, { dynamic, mass, friction, position, rotation, velocity }) => {
      const body = X.rigidBody.create(world, {
        shape,
        motionType: dynamic ? X.MotionType.DYNAMIC : X.MotionType.STATIC,
        objectLayer: dynamic ? layers.moving : layers.still,
        position: [...position],
        quaternion: [...rotation],
        friction,
        restitution: 0,
        linearDamping: 0,
        angularDamping: 0,
        allowSleeping: sleep,
        ...(dynamic ? { mass } : {}),
      });
      if (velocity) X.rigidBody.setLinearVelocity(world, body, velocity);
      if (dynamic) bodies.push(body);
    };
    addBodies(scene, {
      box(body) {
        const half = body.shape.box;
        add(X.box.create({ halfExtents: [...half], convexRadius: Math.min(0.05, 0.4 * Math.min(...half)) }), body);
      },
      sphere: (body) => add(X.sphere.create({ radius: body.shape.sphere }), body),
      capsule(body) {
        const [radius, halfHeightOfCylinder] = body.shape.capsule;
        add(X.capsule.create({ radius, halfHeightOfCylinder }), body);
      },
      hull: (body) => add(X.convexHull.create({ positions: body.shape.hull.flat() }), body),
    });
    return {
      step: () => X.updateWorld(world, undefined, scene.timeStep),
      readPoses(out) {
        let k = 0;
        for (const { position, quaternion } of bodies) {
          out.set(position, k);
          out.set(quaternion, k + 3);
          k += 7;
        }
      },
      dispose() {},
    };
  },
};
