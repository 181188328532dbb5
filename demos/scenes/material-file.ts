/** A material of the scene file; what is left out is as the scene format says. */
export interface MaterialFile {
  density?: number;
  friction?: number;
  restitution?: number;
  combineFriction?: 'minimum' | 'maximum';
  /** Torque against rolling, and against spinning, over the normal force [m]. */
  rollingFriction?: number;
  spinningFriction?: number;
}
