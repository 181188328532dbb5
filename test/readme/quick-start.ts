import { createWorld, observe, onAdd } from 'bitecs';
import { addRigidBody, createPhysics } from '../../src/index';

const world = createWorld();
const physics = createPhysics(world); // synchronous: no await, no .wasm file to host
const { Interpolated, Contact } = physics.components;

addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.6 });
const boxes: number[] = [];
for (let i = 0; i < 10; i++) {
  boxes.push(addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5 + i, 0] }));
}

// Touches are entities: "contact began" is onAdd, "contact ended" is onRemove.
let touches = 0;
observe(world, onAdd(Contact), () => touches++);

// Your own systems run inside the step, before or after any stage.
physics.schedule.before('predict-motion', ({ time }) => {
  if (time > 2) physics.components.RigidBody.force.x[boxes[9]] = 8000; // [N], for this step
});

export function frame(seconds: number): string {
  physics.advance(seconds); // fixed steps of 1/60 s, as many as the frame needs
  physics.interpolate(); // poses between the last two steps, for rendering
  const top = boxes[9];
  return `top box at ${Interpolated.position.y[top].toFixed(3)} m, ${touches} touches`;
}
