// The README's example of a shell; readme.test.ts compares the two and runs this one.

import { createWorld } from 'bitecs';
import { addShell, createPhysics, pinVertex, setWind } from '../../src/index';

export const physics = createPhysics(createWorld());

export function addCape(vertices: Float32Array, triangles: Uint16Array, shoulder: number): number {
  const cape = addShell(physics, {
    ...{ vertices, triangles }, // your mesh as it is [m]; vertices that a texture's seam splits are one to the solve
    thickness: 0.002, // [m]; surfaces rest at the sum of their half thicknesses
    density: 300, // [kg/m³]
    stretchModulus: 1e6, // [Pa]; bendingModulus, shearModulus and poissonRatio besides
    friction: 0.4,
    airDrag: 1, // [kg/m³]
    pins: [0, { vertex: 8, body: shoulder }], // held in the world, or following a body
  });
  pinVertex(physics, cape, 3, { point: [0, 1.5, 0] }); // again every step moves it; unpinVertex lets go
  setWind(physics, [4, 0, 0]); // [m/s]; blows on shells with airDrag
  return cape;
}
