// emit-events: contact entities begin and end, and show what the step did at each touch.

import { addComponent, addEntity, entityExists, removeEntity } from 'bitecs';
import * as L from '../src/state/layout';
import type { Physics, Step } from './physics';

export function emitEvents({ physics }: Step): void {
  const { engine } = physics.internal;
  const { arena, tables, kernels } = engine;
  kernels.collectTouches();
  const ended = arena.i32[L.END_COUNT >> 2];
  for (let i = 0; i < ended; i++) endContact(physics, tables.pairs.endList[3 * i]);
  const begun = arena.i32[L.BEGIN_COUNT >> 2];
  for (let i = 0; i < begun; i++) beginContact(physics, tables.pairs.beginList[i]);
  arena.i32[L.BEGIN_COUNT >> 2] = 0;
  arena.i32[L.END_COUNT >> 2] = 0;
  kernels.freePairs();
  const active = arena.i32[L.ACTIVE_COUNT >> 2];
  for (let i = 0; i < active; i++) {
    const pair = tables.pairs.activeList[i];
    if (tables.pairs.entity[pair] !== 0) writeContact(physics, pair, tables.pairs.entity[pair]);
  }
}

/** Makes the contact's entity; its columns are filled before onAdd(Contact) is told. */
export function beginContact(physics: Physics, pair: number): void {
  const { engine, columns } = physics.internal;
  const { pairs, colliders } = engine.tables;
  const { Contact } = physics.components;
  const eid = addEntity(physics.world);
  columns.ensure(eid);
  Contact.slot[eid] = pair;
  Contact.entityA[eid] = colliders.entity[pairs.colliderA[pair]];
  Contact.entityB[eid] = colliders.entity[pairs.colliderB[pair]];
  pairs.entity[pair] = eid;
  writeContact(physics, pair, eid);
  addComponent(physics.world, eid, Contact);
}

function endContact(physics: Physics, pair: number): void {
  const { pairs } = physics.internal.engine.tables;
  const eid = pairs.entity[pair];
  if (eid === 0) return;
  pairs.entity[pair] = 0;
  if (entityExists(physics.world, eid)) removeEntity(physics.world, eid);
}

/** Columns of a contact entity from its manifold. */
function writeContact(physics: Physics, pair: number, eid: number): void {
  const { Contact } = physics.components;
  const { pairs } = physics.internal.engine.tables;
  const count = pairs.points[pair];
  Contact.pointCount[eid] = count;
  Contact.normal.x[eid] = pairs.normal[4 * pair];
  Contact.normal.y[eid] = pairs.normal[4 * pair + 1];
  Contact.normal.z[eid] = pairs.normal[4 * pair + 2];
  const mu = pairs.material[4 * pair];
  let normal = 0;
  let tangent1 = 0;
  let tangent2 = 0;
  let sliding = 0;
  for (let at = 16 * pair; at < 16 * pair + 4 * count; at += 4) {
    const n = pairs.impulse[at];
    const x = pairs.impulse[at + 1];
    const y = pairs.impulse[at + 2];
    normal += n;
    tangent1 += x;
    tangent2 += y;
    // On the cone's surface, to the accuracy of the f32 sweeps.
    if (n > 0 && x * x + y * y > 0.9999 * mu * mu * n * n) sliding = 1;
  }
  Contact.normalImpulse[eid] = normal;
  Contact.frictionImpulse[eid] = Math.sqrt(tangent1 * tangent1 + tangent2 * tangent2);
  Contact.sliding[eid] = sliding;
}
