// What a renderer is given of strands on the device: the public part of world/world, in a file of its own, so that the
// package's types need none of its inside.

/** What drawing reads: places after the last step and before it, where each strand is, what it is. */
export interface DrawingBuffers {
  readonly device: GPUDevice;
  /**
   * Changes whenever a buffer was replaced or strands were uploaded anew: bind groups and meshes must be made again.
   */
  readonly version: number;
  /**
   * Strands that the device advances: the first of `headers`. What follows there is advanced on the
   * CPU, and drawn from its columns.
   */
  readonly strandCount: number;
  /** Of all strands. */
  readonly nodeCount: number;
  /** vec4f a node: from its strand's origin [m], θ [rad]. */
  readonly positions: GPUBuffer;
  /** The same before the step, from the same origin. */
  readonly previous: GPUBuffer;
  /** vec4f a strand: from the cell [m]; unit of the fixed point [m]. */
  readonly origins: GPUBuffer;
  /** u32 a node: its strand, in the order of `headers`. */
  readonly slots: GPUBuffer;
  /** vec4u a strand: first node, nodes, flags, rod. Strands of equal length lie together. */
  readonly headers: GPUBuffer;
  /** Struct Rod of strand.wgsl. */
  readonly rods: GPUBuffer;
  /** Ranges of strands of equal length, in the order of `headers`. */
  readonly blocks: readonly { readonly firstStrand: number; readonly strands: number; readonly nodes: number }[];
  /** Zero of the origins in the world [m]. */
  readonly cell: Float64Array;
}
