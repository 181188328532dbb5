// Rapier, the plain and the SIMD build. Defaults kept: 4 solver iterations, 1 internal iteration.

import { addBodies } from './bodies.mjs';

function makeRapier(source) {
  let R;
  return {
    async init() {
      const module = await import(source);
      R = module.default ?? module;
      await R.init({}); // without an object 0.21 prints a deprecation warning
      return R.version();
    },
    load(scene, { sleep }) {
      const [x, y, z] = scene.gravity;
      const world = new R.World({ x, y, z });
      world.timestep = scene.timeStep;
      const moving = [];
      const all = [];
      let still; // what holds a joint in the world
      const add = (collider, { dynamic, mass, friction, position, rotation, velocity }) => {
        const [qx, qy, qz, qw] = rotation;
        const description = (dynamic ? R.RigidBodyDesc.dynamic() : R.RigidBodyDesc.fixed())
          .setTranslation(...position)
          .setRotation({ x: qx, y: qy, z: qz, w: qw })
          .setLinearDamping(0)
          .setAngularDamping(0)
          .setCanSleep(sleep);
        if (velocity) description.setLinvel(...velocity);
        const body = world.createRigidBody(description);
        all.push(body);
        collider.setFriction(friction).setRestitution(0);
        if (dynamic) {
          collider.setMass(mass);
          moving.push(body);
        }
        world.createCollider(collider, body);
      };
      addBodies(scene, {
        box: (body) => add(R.ColliderDesc.cuboid(...body.shape.box), body),
        sphere: (body) => add(R.ColliderDesc.ball(body.shape.sphere), body),
        capsule: (body) => add(R.ColliderDesc.capsule(body.shape.capsule[1], body.shape.capsule[0]), body),
        hull: (body) => add(R.ColliderDesc.convexHull(Float32Array.from(body.shape.hull.flat())), body),
        joint: ({ type, limits, ends: [own, other] }) => {
          const xyz = ([x, y, z]) => ({ x, y, z });
          const [from, to] = [xyz(other.anchor), xyz(own.anchor)];
          const isHinge = type === 'hinge';
          const data = isHinge ? R.JointData.revolute(from, to, xyz(own.axis)) : R.JointData.spherical(from, to);
          if (limits) Object.assign(data, { limitsEnabled: true, limits });
          still ??= world.createRigidBody(R.RigidBodyDesc.fixed());
          const base = other.index < 0 ? still : all[other.index];
          world.createImpulseJoint(data, base, all[own.index], true).setContactsEnabled(false);
        },
      });
      const place = { x: 0, y: 0, z: 0 };
      const turn = { x: 0, y: 0, z: 0, w: 1 };
      return {
        step: () => world.step(),
        readPoses(out) {
          let k = 0;
          for (const body of moving) {
            const p = body.translation(place);
            const q = body.rotation(turn);
            out[k++] = p.x;
            out[k++] = p.y;
            out[k++] = p.z;
            out[k++] = q.x;
            out[k++] = q.y;
            out[k++] = q.z;
            out[k++] = q.w;
          }
        },
        dispose: () => world.free(),
      };
    },
  };
}

export const rapier = makeRapier('@dimforge/rapier3d-compat');
export const rapierSimd = makeRapier('@dimforge/rapier3d-simd-compat');
