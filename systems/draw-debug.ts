// Debug drawing of one world.

import { refuse } from '../src/core/errors';
import { type DrawList, type DrawOptions, fillDrawList } from '../src/debug/draw-list';
import { type Physics, requirePhysics } from './physics';

/**
 * Refills `list` with contacts, impulses, islands, sleeping bodies, boxes and strands as `options` ask.
 * Throws UsageError for another list.
 */
export function drawDebug(physics: Physics, list: DrawList, options: DrawOptions = {}): void {
  requirePhysics(physics, 'drawDebug');
  if (!(list?.lines instanceof Float32Array)) refuse('drawDebug', 'list must come from createDrawList', list);
  if (typeof options !== 'object' || options === null) refuse('drawDebug', 'options must be an object', options);
  const { arena, tables } = physics.internal.engine;
  fillDrawList(arena, tables, list, options);
}
