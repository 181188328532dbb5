import { createWorld } from 'bitecs';
import { addRigidBody, castRay, createPhysics, readPosition, setVelocity } from 'stiction';

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
export const wish = { x: 0, z: 0, jump: false };

// #region walk
export const hero = addRigidBody(physics, {
  shape: { capsule: [0.3, 0.6] },
  position: [0, 0.9, 0],
  mass: 70,
  friction: 0, // the walking is done here
  lockRotation: [true, true, true], // stays upright
});

const MOST = 0.5; // [m/s] a step: 30 m/s² at 60 Hz
const towards = (now: number, wanted: number) => now + Math.max(-MOST, Math.min(MOST, wanted - now));
const at = [0, 0, 0];

physics.schedule.before('predict-motion', () => {
  const { linear } = physics.components.Velocity;
  const feet = castRay(physics, readPosition(physics, hero, at), [0, -1, 0], 1.5, { ignore: hero });
  const isStanding = feet !== null && feet.distance < 0.95 && feet.normal[1] > 0.7;
  linear.x[hero] = towards(linear.x[hero], wish.x);
  linear.z[hero] = towards(linear.z[hero], wish.z);
  if (wish.jump && isStanding) setVelocity(physics, hero, [linear.x[hero], 4.5, linear.z[hero]]);
});

// #endregion walk
export { physics };
