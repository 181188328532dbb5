// Mechanical energy of bodies.

import { rotationalEnergy } from '../../src/mechanics/rigid';
import type { Physics } from '../../systems/physics';

/** Kinetic energy, and potential energy above y = 0 in gravity `g` [m/s²], of a dynamic body [J]. */
export function bodyEnergy(physics: Physics, entity: number, g: number): number {
  const { engine, slotOf } = physics.internal;
  const { bodies } = engine.tables;
  const slot = slotOf[entity];
  const { rotation: q } = physics.components.Transform;
  const { linear: v, angular: w } = physics.components.Velocity;
  const mass = 1 / bodies.inverseMass[slot];
  const rotation = [q.x[entity], q.y[entity], q.z[entity], q.w[entity]];
  const spin = [w.x[entity], w.y[entity], w.z[entity]];
  const turning = rotationalEnergy(rotation, spin, bodies.localInertia.subarray(8 * slot, 8 * slot + 6));
  // Of the centre of mass: the entity's frame may lie elsewhere.
  const speed2 = v.x[entity] ** 2 + v.y[entity] ** 2 + v.z[entity] ** 2;
  return mass * (speed2 / 2 + g * bodies.position[4 * slot + 1]) + turning;
}
