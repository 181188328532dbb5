// What sleeps and is reached by what is awake: bodies wake at once, strands with the next `rouse` (sleep.ts).
//
// In: contacts along NODE_PREDICTED, attachments, clamps. A contact reaches when its
// sides touch or will within the step.

import { CONTACT_GAP, SIDE_BODY, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import { RADIUS } from '../../state/material-places';
import type { Engine } from '../engine';
import { heldNode, otherNode } from './attachment-rows';
import { forEachRoot } from './rooted';
import { touchStrand } from './touch-strands';

/** What sleeps wakes when a strand comes this near, or it comes this near a strand, as a share of the radius [-]. */
const WAKE_REACH = 0.1;

/** Wakes bodies that awake strands touch or hold, and marks the strands that something awake touches. */
export function wakeReached(engine: Engine): void {
  const { arena, tables } = engine;
  const { strands, attachments, nodes } = tables;
  const { side } = tables.nodeContacts;
  const mayMeetSleeping = arena.i32[L.STRAND_ASLEEP_COUNT >> 2] > 0;
  const contacts = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  for (let c = arena.i32[L.NODE_CONTACT_ASLEEP >> 2]; c < contacts; c++) {
    // Most are of two strands, of which mostly none sleeps.
    if (mayMeetSleeping || side[4 * c + SIDE_OBJECT_B] < 0) wakeTouching(engine, c);
  }
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    if (!(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    const strand = nodes.strand[heldNode(tables, a)];
    const isAwake = !(strands.flags[strand] & L.STRAND_ASLEEP);
    if (isAwake) wakeIfAsleep(engine, attachments.body[a]);
    const node = otherNode(tables, a);
    if (node < 0) continue;
    const other = nodes.strand[node];
    if (isAwake !== !(strands.flags[other] & L.STRAND_ASLEEP)) touchStrand(tables, isAwake ? other : strand);
  }
  forEachRoot(engine, (strand, object) => {
    const isAwake = !(strands.flags[strand] & L.STRAND_ASLEEP);
    if (isAwake !== !(strands.flags[object] & L.STRAND_ASLEEP)) touchStrand(tables, isAwake ? object : strand);
  });
  const { flags, attach } = strands;
  const count = arena.i32[L.STRAND_COUNT >> 2];
  for (let strand = 0; strand < count; strand++) {
    if (flags[strand] & L.STRAND_ASLEEP) continue;
    if (flags[strand] & L.STRAND_CLAMP_START) wakeIfAsleep(engine, attach[2 * strand]);
    if (flags[strand] & L.STRAND_CLAMP_END) wakeIfAsleep(engine, attach[2 * strand + 1]);
  }
}

function wakeIfAsleep(engine: Engine, body: number): void {
  if (body >= 0 && engine.tables.bodies.flags[body] & L.BODY_ASLEEP) engine.kernels.wakeBody(body);
}

/** Wakes the side of a contact that sleeps if the other is awake and touches it, or will within the step. */
function wakeTouching(engine: Engine, c: number): void {
  const { tables } = engine;
  const { nodeContacts: t, strands, nodes, rods, bodies } = tables;
  const four = 4 * c;
  const strand = t.side[four];
  const other = t.side[four + SIDE_OBJECT_B];
  const body = t.side[four + SIDE_BODY];
  const sleeps = (strands.flags[strand] & L.STRAND_ASLEEP) !== 0;
  const meets =
    other >= 0 ? (strands.flags[other] & L.STRAND_ASLEEP) !== 0 : (bodies.flags[body] & L.BODY_ASLEEP) !== 0;
  if (sleeps === meets) return;
  // A body that nothing moves wakes what it touches only when it moves itself.
  const drifts = t.drift[four] !== 0 || t.drift[four + 1] !== 0 || t.drift[four + 2] !== 0;
  if (other < 0 && body < 0 && !drifts) return;
  let speed = 0;
  for (let x = 0; x < 3; x++) {
    let u = t.drift[four + x] - (body >= 0 ? pointSpeed(tables, body, t.arm, four, x) : 0);
    for (let k = 0; k < 4; k++) {
      if (t.node[four + k] >= 0) u += t.weight[four + k] * nodes.predicted[4 * t.node[four + k] + x];
    }
    speed += t.normal[four + x] * u;
  }
  const radius = rods.parameter[8 * strands.rod[strand] + RADIUS];
  if (t.normal[four + CONTACT_GAP] + engine.settings.timeStep * speed > WAKE_REACH * radius) return;
  if (sleeps) touchStrand(tables, strand);
  else if (other >= 0) touchStrand(tables, other);
  else wakeIfAsleep(engine, body);
}

/** Component x of the velocity of the point at `arm` of a body [m/s]. */
function pointSpeed({ bodies }: Engine['tables'], body: number, arm: Float64Array, at: number, x: number): number {
  const [i, j] = [(x + 1) % 3, (x + 2) % 3];
  const { linearVelocity: v, angularVelocity: w } = bodies;
  return v[4 * body + x] + w[4 * body + i] * arm[at + j] - w[4 * body + j] * arm[at + i];
}
