// Where the numbers of a joint of bodies stand in its columns, as layout.ts says there.

import { AXIS_NUMBERS } from './layout';

/** First of the numbers of JOINT_FRAME at an end (0 A, 1 B): the place, then the turn of the frame. */
export const jointFrameAt = (joint: number, end: number): number => 16 * joint + 8 * end;
/** Of an end's frame, after the place [m] (and the ratio): its turn. */
export const FRAME_TURN = 4;

/** Of JOINT_AXES: numbers of all six axes. */
const AXES_NUMBERS = 6 * AXIS_NUMBERS;
/** First of the numbers of an axis (AXIS_LOW and so on) in JOINT_AXES. */
export const jointAxisAt = (joint: number, axis: number): number => AXES_NUMBERS * joint + AXIS_NUMBERS * axis;

/** Of JOINT_IMPULSE: six blocks of three rows. */
export const IMPULSE_NUMBERS = 18;
/** First row of a block in JOINT_IMPULSE. */
export const jointImpulseAt = (joint: number, block: number): number => IMPULSE_NUMBERS * joint + 3 * block;
