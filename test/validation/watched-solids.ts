// Scenes with elastic solids, run while what no end of a step may have is looked for.

import { expect } from 'vitest';
import { loadScene, openSession } from '../../demos/app/open-session';
import type { SceneFile } from '../../demos/scenes/demo-scene';
import { findSurfaceCrossings } from '../../src/debug/surface-crossings';
import { solidPositions } from '../../src/index';

/** A session whose ends of steps are looked at: every `every`-th is free of crossings. */
export function openWatched(scene: SceneFile, every: number) {
  const session = openSession(loadScene(scene), { userTiming: false });
  const { physics } = session;
  return {
    session,
    physics,
    /** Goes on until `seconds` [s] of the world's time; `watch` is called at each step that is looked at. */
    run(seconds: number, watch?: () => void): void {
      while (physics.time < seconds - 1e-9) {
        physics.step();
        if (physics.stepCount % every !== 0) continue;
        const { arena, tables } = physics.internal.engine;
        expect(findSurfaceCrossings(arena, tables)).toEqual([]);
        watch?.();
      }
      expect(physics.report.quarantined).toEqual([]);
    },
    points: (name: string) => solidPositions(physics, session.solids.get(name)?.entity ?? -1),
  };
}
