/** From the worker: x y z, x y z w of each body, boxes first, balls after them. */
export interface Frame {
  readonly boxes: number;
  readonly poses: Float32Array;
  readonly timeStep: number; // [s]
}

/** To the worker. */
export interface Throw {
  readonly origin: number[]; // [m]
  readonly direction: number[]; // unit vector
}
