// What the wasm backend keeps of objects with a mesh (meshes.ts).

import { createKernelScratch, type KernelScratch } from '../../../../core/scratch';
import type { ObjectSystem } from '../../../../mechanics/elastic-kind';
import * as L from '../../../../state/layout';
import type { Engine } from '../../../engine';
import type { MeshPatterns } from './mesh-records';

/** What the backend keeps of them. */
export interface Meshes {
  /** By kind, those that were asked for. */
  readonly systems: (ObjectSystem | undefined)[];
  /** Objects that are awake, of any kind but strands: those on kernels, and the others. */
  readonly objects: number[];
  readonly others: number[];
  readonly patterns: MeshPatterns;
  readonly scratch: KernelScratch;
  /** Address of each object's record. */
  readonly records: number[];
  /** By unknown: f, right-hand sides, weights. By node: how far it gives way [1/kg]. */
  f: Float64Array;
  give: Float64Array;
}

export function createMeshes(engine: Engine): Meshes {
  const none = new Float64Array(0);
  return {
    systems: [],
    objects: [],
    others: [],
    patterns: { kept: [] },
    scratch: createKernelScratch(engine.arena, { address: L.MESH_WORK_ADDRESS, size: L.MESH_WORK_SIZE }),
    records: [],
    f: none,
    give: none,
  };
}

/** There are none: the last one was removed, or a snapshot has none. */
export function forgetMeshes({ objects, others }: Meshes): void {
  objects.length = others.length = 0;
}

/** Whether there are any. */
export const hasMeshes = ({ objects, others }: Meshes): boolean => objects.length + others.length > 0;
