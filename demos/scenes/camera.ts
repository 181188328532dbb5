// From where a scene is seen.

/** Where the camera stands: on a sphere about the target. */
export interface CameraFile {
  target: [number, number, number];
  /** [m] */
  distance: number;
  /** About y, 0 looks along −z from the +z side [rad]. */
  yaw: number;
  /** Above the horizon [rad]. */
  pitch: number;
  /** What is shown is upright: on an upright screen the camera need not stand so much further back. */
  upright?: boolean;
  /**
   * What must be in sight to both sides of the target together, clear of the panels [m]; the
   * camera steps back as far as needed.
   */
  width?: number;
  /** Height of the sun [rad]: a high one throws the shadow of what hangs into sight, a low one draws long shadows. */
  sun?: number;
  /** What differs on an upright screen that shows one picture: a long scene is then seen along its length. */
  portrait?: Partial<Omit<CameraFile, 'portrait' | 'follow'>>;
  /** Name of a body that the target goes along with, over the ground. */
  follow?: string;
}

/** A point of view as a screen takes it, upright or not. */
export function cameraFor(camera: CameraFile, isPortrait: boolean): CameraFile {
  return isPortrait ? { ...camera, ...camera.portrait } : camera;
}
