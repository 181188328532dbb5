// A hand that takes hold of strands on the device: a sphere that draws the nodes within it along. No strand is chosen,
// nothing comes back; what becomes taut slips out. Without a hand it costs nothing.
//
// The same for every strand in reach, as drag in air that moves with the hand (rod-grip.wgsl): a lock follows as hair
// does in a hand, and no force can be large enough to harm the step.

import * as D from '../../state/device-places';

/** Where the hand is, and how firm. */
export interface StrandGrip {
  /** Its middle now [m]; where it is at the end of the next step: its velocity follows from where it was. */
  readonly center: ArrayLike<number>;
  /** [m], > 0 */
  readonly radius: number;
  /**
   * How quickly hair in its middle takes on its velocity [1/s]. Default 2000: too small, and hair
   * slips out by its weight or stiffness.
   */
  readonly rate?: number;
}

/**
 * How quickly hair comes to the middle of the hand [1/s]: enough against weight and stiffness,
 * too little to be seen as a pull.
 */
const GATHER = 20;
const FIRM = 2000;
/** Faster, it was set down somewhere else: nothing is drawn along on the way [m/s]. */
const FASTEST = 20;

/** The hand over the steps. */
export interface GripState {
  /** Numbers of `Grip` for the coming step, null without a hand; `cell` = zero of the strands' origins [m]. */
  next(grip: StrandGrip | null, timeStep: number, cell: ArrayLike<number>): Float32Array<ArrayBuffer> | null;
}

export function createGripState(): GripState {
  const was = new Float64Array(3);
  const numbers = new Float32Array(D.GRIP_WORDS);
  let isOn = false;
  return {
    next(grip, timeStep, cell) {
      const wasOn = isOn;
      isOn = grip !== null;
      if (!grip) return null;
      const { center, radius, rate = FIRM } = grip;
      const way = (center[0] - was[0]) ** 2 + (center[1] - was[1]) ** 2 + (center[2] - was[2]) ** 2;
      const moves = wasOn && way < (FASTEST * timeStep) ** 2;
      for (let k = 0; k < 3; k++) {
        const from = moves ? was[k] : center[k];
        numbers[D.GRIP_CENTRE + k] = from - cell[k];
        numbers[D.GRIP_VELOCITY + k] = (center[k] - from) / timeStep;
        was[k] = center[k];
      }
      numbers[D.GRIP_RADIUS] = radius;
      numbers[D.GRIP_RATE] = rate;
      numbers[D.GRIP_GATHER] = GATHER;
      return numbers;
    },
  };
}
