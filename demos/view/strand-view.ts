// The strands of a session on the stage: ropes as tubes, one mesh a thickness, and hair as ribbons, both from the
// packed columns; those that are advanced on the renderer's device from the buffers there.
//
// A few hundred strands make no head of hair: where the scene says so (`StrandLook.lock`), a strand stands for a lock,
// and further hairs are drawn beside it. The physics knows the strands alone, and `bare` shows them alone.

import { hasComponent } from 'bitecs';
import { vec3 } from 'gl-matrix';
import type { Session } from '../app/session';
import { type DemoScene, ramp, type StrandLook, scatter } from '../scenes/demo-scene';
import { PALETTE } from '../scenes/palette';
import { createTexturedHair } from './gl-strands';
import { createGpuStrandMeshes, createUploadedHair, type GpuStrandMeshes } from './gpu-strands';
import { drawnRadius, fourStops, type HairLook, hairsOfStrand, opticalDensity } from './hair-look';
import type { HairColumns } from './hair-source';
import { linear } from './looks';
import type { Stage } from './stage';
import { createStrandMesh, type StrandMesh, type StrandSet } from './strands';

export interface StrandView {
  /** Strands of the session. */
  readonly count: number;
  /** Hairs drawn for each strand. */
  readonly hairs: number;
  /** Whether they are drawn from the device's buffers. */
  readonly isOnDevice: boolean;
  /** Lowest and highest corner of all points before the first step [m]; null without strands. */
  readonly bounds: readonly [number[], number[]] | null;
  /**
   * Makes the meshes follow the strands and, hair, the eye. `pixel` = size of a pixel one metre away [m];
   * `bare`: no hairs but the strands.
   */
  update(eye: readonly number[], pixel: number, bare?: boolean): void;
  dispose(): void;
}

/** Thinner is hair, unless the scene says otherwise [m]. */
const HAIR = 6e-4;

const HAIR_LOOK: StrandLook = { finish: 'hair', colors: ['#4a2c1a', '#6e4526', '#8d5f36'] };
const ROPE_LOOK: StrandLook = { finish: 'rope', colors: [PALETTE.sand, '#c8ae83', '#e3d2b2'] };

/** What is drawn now: ropes as tubes and hair from the processor's columns, the rest from the device's buffers. */
interface Drawn {
  /** Of the columns, and of the buffers, −1 none. */
  version: number;
  deviceVersion: number;
  ropes: StrandMesh[];
  hair: ReturnType<typeof createTexturedHair> | null;
  onDevice: GpuStrandMeshes | null;
}

/**
 * `clock` is the session whose frames are shown; a rival's own never run ahead of its steps. `fullness`: hairs drawn
 * where a strand stands for a lock, of the usual number.
 */
export function createStrandView(
  stage: Stage,
  session: Session,
  demo: DemoScene | null,
  clock: Session = session,
  fullness = 1,
): StrandView {
  const { physics, rods } = session;
  const bounds = boundsOf(session);
  let drawn: Drawn | null = null;
  let last = { step: -1, alpha: -1, eye: [0, 0, 0], pixel: 0 };

  const clear = () => {
    for (const mesh of drawn?.ropes ?? []) mesh.dispose();
    drawn?.hair?.dispose();
    drawn?.onDevice?.dispose();
    drawn = null;
  };

  /** Hairs a strand: more than one where any look has locks. */
  const count = (looks: ReadonlyMap<number, HairLook>) => {
    const hasLocks = [...looks.values()].some(({ lock }) => lock > 0);
    return hasLocks ? hairsOfStrand(physics.strands.strandCount, fullness) : 1;
  };
  let hairs = count(looksOf(session, demo, fullness));

  const build = (buffers: DeviceBuffers | null): Drawn => {
    const looks = looksOf(session, demo, fullness);
    hairs = count(looks);
    const isHere = (eid: number) => !buffers || session.gpu?.where(eid).backend !== 'webgpu';
    const columns = hairOf(session, looks, isHere);
    const density = buffers || columns ? densityOf(session, looks, hairs, bounds) : 0;
    const make = stage.scene.getEngine().isWebGPU ? createUploadedHair : createTexturedHair;
    return {
      version: physics.strands.version,
      deviceVersion: buffers?.version ?? -1,
      ropes: ropesOf(session, demo, isHere).map((set) => createStrandMesh(stage.scene, stage.shadows, set)),
      hair: columns && make(stage, columns, density, hairs),
      onDevice: buffers && createGpuStrandMeshes(stage, buffers, looks, density, hairs),
    };
  };

  const updateColumns = ({ hair, ropes }: Drawn, eye: readonly number[], pixel: number, bare: boolean) => {
    if (!hair && ropes.length === 0) return;
    const { stepCount, alpha } = clock.physics;
    const { positions } = physics.strands;
    const stands = last.step === stepCount && last.alpha === alpha;
    const same = stands && last.pixel === pixel && eye.every((value, i) => value === last.eye[i]);
    hair?.update(stands ? null : positions, eye, pixel, bare ? 1 : hairs);
    if (same) return;
    last = { step: stepCount, alpha, eye: [...eye], pixel };
    if (!stands) for (const mesh of ropes) mesh.update(positions);
  };

  return {
    get count() {
      return physics.strands.strandCount;
    },
    get hairs() {
      return hairs;
    },
    get isOnDevice() {
      return Boolean(drawn?.onDevice);
    },
    bounds,
    update(eye, pixel, bare = false) {
      if (rods.size === 0 || session.isStarting) return;
      const buffers = session.gpu?.buffers ?? null;
      if (drawn?.version !== physics.strands.version || drawn.deviceVersion !== (buffers?.version ?? -1)) {
        clear();
        drawn = build(buffers);
        last.step = -1;
      }
      if (buffers) drawn.onDevice?.update(buffers, clock.physics.alpha, eye, pixel, bare ? 1 : hairs);
      updateColumns(drawn, eye, pixel, bare);
    },
    dispose: clear,
  };
}

