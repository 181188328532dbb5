// Pins: vertices of shells and solids whose motion is prescribed, by the world or by a body that does not give way;
// of quadratic solids the middles between two of them, too.
//
// A pin holds a point, fixed in the world or in the frame of a body's centre of mass, taken at the END of the step. On
// a dynamic body it is a ball joint instead (dynamics/elastic/collect-contacts).

import { rotateVector } from '../math/quaternion';
import { ATTACHMENT_ALIVE, ATTACHMENT_PIN, ATTACHMENT_ROPE, BODY_DYNAMIC } from '../state/layout';
import { RANGE_COUNT } from '../state/node-places';
import type { Tables } from '../state/tables';
import { bodyPoseAfter } from './body-pose';
import type { BodyMotion, ElasticStep } from './elastic-kind';
import { EDGE_ENDS } from './solid/elements';

const WANTED = ATTACHMENT_ALIVE | ATTACHMENT_PIN;
/** With a length a pin holds its vertex on a tether. */
const LOOKED_AT = WANTED | ATTACHMENT_ROPE;
const pose = new Float64Array(8);
const point = new Float64Array(3);

/** Whether the motion of an attachment's node is prescribed. */
export function isPrescribed({ attachments, bodies }: Tables, attachment: number): boolean {
  if ((attachments.flags[attachment] & LOOKED_AT) !== WANTED) return false;
  const body = attachments.body[attachment];
  return body < 0 || (bodies.flags[body] & BODY_DYNAMIC) === 0;
}

/** out := where an attachment holds its node at the end of a step of `dt` [s], world frame [m]. */
function pinTarget(
  out: Float64Array,
  tables: Tables,
  attachment: number,
  dt: number,
  motion: BodyMotion = tables.bodies,
): void {
  const { attachments } = tables;
  const body = attachments.body[attachment];
  for (let k = 0; k < 3; k++) out[k] = attachments.point[4 * attachment + k];
  if (body < 0) return;
  bodyPoseAfter(pose, tables, body, dt, motion);
  rotateVector(out, 0, pose, 4, out, 0);
  for (let k = 0; k < 3; k++) out[k] += pose[k];
}

/**
 * Velocities that pins prescribe to an object in a step: mask[i] = 1 for each held node, counted from the object's
 * first, and its velocity in value[3i], (target − x)/dt [m/s]. Clears the mask first;
 * returns the number of held nodes.
 */
export function prescribePins(
  mask: Uint8Array,
  value: Float64Array,
  tables: Tables,
  object: number,
  { timeStep: dt, motion }: ElasticStep,
): number {
  const { attachments, rods, strands, nodes } = tables;
  const first = strands.first[object];
  const count = strands.nodes[object];
  const slot = strands.rod[object];
  mask.fill(0, 0, count);
  let held = 0;
  for (let a = 0; a < attachments.capacity; a++) {
    if (attachments.rod[a] !== slot || !isPrescribed(tables, a)) continue;
    const node = rods.nodeStart[slot] + attachments.node[a];
    const i = node - first;
    if (i < 0 || i >= count) continue;
    pinTarget(point, tables, a, dt, motion);
    for (let k = 0; k < 3; k++) value[3 * i + k] = (point[k] - nodes.position[4 * node + k]) / dt;
    if (mask[i] === 0) held++;
    mask[i] = 1;
  }
  return held < 2 ? held : held + prescribeMiddles(mask, value, tables, object, dt);
}

/** Middles of quadratic edges between two held corners go with them; returns how many were not held before. */
function prescribeMiddles(
  mask: Uint8Array,
  value: Float64Array,
  { strands, tetrahedra, nodes }: Tables,
  object: number,
  dt: number,
): number {
  const first = strands.first[object];
  const start = strands.tetrahedra[2 * object];
  const end = start + strands.tetrahedra[2 * object + RANGE_COUNT];
  let held = 0;
  for (let t = start; t < end; t++) {
    for (let e = 0; e < 6; e++) {
      const node = tetrahedra.middle[8 * t + e];
      if (node < 0) return held;
      const [a, b] = EDGE_ENDS[e].map((corner) => tetrahedra.node[4 * t + corner]);
      if (mask[node - first] === 1 || mask[a - first] === 0 || mask[b - first] === 0) continue;
      for (let k = 0; k < 3; k++) {
        const ends = 0.5 * (nodes.position[4 * a + k] + nodes.position[4 * b + k]);
        const speed = 0.5 * (value[3 * (a - first) + k] + value[3 * (b - first) + k]);
        value[3 * (node - first) + k] = speed + (ends - nodes.position[4 * node + k]) / dt;
      }
      mask[node - first] = 1;
      held++;
    }
  }
  return held;
}
