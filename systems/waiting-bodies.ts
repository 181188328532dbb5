// Entities with RigidBody that have no body yet: something is missing, and may come in any later step.

import { entityExists, hasComponent } from 'bitecs';
import type { Physics } from './physics';
import { shapeAt } from './shape-book';
import { tellIgnored, warnOnce } from './warnings';

/** Not yet told of. */
const UNTOLD = -1;

/** What an entity with RigidBody lacks to have a body; null for nothing, and for what has no RigidBody. */
export function missingPart({ world, components, internal }: Physics, eid: number): string | null {
  const { Collider, RigidBody, Static } = components;
  if (!entityExists(world, eid) || !hasComponent(world, eid, RigidBody)) return null;
  if (!hasComponent(world, eid, Collider)) return 'has RigidBody but no Collider';
  const shape = shapeAt(internal, Collider.shape[eid]);
  if (!shape) return `Collider.shape, which is ${Collider.shape[eid]}, must be an id from createShape`;
  if (shape.staticOnly && !hasComponent(world, eid, Static)) return 'planes and meshes are for static bodies';
  return null;
}

/** The body is made in the step that finds all parts there. */
export function waitForParts({ internal, world, components }: Physics, eid: number): void {
  internal.waiting.set(eid, UNTOLD);
  // The column may hold the shape of an entity that had this number before.
  if (!hasComponent(world, eid, components.Collider)) components.Collider.shape[eid] = 0;
}

/** Those that have all parts now are noted as spawned. */
export function noteCompleted(physics: Physics): void {
  const { waiting, spawned } = physics.internal;
  if (waiting.size === 0) return;
  const { world, components } = physics;
  for (const eid of waiting.keys()) {
    if (!entityExists(world, eid) || !hasComponent(world, eid, components.RigidBody)) waiting.delete(eid);
    else if (missingPart(physics, eid) === null) spawned.push(eid);
  }
}

/** Those that wait as a step begins are told of: once, and again when another shape does not do either. */
export function tellWaiting(physics: Physics): void {
  const { waiting } = physics.internal;
  if (waiting.size === 0) return;
  const { world, components } = physics;
  const { Collider } = components;
  for (const [eid, told] of waiting) {
    const shape = Collider.shape[eid];
    const missing = shape === told ? null : missingPart(physics, eid);
    if (missing === null) continue;
    waiting.set(eid, shape);
    if (hasComponent(world, eid, Collider)) {
      const expectation = missing.startsWith('planes')
        ? 'planes and meshes are for static bodies; no body is made'
        : 'must be an id from createShape; no body is made';
      tellIgnored(physics, 'Collider.shape', eid, expectation, shape);
      continue;
    }
    const text = `entity ${eid} has RigidBody but no Collider, and so no body`;
    physics.internal.notes.push(text);
    warnOnce(physics, 'RigidBody alone', `${text}; add Collider and set its shape (createShape), or use addRigidBody`);
  }
}
