// Pins of vertices, as rows of the attachments without an entity.

import { createAttachment, freeAttachment } from '../src/dynamics/elastic/attachment-rows';
import { touchRod } from '../src/dynamics/elastic/touch-strands';
import { unrotateVector } from '../src/math/quaternion';
import * as L from '../src/state/layout';
import type { Physics } from './physics';

/** Makes or moves the pin of a node of a shell; `body`: its slot, −1 the world. */
export function holdNode(physics: Physics, slot: number, node: number, body: number, given: number[] | null): void {
  const { engine } = physics.internal;
  const { attachments, bodies, nodes, rods } = engine.tables;
  const at = 4 * (rods.nodeStart[slot] + node);
  const point = given ? Float64Array.from(given) : nodes.position.slice(at, at + 3);
  if (body >= 0) {
    for (let k = 0; k < 3; k++) point[k] -= given ? bodies.center[4 * body + k] : bodies.position[4 * body + k];
    if (!given) unrotateVector(point, 0, bodies.rotation, 4 * body, point, 0);
  }
  const old = findPin(physics, slot, node);
  if (old >= 0 && attachments.body[old] === body) {
    if (point.every((x, k) => x === attachments.point[4 * old + k])) return;
    attachments.point.set(point, 4 * old);
    touchRod(engine.tables, slot);
    return;
  }
  if (old >= 0) freeAttachment(engine, old);
  const made = createAttachment(engine, { entity: 0, rod: slot, node, body, point, length: 0 });
  engine.tables.attachments.flags[made] |= L.ATTACHMENT_PIN;
}

/** Attachment that pins a node of a shell, −1 none. */
export function findPin({ internal }: Physics, slot: number, node: number): number {
  const { arena, tables } = internal.engine;
  const { flags, rod, node: held } = tables.attachments;
  const wanted = L.ATTACHMENT_ALIVE | L.ATTACHMENT_PIN;
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if ((flags[a] & wanted) === wanted && rod[a] === slot && held[a] === node) return a;
  }
  return -1;
}
