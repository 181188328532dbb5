// What the ECS side keeps of rods beside the one memory: who has which row, what waits to be made or removed, and the
// packed arrays that renderers read.

import type { RodDefinition } from '../src/dynamics/rods/rows';

/** All strands of the world, packed for rendering. Rows of one entity are a range: firstStrand, firstNode … of its component. */
export interface StrandColumns {
  /** Four numbers a node: x y z between the last two steps at `interpolate`'s alpha [m], radius [m]. */
  readonly positions: Float32Array;
  readonly nodeCount: number;
  readonly strandCount: number;
  /** First node of each strand. */
  readonly first: Int32Array;
  /** Nodes of each strand. */
  readonly counts: Int32Array;
  /** Grows whenever strands come, go or move in these arrays: time to build meshes anew. */
  readonly version: number;
}

/** A rod that waits for the next copy-in. */
export interface PendingRod {
  readonly definition: RodDefinition;
  /** Entities of the bodies that the clamps shall follow, 0 the world. */
  readonly attachStart: number;
  readonly attachEnd: number;
}

export interface RodState {
  /** Rod slot of each entity, −1 none. */
  slotOf: Int32Array;
  /** Attachment slot of each entity, −1 none. */
  attachmentOf: Int32Array;
  /** By entity, in the order of the calls. */
  readonly pending: Map<number, PendingRod>;
  /** Nodes of those. */
  pendingNodes: number;
  /** Slots of rods whose entity is gone or has lost its component. */
  readonly removed: number[];
  readonly strands: { -readonly [K in keyof StrandColumns]: StrandColumns[K] };
}

export function createRodState(): RodState {
  return {
    slotOf: new Int32Array(0),
    attachmentOf: new Int32Array(0),
    pending: new Map(),
    pendingNodes: 0,
    removed: [],
    strands: {
      positions: new Float32Array(0),
      nodeCount: 0,
      strandCount: 0,
      first: new Int32Array(0),
      counts: new Int32Array(0),
      version: 0,
    },
  };
}
