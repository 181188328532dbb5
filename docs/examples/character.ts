import { createWorld } from 'bitecs';
import { addCharacter, addRigidBody, createPhysics } from 'stiction';

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
export const wish = { x: 0, z: 0, jump: false, crouch: false };

// #region walk
export const hero = addCharacter(physics, {
  position: [0, 0.1, 0], // the feet [m]
  radius: 0.3,
  height: 1.8,
  stepHeight: 0.4,
  maxSlope: 0.87, // [rad], 50 degrees
  pushForce: 300, // [N]
});

physics.schedule.before('predict-motion', () => {
  const { Character } = physics.components;
  Character.move.x[hero] = wish.x; // over the ground, whatever that does [m/s]
  Character.move.z[hero] = wish.z;
  Character.crouch[hero] = wish.crouch ? 1 : 0;
  if (wish.jump) Character.jump[hero] = 4.5; // [m/s]; counts on the ground alone
  wish.jump = false;
});

// #endregion walk
export const isInAir = () => physics.components.Character.status[hero] === 0;
export { physics };
