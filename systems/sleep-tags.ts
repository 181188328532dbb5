// The tag Sleeping says what the engine decided: a body's flag, or that all strands of an elastic object sleep. What a
// game does with it is noted, put right before a step or a snapshot, and told of once.

import { entityExists, hasComponent, observe, onAdd, onRemove } from 'bitecs';
import type { Engine } from '../src/dynamics/engine';
import * as L from '../src/state/layout';
import { setTag } from './ecs-changes';
import type { Physics } from './physics';
import { warnOnce } from './warnings';

/** Notes whose tag changes, but for the one that the engine itself is about to set. */
export function observeSleepTags({ world, components, internal }: Physics): void {
  for (const event of [onAdd, onRemove]) {
    const note = (eid: number) => {
      if (eid !== internal.tagging) internal.slept.push(eid);
    };
    internal.unobserve.push(observe(world, event(components.Sleeping), note));
  }
}

/** Sets or clears the tag; an observer of the game that changes it meanwhile is noted. */
export function setSleepTag(physics: Physics, eid: number, isAsleep: boolean): void {
  const { internal, components } = physics;
  const before = internal.tagging;
  internal.tagging = eid;
  setTag(physics, eid, components.Sleeping, isAsleep);
  internal.tagging = before;
  noteSleepTag(physics, eid, isAsleep);
}

/** Notes an entity whose tag says something else, as that of one whose body or strands have just been made. */
export function noteSleepTag({ world, components, internal }: Physics, eid: number, isAsleep: boolean): void {
  if (entityExists(world, eid) && hasComponent(world, eid, components.Sleeping) !== isAsleep) internal.slept.push(eid);
}

/** Whether all strands of a row of rods sleep. `isDeviceAsleep`: those that the device advances do. */
export function isRodAsleep({ tables }: Engine, slot: number, isDeviceAsleep: boolean): boolean {
  const { rods, strands } = tables;
  for (let k = 0; k < rods.strandCount[slot]; k++) {
    const flags = strands.flags[rods.strandStart[slot] + k];
    if (!(flags & L.STRAND_AWAY ? isDeviceAsleep : flags & L.STRAND_ASLEEP)) return false;
  }
  return true;
}

/** What the tag of an entity has to say; null where it has neither body nor strands. */
function sleepOf({ internal }: Physics, eid: number): boolean | null {
  const { engine, rods } = internal;
  const body = internal.slotOf[eid] ?? -1;
  if (body >= 0) return (engine.tables.bodies.flags[body] & L.BODY_ASLEEP) !== 0;
  const rod = rods.slotOf[eid] ?? -1;
  return rod < 0 ? null : isRodAsleep(engine, rod, rods.shown.isDeviceAsleep);
}

/** Tags that are not as the engine left them: they are put right, and the game is told. */
export function tellSlept(physics: Physics): void {
  const { internal, world, components } = physics;
  if (internal.slept.length === 0) return;
  // Observers of the game may note more, which are looked at the next time, and move what is where.
  for (const eid of internal.slept.splice(0)) {
    const isAsleep = sleepOf(physics, eid);
    if (isAsleep === null || !entityExists(world, eid)) continue;
    if (hasComponent(world, eid, components.Sleeping) === isAsleep) continue;
    setSleepTag(physics, eid, isAsleep);
    const what = isAsleep ? 'removing Sleeping from' : 'adding Sleeping to';
    const text = `${what} entity ${eid} has no effect: the engine sets that tag, by whether it sleeps`;
    const remedy = 'wakeBody, wakeRod and the like wake, RigidBody.canSleep says whether a body may sleep';
    warnOnce(physics, 'Sleeping', `${text}; ${remedy}`);
  }
}
