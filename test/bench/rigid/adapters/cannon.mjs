// cannon-es. It has no capsule: two spheres and an eight-sided cylinder stand in. Sweep-and-prune broadphase instead
// of the default one, which tries all pairs.

import * as C from 'cannon-es';
import { hullFaces } from '../hull-faces.mjs';
import { addBodies } from './bodies.mjs';

export const cannon = {
  async init() {
    return '';
  },
  load(scene, { sleep }) {
    const world = new C.World({ gravity: new C.Vec3(...scene.gravity) });
    world.broadphase = new C.SAPBroadphase(world);
    world.allowSleep = sleep;
    world.defaultContactMaterial.restitution = 0;
    const moving = [];
    const add = (shapes, { dynamic, mass, friction, position, rotation, velocity }) => {
      world.defaultContactMaterial.friction = friction; // one a scene
      const body = new C.Body({
        mass: dynamic ? mass : 0,
        position: new C.Vec3(...position),
        quaternion: new C.Quaternion(...rotation),
        linearDamping: 0,
        angularDamping: 0,
      });
      for (const [shape, offset] of shapes) body.addShape(shape, offset);
      if (velocity) body.velocity.set(...velocity);
      world.addBody(body);
      if (dynamic) moving.push(body);
    };
    addBodies(scene, {
      box: (body) => add([[new C.Box(new C.Vec3(...body.shape.box))]], body),
      sphere: (body) => add([[new C.Sphere(body.shape.sphere)]], body),
      capsule(body) {
        const [radius, half] = body.shape.capsule;
        const top = [new C.Sphere(radius), new C.Vec3(0, half, 0)];
        const bottom = [new C.Sphere(radius), new C.Vec3(0, -half, 0)];
        add([top, bottom, [new C.Cylinder(radius, radius, 2 * half, 8)]], body);
      },
      hull(body) {
        const points = body.shape.hull;
        const faces = hullFaces(points).faces.map((face) => [...face]);
        add([[new C.ConvexPolyhedron({ vertices: points.map((p) => new C.Vec3(...p)), faces })]], body);
      },
    });
    return {
      step: () => world.step(scene.timeStep),
      readPoses(out) {
        let k = 0;
        for (const { position: p, quaternion: q } of moving) {
          out[k++] = p.x;
          out[k++] = p.y;
          out[k++] = p.z;
          out[k++] = q.x;
          out[k++] = q.y;
          out[k++] = q.z;
          out[k++] = q.w;
        }
      },
      dispose() {},
    };
  },
};
