// Joints of a scene file, as far as the gallery's scenes have them.

type Vec3 = [number, number, number];

/** A joint; angles and places are those of the first end seen from the second; forces in N. */
type JointEndFile =
  | { body: string }
  | { world: true }
  | { rod: string; node: number }
  | { shell: string; vertex: number };

export interface JointFile {
  name?: string;
  type: 'fixed' | 'ball' | 'hinge' | 'slider' | 'cylindrical' | 'universal' | 'distance' | 'rope' | 'gear';
  ends: [JointEndFile, JointEndFile];
  anchor?: Vec3;
  anchors?: [Vec3, Vec3];
  axis?: Vec3;
  ratio?: number;
  limits?: [number, number];
  cone?: number;
  twist?: [number, number];
  motor?: { velocity?: number; target?: number; maxForce?: number };
  spring?: { frequency: number; dampingRatio?: number };
  friction?: number;
  breakForce?: number;
  collide?: boolean;
}
