// What the ECS side keeps of shells beside the one memory: the meshes that they were made from, and what is drawn.

import type { VolumeEmbedding } from '../src/geometry/embed-in-tetrahedra';
import type { Embedding } from '../src/geometry/embed-surface';

/** What is drawn of a shell or solid, and which of its nodes the game's vertices are. */
export interface ShellMesh {
  /** KIND_* of its rows. */
  readonly kind: number;
  /** Node of each of the game's vertices, from the shell's first on. */
  readonly map: Int32Array;
  /** Drawn triangles, by drawn vertex. */
  readonly triangles: Uint32Array;
  /** Drawn vertices over the shell's triangles; null: the game's own are drawn. */
  readonly embedding: Embedding | null;
  /** Drawn vertices in the solid's tetrahedra; null: none. */
  readonly volume: VolumeEmbedding | null;
}

/** A pin by node, counted from the shell's first; body as an entity, 0 the world. */
export interface CheckedPin {
  readonly node: number;
  readonly body: number;
  readonly point: number[] | null;
}

/**
 * All shells, or all solids, of the world, packed for rendering. Those of one entity are a range:
 * firstVertex … of its component.
 */
export interface ShellView {
  /** Three numbers a vertex: x y z between the last two steps at `interpolate`'s alpha [m]. */
  readonly positions: Float32Array;
  /** Three numbers a vertex: unit normal, mean of the triangles around it by their areas. */
  readonly normals: Float32Array;
  /** Three vertices a triangle, counted from the entity's firstVertex. */
  readonly triangles: Uint32Array;
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** Grows whenever they come, go or move in these arrays: time to build meshes anew. */
  readonly version: number;
}

export function createShellView(): { -readonly [K in keyof ShellView]: ShellView[K] } {
  return {
    positions: new Float32Array(0),
    normals: new Float32Array(0),
    triangles: new Uint32Array(0),
    vertexCount: 0,
    triangleCount: 0,
    version: 0,
  };
}
