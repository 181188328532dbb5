import { addComponent, addEntity, createWorld, query, removeEntity } from 'bitecs';
import { addRigidBody, createPhysics, createShape, type Physics } from 'stiction';

// #region columns
const world = createWorld();
const physics = createPhysics(world, { timeStep: 1 / 120 });
const { Transform, Velocity, RigidBody, Collider, Material, Sleeping } = physics.components;

const crate = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 2, 0] });
Velocity.linear.y[crate] = 5; // a write counts from the next step on
Material.friction[crate] = 0.2;
physics.step();
export const height = Transform.position.y[crate]; // what the step made of it
// #endregion columns

// #region plain
// The same body by bitECS alone: components in any order, the body is made as the next step begins.
const barrel = addEntity(world);
addComponent(world, barrel, RigidBody);
addComponent(world, barrel, Collider);
Collider.shape[barrel] = createShape(physics, { cylinder: [0.3, 0.5] });
Transform.position.y[barrel] = 4;
physics.step();
removeEntity(world, crate); // and this is how bodies go
// #endregion plain

// #region systems
export function addWindTunnel({ schedule }: Physics): () => void {
  // Runs in every step, before velocities are predicted; returns what takes it out again.
  return schedule.before('predict-motion', ({ physics: { components }, time }) => {
    const { force } = components.RigidBody;
    for (const eid of query(world, [components.RigidBody])) force.x[eid] += 20 * Math.sin(time); // [N], for this step
  });
}
// #endregion systems

// #region sleeping
export const asleep = (): number => query(world, [RigidBody, Sleeping]).length;
// #endregion sleeping
export { barrel, physics };