type DeviceBuffers = NonNullable<NonNullable<Session['gpu']>['buffers']>;

/** Entities of all rods and grooms in the order of their nodes, which is that of their numbers on the device. */
function rodsInOrder({ physics, rods }: Session): { name: string; eid: number; radius: number }[] {
  const found = [...rods].map(([name, eid]) => {
    const columns = columnsOf(physics, eid);
    return { name, eid, radius: columns?.radius[eid] ?? 0, first: columns?.firstNode[eid] ?? 0 };
  });
  return found.sort((a, b) => a.first - b.first);
}

function columnsOf({ world, components: { Rod, Groom } }: Session['physics'], eid: number) {
  if (hasComponent(world, eid, Groom)) return Groom;
  return hasComponent(world, eid, Rod) ? Rod : null;
}

const lookOf = (demo: DemoScene | null, name: string, radius: number) =>
  demo?.strands?.(name) ?? (radius < HAIR ? HAIR_LOOK : ROPE_LOOK);

/** Looks by the number of the rod. */
function looksOf(session: Session, demo: DemoScene | null, fullness: number): Map<number, HairLook> {
  const { strandCount } = session.physics.strands;
  return new Map(
    rodsInOrder(session).map(({ name, radius }, rod) => {
      const look = lookOf(demo, name, radius);
      const isRope = look.finish === 'rope';
      const lock = isRope ? 0 : (look.lock ?? 0);
      const hairs = strandCount * (lock > 0 ? hairsOfStrand(strandCount, fullness) : 1);
      const drawnAs = isRope ? (look.radius ?? radius) : drawnRadius(look.radius ?? radius, radius, hairs);
      return [rod, { colors: fourStops(look.colors.map(linear)), radius: drawnAs, isRope, wet: look.wet, lock }];
    }),
  );
}

/** How much the hair dims the sun [1/m]. */
function densityOf(
  session: Session,
  looks: ReadonlyMap<number, HairLook>,
  hairs: number,
  bounds: StrandView['bounds'],
): number {
  if (!bounds) return 0;
  const size = bounds[1].map((high, k) => high - bounds[0][k]);
  let density = 0;
  rodsInOrder(session).forEach(({ name }, rod) => {
    const look = looks.get(rod);
    if (!look) return;
    const length = lengthOf(session.rodStarts.get(name) ?? new Float64Array());
    density += opticalDensity(length * (look.lock > 0 ? hairs : 1), look.radius, size);
  });
  return density;
}

/** Length of all strands [m], from a few thousand edges. */
function lengthOf(points: Float64Array): number {
  const nodes = points.length / 3;
  const stride = Math.max(1, Math.floor(nodes / 4000));
  const at = (i: number): vec3 => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  const lengths: number[] = [];
  for (let i = 0; i + 1 < nodes; i += stride) lengths.push(vec3.distance(at(i + 1), at(i)));
  // The way from one strand's end to the next one's start is no edge: it does not move the median.
  lengths.sort((a, b) => a - b);
  return nodes * (lengths[lengths.length >> 1] ?? 0);
}

/** The strands that are drawn as hair from the columns; null if there are none. */
function hairOf(
  session: Session,
  looks: ReadonlyMap<number, HairLook>,
  isHere: (eid: number) => boolean,
): HairColumns | null {
  const { physics } = session;
  const { first, counts, nodeCount } = physics.strands;
  const found = { first: [] as number[], counts: [] as number[], look: [] as number[] };
  let longest = 0;
  rodsInOrder(session).forEach(({ eid }, rod) => {
    const columns = columnsOf(physics, eid);
    if (!columns || looks.get(rod)?.isRope || !isHere(eid)) return;
    for (let s = columns.firstStrand[eid]; s < columns.firstStrand[eid] + columns.strandCount[eid]; s++) {
      found.first.push(first[s]);
      found.counts.push(counts[s]);
      found.look.push(rod);
      longest = Math.max(longest, counts[s]);
    }
  });
  const own = new Map([...looks].filter(([, { isRope }]) => !isRope));
  return longest > 1 ? { ...found, looks: own, nodeCount, longest } : null;
}

/** The strands that are drawn as ropes, by what can be drawn with one mesh. */
function ropesOf({ physics, rods }: Session, demo: DemoScene | null, isHere: (eid: number) => boolean): StrandSet[] {
  const { first, counts } = physics.strands;
  const sets = new Map<number, StrandSet & { first: number[]; count: number[]; colors: number[] }>();
  const random = scatter(7);
  for (const [name, eid] of rods) {
    const columns = columnsOf(physics, eid);
    if (!columns || !isHere(eid)) continue;
    const look = lookOf(demo, name, columns.radius[eid]);
    if (look.finish !== 'rope') continue;
    const radius = look.radius ?? columns.radius[eid];
    let set = sets.get(radius);
    if (!set) {
      set = { first: [], count: [], colors: [], radius, detail: 3 };
      sets.set(radius, set);
    }
    for (let s = columns.firstStrand[eid]; s < columns.firstStrand[eid] + columns.strandCount[eid]; s++) {
      set.first.push(first[s]);
      set.count.push(counts[s]);
      const color = look.colors.length === 1 ? look.colors[0] : ramp(look.colors, random());
      set.colors.push(...linear(color));
    }
  }
  return [...sets.values()];
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
