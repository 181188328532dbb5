import { createWorld } from 'bitecs';
import { addGravityVolume, addRigidBody, addWater, addWindVolume, createPhysics, explode } from 'stiction';

export const physics = createPhysics(createWorld());
addRigidBody(physics, { shape: { box: [0.5, 0.2, 0.5] }, position: [0, 1, 0], density: 400 });
const BOXES = 2;

// #region volumes
// Its surface is the top of the box; wood floats on it, drifts with it and rights itself.
export const drain = addWater(physics, {
  region: { min: [-10, -3, -10], max: [10, 0, 10] },
  density: 1000, // [kg/m³]
  flow: [0.5, 0, 0], // [m/s]
});
export const stopFan = addWindVolume(physics, { region: { center: [0, 2, 0], radius: 3 }, velocity: [0, 8, 0] });
// A planet.
addGravityVolume(physics, { region: { center: [50, 0, 0], radius: 30 }, towards: [50, 0, 0], strength: 9.81 });
// #endregion volumes

// #region blast
const felt = explode(physics, [0, 0.5, 0], { radius: 5, impulse: 300, lift: 0.3, mask: BOXES });
// #endregion blast
export const count = felt.length;
