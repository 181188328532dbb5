// Notes which entities get or lose Joint. In every world from the start, joints or not: a
// game's own observers come after these.

import { observe, onAdd, onRemove } from 'bitecs';
import { type ColumnTree, clearRow } from '../components/columns';
import { noteArrival, noteLeaving } from './entity-lives';
import type { Physics } from './physics';

/** Subscribes; to be called before the world has content. */
export function observeJoints(physics: Physics): void {
  const { world, components, internal } = physics;
  const { joints: state } = internal;
  const { Joint } = components;
  const on = (unsubscribe: () => void) => internal.unobserve.push(unsubscribe);
  on(
    observe(world, onAdd(Joint), (eid: number) => {
      internal.columns.ensure(eid);
      if (eid >= state.slotOf.length) {
        const grown = new Int32Array(internal.columns.capacity).fill(-1);
        grown.set(state.slotOf);
        state.slotOf = grown;
      }
      noteArrival(physics, eid, 'Joint');
      clearRow(Joint as unknown as ColumnTree, eid);
    }),
  );
  on(
    observe(world, onRemove(Joint), (eid: number) => {
      noteLeaving(physics, eid, 'Joint');
      state.pending.delete(eid);
      const slot = state.slotOf[eid] ?? -1;
      if (slot < 0) return;
      // The id may be given out again at once: the joint must not be found through it any more.
      state.slotOf[eid] = -1;
      internal.engine.tables.joints.entity[slot] = 0;
      state.removed.push({ slot, entity: eid });
    }),
  );
}
