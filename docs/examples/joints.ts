import { createWorld, observe, onAdd } from 'bitecs';
import { addJoint, addRigidBody, createPhysics } from 'stiction';

const world = createWorld();
const physics = createPhysics(world);

// #region door
const door = addRigidBody(physics, { shape: { box: [0.5, 1, 0.04] }, position: [0.5, 1, 0] });
const hinge = addJoint(physics, {
  type: 'hinge',
  a: door, // b: the frame's entity; the world by default
  anchor: [0, 1, 0],
  axis: [0, 1, 0],
  limits: [0, 1.9], // [rad]
  friction: 0.5, // [N·m]
  motor: { target: 0, maxForce: 400 }, // a door closer: [rad], [N·m]
  spring: { frequency: 0.5, dampingRatio: 1 }, // [Hz]: how softly it goes to the target
  breakForce: 4000, // [N]
});
export const angle = (): number => physics.components.Joint.value[hinge]; // [rad]
observe(world, onAdd(physics.components.Broken), (joint: number) => {
  if (joint === hinge) console.info('the door is off its hinge');
});
// #endregion door

// #region motor
const { Joint } = physics.components;
/** An automatic door: the target moves, the spring takes it there. */
export function open(isOpen: boolean): void {
  Joint.motorTarget[hinge] = isOpen ? 1.8 : 0; // [rad]
}
// #endregion motor
export { door, physics };
