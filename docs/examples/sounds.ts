import { createWorld, observe, onAdd, onRemove } from 'bitecs';
import { addRigidBody, createPhysics } from 'stiction';

const world = createWorld();
const physics = createPhysics(world);
const { Contact, Velocity } = physics.components;
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
export const ball = addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0, 1, 0], restitution: 0.5 });

export const heard: string[] = [];
const play = (name: string, loudness: number) => heard.push(`${name} ${loudness.toFixed(2)}`);

// #region hits
observe(world, onAdd(Contact), (touch: number) => {
  const impulse = Contact.normalImpulse[touch]; // [N·s], of the whole hit
  const speed = Contact.approachSpeed[touch]; // [m/s], of the fastest point just before
  if (speed > 0.5) play('hit', Math.min(1, 0.5 * impulse * speed)); // by energy, not by speed alone
});
// #endregion hits

// #region sliding
/** Loudness of scraping now: friction force times sliding speed, summed over touches. */
export function scraping(touches: readonly number[]): number {
  let power = 0;
  for (const touch of touches) {
    if (Contact.sliding[touch] === 0) continue;
    const a = Contact.entityA[touch];
    const b = Contact.entityB[touch];
    const across = Math.abs(Velocity.linear.x[a] - Velocity.linear.x[b]);
    power += (Contact.frictionImpulse[touch] / physics.settings.timeStep) * across; // [W]
  }
  return power;
}
// #endregion sliding

export const ended: number[] = [];
observe(world, onRemove(Contact), (touch: number) => {
  ended.push(touch);
});

export { physics };
