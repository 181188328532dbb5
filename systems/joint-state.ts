// What the ECS side keeps of joints beside the one memory.

/** A joint whose row waits to be made; filled in by joints.ts. */
export type PendingJoint = () => void;

export interface JointState {
  /** Joint slot of each entity, −1 none. */
  slotOf: Int32Array;
  /** By entity, in the order of the calls. */
  readonly pending: Map<number, PendingJoint>;
  /** Joints whose entity is gone or has lost its component. */
  readonly removed: { readonly slot: number; readonly entity: number }[];
}

export function createJointState(): JointState {
  return { slotOf: new Int32Array(64).fill(-1), pending: new Map(), removed: [] };
}
