// Which strands of a session are drawn as hair from the processor's columns, and as what: the input of
// rod/strands.ts and gl-strands.ts.

import type { HairLook } from './hair-look';

/** Strands that are drawn as hair. */
export interface HairColumns {
  /** First node and number of nodes of each strand, among all nodes of the world. */
  readonly first: readonly number[];
  readonly counts: readonly number[];
  /** Its look, a number in `looks`. */
  readonly look: readonly number[];
  readonly looks: ReadonlyMap<number, HairLook>;
  /** Nodes of the world: positions are uploaded as they are, four numbers a node. */
  readonly nodeCount: number;
  /** Nodes of the longest strand. */
  readonly longest: number;
}

/** Hair drawn from the processor's columns, with WebGPU and WebGL2 alike. */
export interface ColumnHair {
  /**
   * `positions`: four numbers a node, null where they are the last ones; `eye` [m]; `pixel`: its size at
   * unit distance [-]; hairs a strand.
   */
  update(positions: Float32Array | null, eye: readonly number[], pixel: number, hairs: number): void;
  dispose(): void;
}
