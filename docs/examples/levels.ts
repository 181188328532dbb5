import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics } from 'stiction';

const physics = createPhysics(createWorld());

// #region mesh
// Flat arrays as a model has them: x y z by vertex, three indices a triangle, counter-clockwise seen from outside.
const vertices = new Float32Array([-5, 0, -5, 5, 0, -5, 5, 0, 5, -5, 0, 5]);
const triangles = new Uint32Array([0, 2, 1, 0, 3, 2]);
export const level = addRigidBody(physics, { type: 'static', shape: { mesh: { vertices, triangles } }, friction: 0.8 });
// #endregion mesh

// #region field
const size = 33;
const heights = Array.from({ length: size * size }, (_, i) => 0.2 * Math.sin(0.4 * (i % size))); // [m], row by row
export const hills = addRigidBody(physics, {
  type: 'static',
  shape: { heightField: { size: [20, 20], rows: size, columns: size, heights } }, // centred on the body
  position: [20, 0, 0],
});
// #endregion field

// #region layers
const [WORLD, PLAYER, PROP, GHOST] = [1, 2, 4, 8];
addRigidBody(physics, { type: 'static', shape: { box: [1, 1, 1] }, position: [3, 1, 0], layers: WORLD });
export const prop = addRigidBody(physics, {
  shape: { sphere: 0.3 },
  position: [0, 2, 0],
  layers: PROP,
  mask: WORLD | PROP | PLAYER, // everything but ghosts
});
export const ghost = addRigidBody(physics, { shape: { sphere: 0.3 }, position: [0, 2, 1], layers: GHOST, mask: WORLD });
// #endregion layers

export { physics };
