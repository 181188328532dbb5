// When entities of ours came and went, for restores: the same number may have belonged
// to another entity at the snapshot.

import { entityExists, hasComponent, observe, onRemove } from 'bitecs';
import type { Physics } from './physics';
import { KINDS, type Kind, kindBit } from './snapshot-types';

/** A call of ours has made this entity. */
export function noteBirth({ internal }: Physics, eid: number): void {
  internal.births.set(eid, ++internal.serial);
  internal.lastBirth = internal.serial;
  internal.leaving.delete(eid);
}

/** An entity of ours is gone; its number may be given to another one. */
export function noteDeath({ internal }: Physics, eid: number): void {
  internal.deaths.set(eid, ++internal.serial);
  internal.births.delete(eid);
}

/** Subscribes to the end of entities that have lost what they were made for, and keep other parts of ours. */
export function observeLives(physics: Physics): void {
  const { world, components, internal } = physics;
  const { Transform, Interpolated, Velocity, Collider, Material } = components;
  for (const part of [Transform, Interpolated, Velocity, Collider, Material]) {
    internal.unobserve.push(
      observe(world, onRemove(part), (eid: number) => {
        // While an entity is being removed its components are still there.
        if (hasComponent(world, eid, part)) noteDeath(physics, eid);
        else if (hasComponent(world, eid, components.RigidBody)) {
          // Without a shape there is no body; of the others a body has its own.
          if (part === Collider) internal.changed.push(eid);
          else internal.parted.push(eid);
        }
      }),
    );
  }
}

/**
 * An entity loses a component of ours, alone or as it is removed. It may be of several kinds, and lose them one by one.
 */
export function noteLeaving(physics: Physics, eid: number, kind: Kind): void {
  const { world, components, internal } = physics;
  internal.leaving.set(eid, (internal.leaving.get(eid) ?? 0) | kindBit(kind));
  // While an entity is being removed its components are still there.
  if (hasComponent(world, eid, components[kind])) noteDeath(physics, eid);
}

/** An entity has got a component of ours. */
export function noteArrival({ internal }: Physics, eid: number, kind: Kind): void {
  keepLeaving(internal.leaving, eid, (internal.leaving.get(eid) ?? 0) & ~kindBit(kind));
}

/**
 * Whether the removal of this entity is under way: an observer of it asks. Removed once more its number would be free,
 * and whatever gets it would go with the first removal.
 */
export function isGoing({ world, components, internal }: Physics, eid: number): boolean {
  const kinds = internal.leaving.get(eid) ?? 0;
  // While an entity is being removed its components are still there.
  return kinds !== 0 && KINDS.some((kind) => kinds & kindBit(kind) && hasComponent(world, eid, components[kind]));
}

/** Whether the entity is losing this component: it is there while observers of the entity's removal are told. */
export function isLeaving({ internal }: Physics, eid: number, kind: Kind): boolean {
  return ((internal.leaving.get(eid) ?? 0) & kindBit(kind)) !== 0;
}

function keepLeaving(leaving: Map<number, number>, eid: number, kinds: number): void {
  if (kinds === 0) leaving.delete(eid);
  else leaving.set(eid, kinds);
}

/** Forgets who has left; an entity whose removal is under way, its observers being told, is still leaving. */
export function settleLeaving({ world, components, internal }: Physics): void {
  // An iterator of nothing is garbage, too.
  if (internal.leaving.size === 0) return;
  for (const [eid, kinds] of internal.leaving) {
    let still = 0;
    for (const kind of entityExists(world, eid) ? KINDS : []) {
      if (kinds & kindBit(kind) && hasComponent(world, eid, components[kind])) still |= kindBit(kind);
    }
    keepLeaving(internal.leaving, eid, still);
  }
}
