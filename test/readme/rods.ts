// The README's example of rods; readme.test.ts compares the two and runs this one.

import { createWorld } from 'bitecs';
import { addGroom, addRigidBody, addRod, attach, createPhysics, readGroom, resampleGroom } from '../../src/index';

export const physics = createPhysics(createWorld());

export function addRope(): { crate: number; rope: number } {
  const crate = addRigidBody(physics, { shape: { box: [0.3, 0.3, 0.3] }, position: [0, 1, 0], mass: 5 });
  const rope = addRod(physics, {
    points: Array.from({ length: 21 }, (_, i) => [0, 3.3 - 0.1 * i, 0]), // [m]; at rest as given, or as restPoints say
    radius: 0.01, // [m]
    density: 1000, // [kg/m³]
    youngModulus: 1e7, // [Pa]
    friction: 0.5,
    clampStart: true, // position, tangent and twist held; attachStart: body makes it follow a body
  });
  attach(physics, { rod: rope, node: 20, body: crate, point: [0, 0.3, 0] }); // a ball joint; length makes it a tether
  return { crate, rope };
}

export function addHair(bytes: ArrayBuffer, head: number): void {
  // A file of strands, cut to 500 of 32 points and scaled to a head; its roots follow a body.
  const strands = resampleGroom(readGroom(bytes), { vertices: 32, maxStrands: 500, scale: 'head' });
  addGroom(physics, { strands, attach: head, radius: 4e-5, friction: 0.2 });
}
