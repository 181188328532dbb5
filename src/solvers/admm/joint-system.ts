// What joints keep of one factored system (joints.ts).

import { createJointBlocks, type JointBlocks } from './joint-blocks';

/** The joints' part of one factored system. */
export interface JointSystem {
  /** Whether W counts (iterations) or not (velocity without contacts). */
  readonly weighted: boolean;
  readonly blocks: JointBlocks;
  /**
   * Columns of K⁻¹ Cᵀ. Of row i two parts, 2i and 2i + 1: elastic unknowns of its node's object at [at, at +
   * length), from unknown `start`, and of the object of the other node, where
   * that is another one; else its length is 0.
   */
  columns: Float64Array;
  at: Int32Array;
  start: Int32Array;
  length: Int32Array;
  /** S of each block, dense, from blocks.matrix on; and the factor of its active part. */
  S: Float64Array;
  factor: Float64Array;
  /** By block: how many of the first rows of `order` are factored. */
  factored: Int32Array;
  /** Rows by their place in their block; as those of the block begin. */
  order: Int32Array;
  u: Float64Array;
  right: Float64Array;
  work: Float64Array;
}

export function createJointSystem(weighted: boolean): JointSystem {
  const none = new Float64Array(0);
  const no = new Int32Array(0);
  return {
    weighted,
    blocks: createJointBlocks(),
    columns: none,
    at: no,
    start: no,
    length: no,
    S: none,
    factor: none,
    factored: no,
    order: no,
    u: none,
    right: none,
    work: none,
  };
}
