// Notes which entities get or lose Rod, Groom, Shell, Solid and Attachment. In every world from the start, rods or not:
// a game's own observers come after these. What is noted is done by rod-entities.

import { hasComponent, observe, onAdd, onRemove } from 'bitecs';
import { type ColumnTree, clearRow, written } from '../components/columns';
import { freeAttachment } from '../src/dynamics/elastic/attachment-rows';
import { noteArrival, noteLeaving } from './entity-lives';
import { MESH_NAMES } from './mesh-families';
import type { Physics } from './physics';
import type { PendingRod, PendingShell } from './rod-state';

/** Subscribes; to be called before the world has content. */
export function observeRods(physics: Physics): void {
  const { world, components, internal } = physics;
  const { rods: state } = internal;
  const { Attachment } = components;
  const on = (unsubscribe: () => void) => internal.unobserve.push(unsubscribe);

  for (const name of ['Rod', 'Groom', ...MESH_NAMES] as const) {
    const kind = components[name];
    on(
      observe(world, onAdd(kind), (eid: number) => {
        internal.columns.ensure(eid);
        if (eid >= state.slotOf.length) state.slotOf = grown(state.slotOf, internal.columns.capacity);
        for (const column of Object.values(written(kind))) column[eid] = 0;
        noteArrival(physics, eid, name);
      }),
    );
    on(
      observe(world, onRemove(kind), (eid: number) => {
        noteLeaving(physics, eid, name);
        const waiting = state.pending.get(eid) ?? state.pendingShells.get(eid);
        if (waiting) forgetPending(physics, eid, waiting);
        state.meshes.delete(eid);
        const slot = state.slotOf[eid] ?? -1;
        if (slot < 0) return;
        state.slotOf[eid] = -1;
        internal.engine.tables.rods.entity[slot] = 0;
        state.removed.push({ slot, entity: eid });
      }),
    );
  }

  on(
    observe(world, onAdd(Attachment), (eid: number) => {
      internal.columns.ensure(eid);
      if (eid >= state.attachmentOf.length) state.attachmentOf = grown(state.attachmentOf, internal.columns.capacity);
      noteArrival(physics, eid, 'Attachment');
      clearRow(Attachment as unknown as ColumnTree, eid);
    }),
  );

  on(
    observe(world, onRemove(Attachment), (eid: number) => {
      noteLeaving(physics, eid, 'Attachment');
      const slot = state.attachmentOf[eid] ?? -1;
      if (slot < 0) return;
      state.attachmentOf[eid] = -1;
      if (hasComponent(world, eid, components.Broken)) state.unbroken.push(eid);
      // The row is already free where its rod or body went first.
      if (internal.engine.tables.attachments.entity[slot] === eid) freeAttachment(internal.engine, slot);
    }),
  );
}

function grown(old: Int32Array, capacity: number): Int32Array {
  const next = new Int32Array(capacity).fill(-1);
  next.set(old);
  return next;
}

function forgetPending(physics: Physics, eid: number, { definition }: PendingRod | PendingShell): void {
  const state = physics.internal.rods;
  state.pending.delete(eid);
  state.pendingShells.delete(eid);
  state.pendingNodes -= definition.points.length / 3;
}
