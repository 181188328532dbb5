import { createWorld } from 'bitecs';
import { addRigidBody, applyImpulse, createPhysics, type Snapshot } from 'stiction';

const physics = createPhysics(createWorld());
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
export const hero = addRigidBody(physics, { shape: { capsule: [0.3, 0.5] }, position: [0, 0.8, 0] });

// #region netcode
const WINDOW = 8; // steps that an input may be late
const kept: Snapshot[] = [];
const inputs = new Map<number, number>(); // push along x by step [N·s]

function advanceOne(): void {
  const at = physics.stepCount % WINDOW;
  kept[at] = physics.snapshot(kept[at]); // in the memory of the one that falls out of the window
  applyImpulse(physics, hero, [inputs.get(physics.stepCount) ?? 0, 0, 0]);
  physics.step();
}

/** An input of the other player arrives; `step` is when it was made. */
export function receive(step: number, push: number): void {
  inputs.set(step, push);
  const now = physics.stepCount;
  if (step >= now) return;
  if (now - step > WINDOW) throw new Error(`input of step ${step} is too late at ${now}`);
  physics.restore(kept[step % WINDOW]);
  while (physics.stepCount < now) advanceOne();
}

/** Equal on every machine that has had the same inputs. */
export const checksum = (): string => physics.hash();
// #endregion netcode
export { advanceOne, physics };
