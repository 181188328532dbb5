// The README's example of a solid; readme.test.ts compares the two and runs this one.

import { createWorld } from 'bitecs';
import { addSolid, addSolidForce, createPhysics } from '../../src/index';

export const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });

export function addPad(vertices: Float64Array, tetrahedra: Int32Array, crate: number): number {
  const pad = addSolid(physics, {
    ...{ vertices, tetrahedra }, // [m]; four vertices each, volume > 0
    youngModulus: 6e4, // [Pa]; poissonRatio, density, damping, friction besides, live as columns of Solid
    pins: [0, { vertex: 3, body: crate }], // held in the world, or following a body
  });
  addSolidForce(physics, pad, 7, [0, 20, 0]); // [N], for the next step; solidPositions and placeSolid read and set
  return pad;
}
