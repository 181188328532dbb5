// Where the axes of an island's joints stand at the end poses of its bodies, as far as its rows ask.

import type { JointPose } from '../../mechanics/joint/frames';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import { endPoses } from './end-poses';
import type { JointRows } from './joint-rows';
import { measureJoint, measureLinear } from './measure-joint';

/** Measures the joint whose first block is `c`, as measureJoint does; angles only where one of its rows needs them. */
export function measureEnd(
  engine: Engine,
  rows: JointRows,
  c: number,
  motion: Float64Array,
  out: JointPose,
  axes: Float64Array,
): void {
  const joint = rows.joint[c];
  if (holdsPlaceAlone(engine, rows, c)) measureLinear(engine, joint, endPoses, out, axes);
  else measureJoint(engine, joint, endPoses, motion, out, axes);
}

/** Whether the joint whose first block is `c` holds or limits nothing but its place, along the axes of A. */
function holdsPlaceAlone(engine: Engine, { block, joint, contacts }: JointRows, c: number): boolean {
  if (block[c] !== 0 || engine.tables.joints.kind[joint[c]] >= L.JOINT_DISTANCE) return false;
  const next = c + 1;
  return next === contacts.problem.contactCount || joint[next] !== joint[c] || block[next] !== 1;
}
