import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics, readInterpolatedPosition, readInterpolatedRotation } from 'stiction';

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 2, 0] });
const position = [0, 0, 0];
const rotation = [0, 0, 0, 1];

// #region step
/** Entity, x y z, x y z w of everything that moved: what a worker posts to its page, transferred. */
export function stepInWorker(seconds: number): Float32Array {
  physics.advance(seconds);
  physics.interpolate();
  const { entities, count } = physics.moved;
  const poses = new Float32Array(8 * count);
  for (let i = 0; i < count; i++) {
    readInterpolatedPosition(physics, entities[i], position);
    readInterpolatedRotation(physics, entities[i], rotation);
    poses.set([entities[i], ...position, ...rotation], 8 * i);
  }
  return poses;
}
// In the worker: onmessage = ({ data }) => { const poses = stepInWorker(data); postMessage(poses, [poses.buffer]); };
// #endregion step
