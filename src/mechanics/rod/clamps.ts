// Clamps: where the held end of a strand must be at the end of the step.
//
// A clamp holds a node, its neighbour and the twist of the edge between them: position, tangent, twist. Its pose
// (STRAND_CLAMP) is fixed in the frame of a body's centre of mass or the world's, and is taken at the body's pose at
// the END of the step: a kinematic target exactly, else the pose moved on by the body's present velocity. The held
// angle θ is the one that turns the reference director, carried to the clamp's tangent, onto the clamp's director: of
// all turns the one nearest to the present θ, so a clamp that turns less than half a turn a step winds the rod up.

import { rotateVector } from '../../math/quaternion';
import { clampAt } from '../../state/clamp-places';
import { STRAND_CLAMP_END, STRAND_CLAMP_START } from '../../state/layout';
import { TWIST } from '../../state/node-places';
import type { Tables } from '../../state/tables';
import { bodyPoseAfter } from '../body-pose';
import type { BodyMotion, ElasticStep } from '../elastic-kind';
import { directorAngle, edgeTangent, nearestAngle, putVector, transportDirector } from './frames';

const pose = new Float64Array(8);
const tangent = new Float64Array(6);
const director = new Float64Array(6);
const ends = new Float64Array(6);

/**
 * Target of one clamp at the end of the step, world frame: out[0..3] = outer node x y z and θ of the clamped edge,
 * out[4..6] = its neighbour. `end`: 0 the start, 1 the end of the strand.
 */
export function clampTarget(
  out: Float64Array,
  tables: Tables,
  strand: number,
  end: 0 | 1,
  dt: number,
  motion: BodyMotion = tables.bodies,
): void {
  const { clamp, attach, first, nodes: count } = tables.strands;
  const nodes = tables.nodes;
  const at = clampAt(strand, end);
  const body = attach[2 * strand + end];
  for (let k = 0; k < 3; k++) {
    ends[k] = clamp[at + k];
    ends[3 + k] = clamp[at + 3 + k];
    director[k] = clamp[at + 6 + k];
  }
  if (body >= 0) {
    bodyPoseAfter(pose, tables, body, dt, motion);
    for (let k = 0; k < 6; k += 3) {
      rotateVector(ends, k, pose, 4, ends, k);
      for (let m = 0; m < 3; m++) ends[k + m] += pose[m];
    }
    rotateVector(director, 0, pose, 4, director, 0);
  }
  for (let k = 0; k < 3; k++) {
    out[k] = ends[k];
    out[4 + k] = ends[3 + k];
  }

  // The edge's tangent now and at the clamp, both in the direction of the strand.
  const edge = end === 0 ? first[strand] : first[strand] + count[strand] - 2;
  const from = end === 0 ? 0 : 3;
  edgeTangent(tangent, 0, nodes.position, 4 * edge, 4 * edge + 4, nodes, edge);
  edgeTangent(tangent, 3, ends, from, 3 - from, nodes, edge);
  const theta = nodes.position[4 * edge + TWIST];
  out[3] = theta;
  // Without a director (all zero, or along the tangent) the twist stays as it is.
  const along = director[0] * tangent[3] + director[1] * tangent[4] + director[2] * tangent[5];
  let square = 0;
  for (let k = 0; k < 3; k++) {
    director[k] -= along * tangent[3 + k];
    square += director[k] * director[k];
  }
  if (!(square > 1e-12)) return;
  const norm = Math.sqrt(square);
  for (let k = 0; k < 3; k++) director[k] /= norm;
  putVector(director, 3, transportDirector(nodes.frame, 4 * edge, tangent, 0, tangent, 3));
  out[3] = nearestAngle(directorAngle(director, 3, director, 0, tangent, 3), theta);
}

const target = new Float64Array(8);

/**
 * Velocities that a strand's clamps prescribe in a step: for each held unknown i writes mask[i] = 1 and
 * value[i] = (target − q)/dt; mask has 4 entries a node and is cleared first.
 * The idle θ of the last node is held at rest. Returns the number of held unknowns.
 */
export function prescribeVelocities(
  mask: Uint8Array,
  value: Float64Array,
  tables: Tables,
  strand: number,
  { timeStep: dt, motion, jointTwist }: ElasticStep,
): number {
  const first = tables.strands.first[strand];
  const n = tables.strands.nodes[strand];
  const flags = tables.strands.flags[strand];
  const q = tables.nodes.position;
  mask.fill(0, 0, 4 * n);
  mask[4 * n - 1] = 1;
  value[4 * n - 1] = 0;
  let count = 1;
  for (let end = 0; end < 2; end++) {
    if ((flags & (end === 0 ? STRAND_CLAMP_START : STRAND_CLAMP_END)) === 0) continue;
    const edge = end === 0 ? 0 : n - 2;
    const twist = jointTwist ? jointTwist(strand, end as 0 | 1) : null;
    if (twist !== null) {
      hold(mask, value, 4 * edge + 3, twist);
      count++;
      continue;
    }

    clampTarget(target, tables, strand, end as 0 | 1, dt, motion);
    const outer = end === 0 ? 0 : n - 1;
    const inner = end === 0 ? 1 : n - 2;
    for (let k = 0; k < 3; k++) {
      hold(mask, value, 4 * outer + k, (target[k] - q[4 * (first + outer) + k]) / dt);
      hold(mask, value, 4 * inner + k, (target[4 + k] - q[4 * (first + inner) + k]) / dt);
    }
    hold(mask, value, 4 * edge + 3, (target[3] - q[4 * (first + edge) + 3]) / dt);
    count += 7;
  }
  return count;
}

function hold(mask: Uint8Array, value: Float64Array, i: number, velocity: number): void {
  mask[i] = 1;
  value[i] = velocity;
}
