// #region world
import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics, readInterpolatedPosition, readInterpolatedRotation } from 'stiction';

const world = createWorld();
const physics = createPhysics(world);

addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.6 });
const crate = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 3, 0], friction: 0.6 });
// #endregion world

// #region frame
const position = [0, 0, 0];
const rotation = [0, 0, 0, 1];

/** Once a drawn frame; `seconds` since the last one. */
export function frame(seconds: number, draw: (position: number[], rotation: number[]) => void): void {
  physics.advance(seconds); // none, one or more fixed steps
  physics.interpolate(); // poses between the last two, so that motion is smooth on any display
  readInterpolatedPosition(physics, crate, position);
  readInterpolatedRotation(physics, crate, rotation);
  draw(position, rotation);
}
// #endregion frame
