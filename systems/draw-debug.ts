// Debug drawing of one world.

import { type DrawList, type DrawOptions, fillDrawList } from '../src/debug/draw-list';
import type { Physics } from './physics';

/** Refills `list` with contacts, impulses, islands, sleeping bodies and boxes as `options` ask. */
export function drawDebug(physics: Physics, list: DrawList, options: DrawOptions): void {
  const { arena, tables } = physics.internal.engine;
  fillDrawList(arena, tables, list, options);
}
