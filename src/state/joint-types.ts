// Kinds of joints by name, in the order of the column `Joint.type`.

export const JOINT_TYPES = [
  'fixed',
  'ball',
  'hinge',
  'slider',
  'cylindrical',
  'universal',
  'distance',
  'rope',
  'six-axis',
  'gear',
  'rack',
] as const;

export type JointType = (typeof JOINT_TYPES)[number];
