import { createWorld } from 'bitecs';
import { addRigidBody, addRod, attach, createPhysics } from 'stiction';

const physics = createPhysics(createWorld());

// #region rope
const bell = addRigidBody(physics, { shape: { cone: [0.3, 0.3] }, position: [0, 1, 0], mass: 4 });
const rope = addRod(physics, {
  points: Array.from({ length: 16 }, (_, i) => [0, 2.8 - 0.1 * i, 0]), // [m]
  radius: 0.012, // [m]
  density: 1100, // [kg/m³]
  youngModulus: 2e7, // [Pa]: how it stretches and bends
  friction: 0.4,
  clampStart: true, // held by the world
});
attach(physics, { rod: rope, node: 15, body: bell, point: [0, 0.3, 0] });
// #endregion rope

// #region spring
const lamp = addRigidBody(physics, { shape: { sphere: 0.1 }, position: [0.6, 1.1, 0], mass: 2 });
const cord = addRod(physics, {
  points: Array.from({ length: 16 }, (_, i) => [0.6, 2.8 - 0.1 * i, 0]),
  radius: 0.005,
  density: 1100,
  youngModulus: 1e8,
  clampStart: true,
});
const hook = attach(physics, {
  rod: cord,
  node: 15,
  body: lamp,
  point: [0, 0.1, 0],
  spring: { frequency: 2, dampingRatio: 0.1 }, // [Hz], 1: no overshoot
  breakForce: 60, // [N]
});
// #endregion spring

/** [N] */
export const pullOnHook = () => -physics.components.Attachment.force.y[hook];

// #region draw
/** x y z radius of every node, after physics.interpolate(). */
export function drawRope(line: (points: Float32Array | Float64Array, from: number, count: number) => void): void {
  const { positions } = physics.strands;
  const first = physics.components.Rod.firstNode[rope];
  line(positions, 4 * first, physics.components.Rod.nodeCount[rope]);
}
// #endregion draw
export { bell, physics, rope };
