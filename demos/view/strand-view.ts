// The strands of a session on the stage: one mesh per finish and thickness, read from the packed columns.

import { hasComponent } from 'bitecs';
import type { Session } from '../app/session';
import { type DemoScene, ramp, type StrandLook, scatter } from '../scenes/demo-scene';
import { PALETTE } from '../scenes/palette';
import { linear } from './looks';
import { type Stage, SUN } from './stage';
import { createStrandMesh, type StrandMesh, type StrandSet } from './strands';

export interface StrandView {
  /** Strands drawn. */
  readonly count: number;
  /** Lowest and highest corner of all points before the first step [m]; null without strands. */
  readonly bounds: readonly [number[], number[]] | null;
  /** Makes the meshes follow the strands and, hair, the eye. `pixel` = size of a pixel one metre away [m]. */
  update(eye: readonly number[], pixel: number): void;
  dispose(): void;
}

/** Thinner is hair, unless the scene says otherwise [m]. */
const HAIR = 6e-4;
/** With more nodes than this the curve through them is drawn more coarsely. */
const CROWD = 40_000;

const HAIR_LOOK: StrandLook = { finish: 'hair', colors: ['#4a2c1a', '#6e4526', '#8d5f36'] };
const ROPE_LOOK: StrandLook = { finish: 'rope', colors: [PALETTE.sand, '#c8ae83', '#e3d2b2'] };

/** `clock` is the session whose frames are shown; a rival's own never run ahead of its steps. */
export function createStrandView(
  stage: Stage,
  session: Session,
  demo: DemoScene | null,
  clock: Session = session,
): StrandView {
  const { physics, rods } = session;
  let meshes: StrandMesh[] = [];
  let version = -1;
  let drawn = { step: -1, alpha: -1, eye: [0, 0, 0], pixel: 0 };

  const build = () => {
    for (const mesh of meshes) mesh.dispose();
    meshes = [...gather(session, demo).values()].map((set) => createStrandMesh(stage.scene, stage.shadows, SUN, set));
    version = physics.strands.version;
    drawn.step = -1;
  };

  return {
    get count() {
      return physics.strands.strandCount;
    },
    bounds: boundsOf(session),
    update(eye, pixel) {
      if (rods.size === 0) return;
      if (version !== physics.strands.version) build();
      const { stepCount, alpha } = clock.physics;
      const same = drawn.step === stepCount && drawn.alpha === alpha && drawn.pixel === pixel;
      if (same && eye.every((value, i) => value === drawn.eye[i])) return;
      drawn = { step: stepCount, alpha, eye: [...eye], pixel };
      for (const mesh of meshes) mesh.update(physics.strands.positions, eye, pixel);
    },
    dispose() {
      for (const mesh of meshes) mesh.dispose();
    },
  };
}

/** The strands of all rods and grooms, by what can be drawn with one mesh. */
function gather({ physics, rods }: Session, demo: DemoScene | null): Map<string, StrandSet> {
  const { Rod, Groom } = physics.components;
  const { first, counts, nodeCount } = physics.strands;
  const sets = new Map<string, StrandSet & { first: number[]; count: number[]; colors: number[] }>();
  const random = scatter(7);
  for (const [name, eid] of rods) {
    const isGroom = hasComponent(physics.world, eid, Groom);
    if (!isGroom && !hasComponent(physics.world, eid, Rod)) continue;
    const columns = isGroom ? Groom : Rod;
    const look = demo?.strands?.(name) ?? (columns.radius[eid] < HAIR ? HAIR_LOOK : ROPE_LOOK);
    const radius = look.radius ?? columns.radius[eid];
    const key = `${look.finish} ${radius}`;
    let set = sets.get(key);
    if (!set) {
      const detail = look.finish === 'rope' ? 3 : nodeCount > CROWD ? 1 : 2;
      set = { first: [], count: [], colors: [], radius, finish: look.finish, detail };
      sets.set(key, set);
    }
    for (let s = columns.firstStrand[eid]; s < columns.firstStrand[eid] + columns.strandCount[eid]; s++) {
      set.first.push(first[s]);
      set.count.push(counts[s]);
      const color = look.colors.length === 1 ? look.colors[0] : ramp(look.colors, random());
      set.colors.push(...linear(color));
    }
  }
  return sets;
}

function boundsOf({ rodStarts }: Session): [number[], number[]] | null {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const points of rodStarts.values())
    for (let k = 0; k < points.length; k++) {
      low[k % 3] = Math.min(low[k % 3], points[k]);
      high[k % 3] = Math.max(high[k % 3], points[k]);
    }
  return low[0] <= high[0] ? [low, high] : null;
}
