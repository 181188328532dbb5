// From a scene to the list of shells to add: names given, vertices placed, motions of pins as tracks.
//
// In: a scene from readScene. Out: one entry per shell. Bodies and files are still names here.

import { createTrack, type Track } from './motions';
import type { Quadruple, Scene, SceneShell, Triple } from './scene-types';
import { nameShells } from './shell-names';

/** A shell to add. */
export interface PlacedShell {
  readonly name: string;
  readonly shell: SceneShell;
  /** Of pinned vertices; `keys` that begin without a position begin where the vertex is. */
  readonly motions: readonly { vertex: number; track(start: Triple): Track }[];
}

const UPRIGHT: Quadruple = [0, 0, 0, 1];

/** All shells of `scene`, in the order in which to add them. */
export function expandShells(scene: Scene): PlacedShell[] {
  return [...nameShells(scene).values()].map(({ name, shell }) => ({
    name,
    shell,
    motions: scene.motions
      .filter((motion) => motion.shell === name)
      .map((motion) => ({
        vertex: motion.vertex ?? 0,
        track: (start: Triple) => createTrack(motion, start, UPRIGHT),
      })),
  }));
}
