// Joints of bodies that were stopped on their way (kernels/assembly/motion/stop-at-touch.ts), shut again.
//
// What joints hold together stops together, after the same share of the step. A joint that holds at both ends of a way
// is open in its middle by what its bodies turn: an arm r that turns by φ has it r φ²/8 off the straight line
// between. What is driven and joined has gone on besides. So the bodies are moved from there to the nearest poses by
// mass at which the bilateral rows are where they were when the step began: nothing recovers in such a step.
//
// In: the poses before and after the step, the islands of the step. Out: BODY_POSITION, BODY_ROTATION, errors of
// joints.

import { REACTION_APART, REACTION_TURNED } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { endPoses, moveBodies, storeMotion } from './end-poses';
import { assembleRows, type JointRows } from './joint-rows';
import { projectPoses } from './project-joints';
import { storeErrors } from './refine-joints';

/** What is kept of a body while the step is taken again: position, rotation, motion. */
const KEPT = 16;

/** Bodies in hand: those of an island, and driven ones that its joints hold. */
const slots: number[] = [];
let kept = new Float64Array(0);

/** Shuts the joints of all islands with a body that stopAtTouch has just stopped; its scratch is lost. */
export function shutStopped(engine: Engine, rows: JointRows): void {
  const { arena, kernels, tables } = engine;
  const { bodies } = tables;
  const islands: number[] = [];
  for (let island = 0; island < arena.i32[L.ISLAND_COUNT >> 2]; island++) {
    if (bodies.islandJointCount[island] === 0) continue;
    const start = bodies.islandBodyStart[island];
    const own = bodies.islandBodies.subarray(start, start + bodies.islandBodyCount[island]);
    if (own.some((body) => kernels.isStopped(body) !== 0)) islands.push(island);
  }
  for (const island of islands) shutIsland(engine, island, rows);
}

function shutIsland(engine: Engine, island: number, rows: JointRows): void {
  listBodies(engine, island);
  rewind(engine);
  assembleRows(engine, island, rows, false, false);
  rows.aim.fill(0, 0, 3 * rows.contacts.problem.contactCount);
  moveBodies(engine, island, engine.tables.bodies.motion);
  const isMoved = projectPoses(engine, island, rows);
  goOn(engine, isMoved ? engine.tables.bodies.islandBodyCount[island] : 0);
  storeErrors(engine, rows);
  const { joints: counts } = engine.report;
  const { bodies, joints } = engine.tables;
  const start = bodies.islandJointStart[island];
  for (let i = start; i < start + bodies.islandJointCount[island]; i++) {
    const at = 8 * joints.islandJoints[i];
    counts.error = Math.max(counts.error, joints.reaction[at + REACTION_APART], joints.reaction[at + REACTION_TURNED]);
  }
}

/** Bodies of the island, then what is driven and held by its joints. */
function listBodies({ tables }: Engine, island: number): void {
  const { bodies, joints } = tables;
  slots.length = 0;
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) slots.push(bodies.islandBodies[i]);
  const first = bodies.islandJointStart[island];
  for (let i = first; i < first + bodies.islandJointCount[island]; i++) {
    for (let end = 0; end < 2; end++) {
      const body = joints.body[2 * joints.islandJoints[i] + end];
      if (body < 0 || bodies.inverseMass[body] > 0 || bodies.awakeIndex[body] < 0) continue;
      if (!slots.includes(body)) slots.push(body);
    }
  }
  if (kept.length < KEPT * slots.length) kept = new Float64Array(2 * KEPT * slots.length);
}

/** Takes the bodies back to where the step began, with the motion that leads to where they are. */
function rewind(engine: Engine): void {
  const { bodies } = engine.tables;
  const { position, rotation, previousPosition, previousRotation, motion } = bodies;
  if (endPoses.position.length < position.length) {
    endPoses.position = new Float64Array(position.length);
    endPoses.rotation = new Float64Array(position.length);
  }
  slots.forEach((body, i) => {
    const from = KEPT * i;
    for (let k = 0; k < 4; k++) {
      const at = 4 * body + k;
      endPoses.position[at] = kept[from + k] = position[at];
      endPoses.rotation[at] = kept[from + 4 + k] = rotation[at];
      position[at] = previousPosition[at];
      rotation[at] = previousRotation[at];
    }
    for (let k = 0; k < 8; k++) kept[from + 8 + k] = motion[8 * body + k];
    storeMotion(engine, body);
  });
}

/** Gives back motions and poses; of the first `moved` bodies the end poses instead. */
function goOn({ tables }: Engine, moved: number): void {
  const { position, rotation, motion } = tables.bodies;
  slots.forEach((body, i) => {
    const from = KEPT * i;
    const isMoved = i < moved;
    for (let k = 0; k < 4; k++) {
      const at = 4 * body + k;
      position[at] = isMoved ? endPoses.position[at] : kept[from + k];
      rotation[at] = isMoved ? endPoses.rotation[at] : kept[from + 4 + k];
    }
    for (let k = 0; k < 8; k++) motion[8 * body + k] = kept[from + 8 + k];
  });
}
