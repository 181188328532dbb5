// When entities of ours came and went, for restores: the same number may have belonged to another entity at the snapshot.

import { entityExists, hasComponent } from 'bitecs';
import type { Physics } from './physics';
import type { Kind } from './snapshot-types';

/** A call of ours has made this entity. */
export function noteBirth({ internal }: Physics, eid: number): void {
  internal.births.set(eid, ++internal.serial);
  internal.leaving.delete(eid);
}

/** An entity loses a component of ours, alone or as it is removed. */
export function noteLeaving({ world, components, internal }: Physics, eid: number, kind: Kind): void {
  internal.leaving.set(eid, kind);
  // While an entity is being removed its components are still there.
  if (!hasComponent(world, eid, components[kind])) return;
  internal.deaths.set(eid, ++internal.serial);
  internal.births.delete(eid);
}

/** Forgets who has left; an entity whose removal is under way, its observers being told, is still leaving. */
export function settleLeaving({ world, components, internal }: Physics): void {
  for (const [eid, kind] of internal.leaving) {
    if (!entityExists(world, eid) || !hasComponent(world, eid, components[kind])) internal.leaving.delete(eid);
  }
}
