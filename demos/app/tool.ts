// A driven body in the visitor's hand: it follows the pointer at the speed of a hand, and stays where it is let go.

import { quat, vec3 } from 'gl-matrix';
import { type System, setKinematicTarget } from '../../src/index';
import type { Pose, Quat, Tool, Vec3 } from '../scenes/demo-scene';
import type { Grip } from './grip';
import { poseOf, type Session } from './session';

export interface ToolGrip extends Grip {
  /** Where the pointer is: a ray from the eye, unit direction. */
  aim(origin: Vec3, direction: Vec3): void;
}

/** Takes hold of a scene's tool. */
export function takeTool({ physics, entities }: Session, tool: Tool): ToolGrip {
  const eid = entities.get(tool.body);
  if (eid === undefined) throw new Error(`scene: no body is called ${tool.body}`);
  const start = poseOf(physics, eid);
  const now: Pose = { position: [...start.position], rotation: [...start.rotation] };
  let goal = start;

  const follow: System = ({ timeStep }) => {
    moveTowards(now.position, goal.position, tool.speed * timeStep);
    turnTowards(now.rotation, goal.rotation, tool.spin * timeStep);
    setKinematicTarget(physics, eid, now.position, now.rotation);
  };
  const release = physics.schedule.before('copy-in', follow, 'move-tool');
  return {
    anchor: now.position,
    aim(origin, direction) {
      goal = tool.aim(origin, direction);
    },
    release,
  };
}

function moveTowards(at: Vec3, goal: Vec3, most: number): void {
  vec3.lerp(at, at, goal, Math.min(1, most / Math.max(vec3.distance(at, goal), 1e-9)));
}

/** Along the shorter arc, by at most `most` [rad]. */
function turnTowards(at: Quat, goal: Quat, most: number): void {
  const angle = 2 * Math.acos(Math.min(1, Math.abs(quat.dot(at, goal))));
  quat.slerp(at, at, goal, Math.min(1, most / Math.max(angle, 1e-9)));
  quat.normalize(at, at);
}
