// What a first frame would have to wait for, done before it: the bodies that wait to be made, and code compiled.
//
// A browser compiles a function once it has run often enough. Without this the first landings of a heap run slow code:
// twice the time of the second heap of a page, single steps five times.

import type { ShapeSpec } from '../src/geometry/shapes';
import type { PhysicsSettings } from '../src/state/settings';
import { flushEntities } from './entities';
import { type Physics, requireBetweenSteps, requirePhysics } from './physics';
import { addRigidBody } from './rigid-body';

/** Steps of the scratch world: what falls has landed, and come to rest. */
const STEPS = 90;
const SHAPES: readonly ShapeSpec[] = [{ box: [0.2, 0.25, 0.3] }, { sphere: 0.2 }, { capsule: [0.15, 0.15] }];

let isCompiled = false;

/** Makes the waiting bodies of `physics`; the first time in a page also steps a scratch world made by `create`. */
export function warmUp(physics: Physics, create: (settings?: PhysicsSettings) => Physics): void {
  requirePhysics(physics, 'physics.warmUp');
  requireBetweenSteps(physics, 'physics.warmUp');
  flushEntities(physics);
  if (isCompiled) return;
  isCompiled = true;
  const scratch = create();
  addRigidBody(scratch, { type: 'static', shape: { box: [50, 1, 50] }, position: [0, -1, 0] });

  // A stack, which is pivoted; a dozen small islands that land; a heap for the sweeps.
  for (let i = 0; i < 10; i++) addRigidBody(scratch, { shape: { box: [0.5, 0.5, 0.5] }, position: [-20, 0.5 + i, 0] });
  for (let i = 0; i < 36; i++) {
    const position = [4 * (Math.floor(i / 3) - 6), 0.6 + 0.5 * (i % 3), 0.02 * (i % 3)];
    addRigidBody(scratch, { shape: SHAPES[i % 3], position });
  }
  for (let i = 0; i < 120; i++) {
    const position = [0.5 * (i % 4), 1 + 0.6 * Math.floor(i / 16), 10 + 0.5 * (Math.floor(i / 4) % 4)];
    addRigidBody(scratch, { shape: SHAPES[i % 3], position });
  }
  for (let k = 0; k < STEPS; k++) scratch.step();
  scratch.dispose();
  warmPivots(create({ solver: 'dantzig', sleeping: false }));
}

/**
 * Pivots in each step: what stands is solved some few times a second only, so that each of these solves would run code
 * that is not compiled for the first half a minute.
 */
function warmPivots(scratch: Physics): void {
  addRigidBody(scratch, { type: 'static', shape: { plane: [0, 1, 0] } });
  const boxes: number[] = [];
  for (let i = 0; i < 12; i++) {
    const position = [0.05 * (i % 3), 0.5 + i, 0];
    boxes.push(addRigidBody(scratch, { shape: { box: [0.5, 0.5, 0.5] }, position }));
  }
  const { x } = scratch.components.Velocity.linear;
  for (let k = 0; k < STEPS; k++) {
    // Shoved, so that sets change and factors are made anew.
    if (k % 10 === 0) for (const eid of boxes) x[eid] = 0.1 * ((eid + k / 10) % 3);
    scratch.step();
  }
  scratch.dispose();
}
