// A hand in hair that is advanced on the graphics card: it draws along what it closes on (`GpuStrandsHandle.grip`).
// Which strand lies under the pointer is known only when the positions have come back, some frames after the press.

import { vec3 } from 'gl-matrix';
import type { System } from '../../src/index';
import { findStrand, type Grip, type StrandHit } from './grip';
import type { Session } from './session';

/** Radius of the hand as a share of the distance to the eye: at the head of hair about a finger and thumb. */
const HAND = 0.02;
/** It makes up its distance to the pointer in this time [s], but is never faster than this [m/s]. */
const [LAG, FASTEST] = [0.06, 1.2];

/** `findStrand`, as soon as the device has said where its strands are. */
export async function findOnDevice(
  session: Session,
  origin: readonly number[],
  direction: readonly number[],
  farthest: number,
): Promise<StrandHit | null> {
  const { physics, gpu } = session;
  // Reading asks for them.
  void physics.strands.positions;
  await gpu?.settle();
  physics.interpolate();
  return findStrand(session, origin, direction, farthest);
}

/** Closes the hand at the hit; it follows `target` until it is released. */
export function gripOnDevice(session: Session, hit: StrandHit, target: readonly [number, number, number]): Grip {
  const { gpu, physics } = session;
  const anchor: [number, number, number] = [...hit.point];
  const follow: System = ({ timeStep }) => {
    if (!gpu) return;
    const distance = vec3.distance(anchor, target);
    const share = Math.min(1, timeStep / LAG, (FASTEST * timeStep) / Math.max(distance, 1e-9));
    vec3.lerp(anchor, anchor, target, share);
    gpu.grip = { center: anchor, radius: HAND * hit.distance };
  };
  const stop = physics.schedule.before('copy-in', follow, 'drag-strands');
  return {
    anchor,
    release() {
      stop();
      if (gpu) gpu.grip = null;
    },
  };
}
