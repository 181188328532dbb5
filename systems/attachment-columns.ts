// Columns of the joints that attach makes: what a game writes to them, what a step leaves in them, joints that break.

import { written } from '../components/columns';
import {
  breakAttachment,
  isAttachment,
  setAttachmentGive,
  setAttachmentLength,
} from '../src/dynamics/elastic/attachment-rows';
import { GIVE_FREQUENCY, GIVE_RATIO, GIVE_STRENGTH, LONGEST } from '../src/state/attachment-places';
import * as L from '../src/state/layout';
import { setTag } from './ecs-changes';
import type { Physics } from './physics';
import { tellIgnored } from './warnings';

/** Columns that a game writes, by their place in the table's numbers. */
const GIVES = [
  ['springFrequency', GIVE_FREQUENCY],
  ['springDamping', GIVE_RATIO],
  ['breakForce', GIVE_STRENGTH],
] as const;

/** Takes over what the game wrote; a length of 0 makes a ball joint of a rope, more a rope of a ball joint. */
export function copyInAttachments(physics: Physics): void {
  const { engine } = physics.internal;
  const { attachments } = engine.tables;
  const { Attachment } = physics.components;
  const { length } = Attachment;
  for (let a = 0; a < engine.arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    const eid = attachments.entity[a];
    if (eid === 0 || !(attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    if (length[eid] !== attachments.point[4 * a + LONGEST]) {
      if (length[eid] >= 0 && length[eid] < Number.POSITIVE_INFINITY) setAttachmentLength(engine, a, length[eid]);
      else {
        tellIgnored(physics, 'Attachment.length', eid, 'must be >= 0 [m]; the one before stays', length[eid]);
        length[eid] = attachments.point[4 * a + LONGEST];
      }
    }
    const { springFrequency, springDamping, breakForce } = Attachment;
    const { give } = attachments;
    const isSame =
      springFrequency[eid] === give[4 * a + GIVE_FREQUENCY] &&
      springDamping[eid] === give[4 * a + GIVE_RATIO] &&
      breakForce[eid] === give[4 * a + GIVE_STRENGTH];
    if (!isSame) readGives(physics, a, eid);
  }
}

/** How a joint gives way and when it breaks, as the game wrote it. */
function readGives(physics: Physics, a: number, eid: number): void {
  const { engine } = physics.internal;
  const { attachments } = engine.tables;
  for (const [name, place] of GIVES) {
    const column = physics.components.Attachment[name];
    if (column[eid] === attachments.give[4 * a + place]) continue;
    const expectation = expectGive(physics, a, place, column[eid]);
    if (expectation === null) setAttachmentGive(engine, a, place, column[eid]);
    else tellIgnored(physics, `Attachment.${name}`, eid, `${expectation}; the one before stays`, column[eid]);
    column[eid] = attachments.give[4 * a + place];
  }
}

/** What a number must be, null: it is. */
function expectGive(physics: Physics, a: number, place: number, value: number): string | null {
  if (place === GIVE_STRENGTH) return value > 0 ? findRefusal(physics, a) : 'must be > 0 [N]';
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) return 'must be finite and >= 0';
  return place === GIVE_FREQUENCY && value > 0 ? findRefusal(physics, a) : null;
}

/** Why a joint can neither give way nor break, null: it can. A strand of the device has its joints solved there. */
function findRefusal({ internal }: Physics, a: number): string | null {
  const { rods, attachments } = internal.engine.tables;
  return rods.flags[attachments.rod[a]] & L.ROD_ON_WEBGPU ? "is not for a rod of backend 'webgpu'" : null;
}

/** Rows of joints that break in a step. */
const broken: number[] = [];

/** Impulses and forces of the last step to their columns; what bore too much breaks now. */
export function copyOutAttachments(physics: Physics): void {
  const { engine } = physics.internal;
  const { attachments } = engine.tables;
  broken.length = 0;
  for (let a = 0; a < engine.arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    const eid = attachments.entity[a];
    const isBroken = (attachments.flags[a] & L.ATTACHMENT_BROKEN) !== 0;
    if (eid === 0 || !(isBroken || attachments.flags[a] & L.ATTACHMENT_ALIVE)) continue;
    // The force that broke it was told in that step: from then on it bears none.
    if (isBroken) attachments.impulse.fill(0, 4 * a, 4 * a + 4);
    showForce(physics, a, eid);
    if (isBroken) continue;
    const { x, y, z } = physics.components.Attachment.force;
    const force = Math.sqrt(x[eid] * x[eid] + y[eid] * y[eid] + z[eid] * z[eid]);
    if (force > attachments.give[4 * a + GIVE_STRENGTH]) broken.push(a);
  }
  if (broken.length === 0) return;
  for (const a of broken) breakAttachment(engine, a);
  engine.report.joints.broken += broken.length;
  // Observers last: they may remove what is in the list.
  const entities = broken.map((a) => attachments.entity[a]);
  for (const eid of entities) setTag(physics, eid, physics.components.Broken, true);
}

function showForce(physics: Physics, a: number, eid: number): void {
  const { tables, settings } = physics.internal.engine;
  const { impulse, force } = written(physics.components.Attachment);
  const row = tables.attachments.impulse;
  impulse.x[eid] = row[4 * a];
  impulse.y[eid] = row[4 * a + 1];
  impulse.z[eid] = row[4 * a + 2];
  force.x[eid] = row[4 * a] / settings.timeStep;
  force.y[eid] = row[4 * a + 1] / settings.timeStep;
  force.z[eid] = row[4 * a + 2] / settings.timeStep;
}

/** The columns that a game writes show a joint's row. */
export function showAttachment(physics: Physics, a: number, eid: number): void {
  const { attachments } = physics.internal.engine.tables;
  const { Attachment } = physics.components;
  Attachment.length[eid] = attachments.point[4 * a + LONGEST];
  for (const [name, place] of GIVES) Attachment[name][eid] = attachments.give[4 * a + place];
  showForce(physics, a, eid);
}

/** After the memory and its entities were restored: who has which row, and what is broken. */
export function restoreAttachments(physics: Physics): void {
  const { engine, rods: state } = physics.internal;
  const { attachments } = engine.tables;
  state.attachmentOf.fill(-1);
  for (let a = 0; a < engine.arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    const eid = attachments.entity[a];
    if (eid === 0 || !isAttachment(engine.tables, a)) continue;
    state.attachmentOf[eid] = a;
    showAttachment(physics, a, eid);
    setTag(physics, eid, physics.components.Broken, (attachments.flags[a] & L.ATTACHMENT_BROKEN) !== 0);
  }
}
