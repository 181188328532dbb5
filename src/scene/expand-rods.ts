// From a scene to the lists of rods and grooms to add: names given, motions of clamps as tracks.
//
// In: a scene from readScene. Out: one entry per rod and groom, rods first. Bodies are still names here.

import { createTrack, type Track } from './motions';
import { nameRods } from './rod-names';
import type { Quadruple, Scene, SceneGroom, SceneRod } from './scene-types';

/** A rod to add. */
export interface PlacedRod {
  readonly name: string;
  readonly rod: SceneRod;
  /** Scripted motion of its clamps. */
  readonly start?: Track;
  readonly end?: Track;
}

/** A groom to add. */
export interface PlacedGroom {
  readonly name: string;
  readonly groom: SceneGroom;
}

const UPRIGHT: Quadruple = [0, 0, 0, 1];

/** All rods and grooms of `scene`, in the order in which to add them. */
export function expandRods(scene: Scene): { rods: PlacedRod[]; grooms: PlacedGroom[] } {
  const rods: PlacedRod[] = [];
  const grooms: PlacedGroom[] = [];
  for (const { name, kind, entry } of nameRods(scene).values()) {
    if (kind === 'grooms') {
      grooms.push({ name, groom: entry as SceneGroom });
      continue;
    }
    const rod = entry as SceneRod;
    const track = (end: 'start' | 'end'): Track | undefined => {
      const motion = scene.motions.find((m) => m.rod === name && m.end === end);
      return (
        motion && createTrack(motion, end === 'start' ? rod.points[0] : rod.points[rod.points.length - 1], UPRIGHT)
      );
    };
    rods.push({ name, rod, start: track('start'), end: track('end') });
  }
  return { rods, grooms };
}
