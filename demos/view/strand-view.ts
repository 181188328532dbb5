// The strands of a session on the stage: from the packed columns, one mesh per finish and thickness; or, where they are
// advanced on the renderer's device, from the buffers there.

import { hasComponent } from 'bitecs';
import type { Session } from '../app/session';
import { type DemoScene, ramp, type StrandLook, scatter } from '../scenes/demo-scene';
import { PALETTE } from '../scenes/palette';
import { createGpuStrandMeshes, fourStops, type GpuLook, type GpuStrandMeshes, opticalDensity } from './gpu-strands';
import { linear } from './looks';
import { type Stage, SUN } from './stage';
import { createStrandMesh, type StrandMesh, type StrandSet } from './strands';

export interface StrandView {
  /** Strands drawn. */
  readonly count: number;
  /** Whether they are drawn from the device's buffers. */
  readonly isOnDevice: boolean;
  /** Lowest and highest corner of all points before the first step [m]; null without strands. */
  readonly bounds: readonly [number[], number[]] | null;
  /** Makes the meshes follow the strands and, hair, the eye. `pixel` = size of a pixel one metre away [m]. */
  update(eye: readonly number[], pixel: number): void;
  dispose(): void;
}

/** Thinner is hair, unless the scene says otherwise [m]. */
const HAIR = 6e-4;
/** Up to so many hairs are drawn as thick as the scene says; of more each is drawn thinner. */
const FEW = 500;
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
  const bounds = boundsOf(session);
  let meshes: StrandMesh[] = [];
  let onDevice: GpuStrandMeshes | null = null;
  let version = -1;
  let drawn = { step: -1, alpha: -1, eye: [0, 0, 0], pixel: 0 };

  const clear = () => {
    for (const mesh of meshes) mesh.dispose();
    onDevice?.dispose();
    meshes = [];
    onDevice = null;
    version = -1;
  };

  const updateOnDevice = (buffers: DeviceBuffers, eye: readonly number[], pixel: number) => {
    if (!onDevice || version !== buffers.version) {
      clear();
      onDevice = createGpuStrandMeshes(stage, SUN, buffers, looksOf(session, demo), densityOf(session, demo, bounds));
      version = buffers.version;
    }
    onDevice.update(buffers, clock.physics.alpha, eye, pixel);
  };

  const updateFromColumns = (eye: readonly number[], pixel: number) => {
    if (onDevice || version !== physics.strands.version) {
      clear();
      meshes = [...gather(session, demo).values()].map((set) => createStrandMesh(stage.scene, stage.shadows, SUN, set));
      version = physics.strands.version;
      drawn.step = -1;
    }
    const { stepCount, alpha } = clock.physics;
    const same = drawn.step === stepCount && drawn.alpha === alpha && drawn.pixel === pixel;
    if (same && eye.every((value, i) => value === drawn.eye[i])) return;
    drawn = { step: stepCount, alpha, eye: [...eye], pixel };
    for (const mesh of meshes) mesh.update(physics.strands.positions, eye, pixel);
  };

  return {
    get count() {
      return physics.strands.strandCount;
    },
    get isOnDevice() {
      return onDevice !== null;
    },
    bounds,
    update(eye, pixel) {
      if (rods.size === 0 || session.isStarting) return;
      const buffers = session.gpu?.buffers;
      if (buffers) updateOnDevice(buffers, eye, pixel);
      else updateFromColumns(eye, pixel);
    },
    dispose: clear,
  };
}

type DeviceBuffers = NonNullable<NonNullable<Session['gpu']>['buffers']>;

/** Entities of all rods and grooms in the order of their nodes, which is that of their numbers on the device. */
function rodsInOrder({ physics, rods }: Session): { name: string; radius: number }[] {
  const found = [...rods].map(([name, eid]) => {
    const columns = columnsOf(physics, eid);
    return { name, radius: columns?.radius[eid] ?? 0, first: columns?.firstNode[eid] ?? 0 };
  });
  return found.sort((a, b) => a.first - b.first);
}

function columnsOf({ world, components: { Rod, Groom } }: Session['physics'], eid: number) {
  if (hasComponent(world, eid, Groom)) return Groom;
  return hasComponent(world, eid, Rod) ? Rod : null;
}

const lookOf = (demo: DemoScene | null, name: string, radius: number) =>
  demo?.strands?.(name) ?? (radius < HAIR ? HAIR_LOOK : ROPE_LOOK);

function looksOf(session: Session, demo: DemoScene | null): Map<number, GpuLook> {
  return new Map(
    rodsInOrder(session).map(({ name, radius }, rod) => {
      const look = lookOf(demo, name, radius);
      const colors = fourStops(look.colors.map(linear));
      return [rod, { colors, radius: drawnRadius(session, look, radius), isRope: look.finish === 'rope' }];
    }),
  );
}

/** Few hairs look fuller when they are thicker, many when they are not. */
function drawnRadius({ physics }: Session, look: StrandLook, radius: number): number {
  if (look.radius === undefined || look.finish === 'rope') return look.radius ?? radius;
  return Math.max(look.radius * Math.min(1, Math.sqrt(FEW / Math.max(physics.strands.strandCount, 1))), radius);
}

/** How much the hair dims the sun [1/m]. */
function densityOf(session: Session, demo: DemoScene | null, bounds: StrandView['bounds']): number {
  if (!bounds) return 0;
  const size = bounds[1].map((high, k) => high - bounds[0][k]);
  let density = 0;
  for (const { name, radius } of rodsInOrder(session)) {
    const drawn = drawnRadius(session, lookOf(demo, name, radius), radius);
    density += opticalDensity(lengthOf(session.rodStarts.get(name) ?? new Float64Array()), drawn, size);
  }
  return density;
}

/** Length of all strands [m], from a few thousand edges. */
function lengthOf(points: Float64Array): number {
  const nodes = points.length / 3;
  const stride = Math.max(1, Math.floor(nodes / 4000));
  const lengths: number[] = [];
  for (let i = 0; i + 1 < nodes; i += stride)
    lengths.push(Math.hypot(...[0, 1, 2].map((k) => points[3 * i + 3 + k] - points[3 * i + k])));
  // The way from one strand's end to the next one's start is no edge: it does not move the median.
  lengths.sort((a, b) => a - b);
  return nodes * (lengths[lengths.length >> 1] ?? 0);
}

/** The strands of all rods and grooms, by what can be drawn with one mesh. */
function gather({ physics, rods }: Session, demo: DemoScene | null): Map<string, StrandSet> {
  const { first, counts, nodeCount } = physics.strands;
  const sets = new Map<string, StrandSet & { first: number[]; count: number[]; colors: number[] }>();
  const random = scatter(7);
  for (const [name, eid] of rods) {
    const columns = columnsOf(physics, eid);
    if (!columns) continue;
    const look = lookOf(demo, name, columns.radius[eid]);
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
