// Rows of the actors (characters, vehicles, wheels): who has which, and how they go with their bodies.

import { entityExists, hasComponent, observe, onAdd, onRemove, removeComponent } from 'bitecs';
import { type ColumnTree, clearRow } from '../components/columns';
import { freeSlot, takeSlot } from '../src/core/slots';
import * as L from '../src/state/layout';
import { callGame } from './ecs-changes';
import { noteArrival, noteLeaving } from './entity-lives';
import type { Physics, StepModule } from './physics';
import { addModules, hasModule } from './step-modules';

const KINDS_OF = ['Character', 'Vehicle', 'Wheel'] as const;

export type ActorKind = (typeof KINDS_OF)[number];

const FLAGS: Record<ActorKind, number> = { Character: L.ACTOR_CHARACTER, Vehicle: 0, Wheel: L.ACTOR_WHEEL };

const cellsOf = ({ internal }: Physics) => ({
  header: internal.engine.arena.i32,
  free: L.ACTOR_FREE >> 2,
  count: L.ACTOR_COUNT >> 2,
});

/** A row, all zero, of a body and an entity. */
export function addActor(physics: Physics, kind: ActorKind, eid: number, body: number): number {
  const { arena, tables } = physics.internal.engine;
  const { actors, control } = tables;
  control.actors.ensure(arena.i32[L.ACTOR_COUNT >> 2] + 1);
  const row = takeSlot(cellsOf(physics), actors.next);
  actors.flags[row] = L.ACTOR_ALIVE | FLAGS[kind];
  actors.entity[row] = eid;
  actors.body[row] = body;
  actors.state.fill(0, L.ACTOR_NUMBERS * row, L.ACTOR_NUMBERS * (row + 1));
  return row;
}

/** Calls `use` with every living row of a kind, in the order of the rows. */
export function forEachActor(physics: Physics, kind: ActorKind, use: (row: number, eid: number) => void): void {
  const { arena, tables } = physics.internal.engine;
  const { actors } = tables;
  for (let row = 0; row < arena.i32[L.ACTOR_COUNT >> 2]; row++) {
    if (actors.flags[row] === (L.ACTOR_ALIVE | FLAGS[kind]) && actors.entity[row] !== 0) use(row, actors.entity[row]);
  }
}

/** Row of an entity, −1 none. */
function actorOf(physics: Physics, kind: ActorKind, eid: number): number {
  let found = -1;
  forEachActor(physics, kind, (row, entity) => {
    if (entity === eid) found = row;
  });
  return found;
}

function freeActor(physics: Physics, row: number): void {
  const { actors } = physics.internal.engine.tables;
  actors.flags[row] = 0;
  actors.entity[row] = 0;
  actors.body[row] = -1;
  freeSlot(cellsOf(physics), actors.next, row);
}

/** Rows whose entity is gone, or has lost its component, are given back. */
function flush(physics: Physics): void {
  const { arena, tables } = physics.internal.engine;
  const { actors } = tables;
  for (let row = 0; row < arena.i32[L.ACTOR_COUNT >> 2]; row++) {
    if (actors.flags[row] !== 0 && actors.entity[row] === 0) freeActor(physics, row);
  }
}

/** A body is about to go: what moves with it loses its component. */
function releaseFromBody(physics: Physics, slot: number): void {
  const { world, components, internal } = physics;
  const { arena, tables } = internal.engine;
  const { actors } = tables;
  for (let row = 0; row < arena.i32[L.ACTOR_COUNT >> 2]; row++) {
    if (actors.flags[row] === 0 || actors.body[row] !== slot) continue;
    const eid = actors.entity[row];
    freeActor(physics, row);
    if (eid === 0 || !entityExists(world, eid)) continue;
    for (const kind of KINDS_OF) {
      if (hasComponent(world, eid, components[kind])) {
        callGame(physics, () => removeComponent(world, eid, components[kind]));
      }
    }
  }
}

function followBody(physics: Physics, from: number, to: number): void {
  const { arena, tables } = physics.internal.engine;
  const { actors } = tables;
  if (to < 0) releaseFromBody(physics, from);
  else {
    for (let row = 0; row < arena.i32[L.ACTOR_COUNT >> 2]; row++) {
      if (actors.flags[row] !== 0 && actors.body[row] === from) actors.body[row] = to;
    }
  }
}

const actorModule: StepModule = { name: 'actors', flush, releaseFromBody, followBody };

/** Makes actors known to a world, and what a kind of them does in its steps. */
export function enableActors(physics: Physics, module: StepModule): void {
  const { world, components, internal } = physics;
  const isFirst = !hasModule(internal, actorModule.name);
  addModules(internal, [actorModule, module]);
  if (!isFirst) return;
  for (const kind of KINDS_OF) {
    const component = components[kind];
    internal.unobserve.push(
      observe(world, onAdd(component), (eid: number) => {
        internal.columns.ensure(eid);
        clearRow(component as unknown as ColumnTree, eid);
        noteArrival(physics, eid, kind);
      }),
      observe(world, onRemove(component), (eid: number) => {
        noteLeaving(physics, eid, kind);
        const row = actorOf(physics, kind, eid);
        if (row >= 0) internal.engine.tables.actors.entity[row] = 0;
      }),
    );
  }
}
