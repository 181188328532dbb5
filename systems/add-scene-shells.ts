// Shells of a scene, and the scripted motions of their pins.

import { observe, onRemove } from 'bitecs';
import { refuse, UsageError } from '../src/core/errors';
import { rotateVector } from '../src/math/quaternion';
import { expandShells, type PlacedShell } from '../src/scene/expand-shells';
import { readTriangleMesh } from '../src/scene/meshes/read-mesh';
import { poseAt, type Track } from '../src/scene/motions';
import type { Scene, SceneShell, Triple } from '../src/scene/scene-types';
import type { AddSceneOptions } from './add-scene-rods';
import type { Physics } from './physics';
import { addShell, pinVertex, removeShell } from './shells';

/** Adds shells; if one is refused, takes out those it added before, and throws. Returns them by name. */
export function addSceneShells(
  physics: Physics,
  scene: Scene,
  bodies: ReadonlyMap<string, number>,
  options: AddSceneOptions,
): Map<string, number> {
  const added = new Map<string, number>();
  const driven: Driven[] = [];
  try {
    for (const placed of placeShells(scene)) {
      const { eid, vertices } = addPlaced(physics, placed, bodies, options);
      added.set(placed.name, eid);
      for (const { vertex, track } of placed.motions) {
        const start = [0, 1, 2].map((k) => vertices[3 * vertex + k]) as Triple;
        driven.push({ eid, vertex, track: track(start) });
      }
    }
  } catch (error) {
    for (const eid of added.values()) removeShell(physics, eid);
    throw error;
  }
  if (driven.length > 0) movePins(physics, driven);
  return added;
}

/** The shells to add; a scene made by hand that lacks something is refused as a whole. */
function placeShells(scene: Scene): PlacedShell[] {
  try {
    return expandShells(scene);
  } catch {
    return refuse('addScene', 'scene must come from readScene', scene);
  }
}

function addPlaced(
  physics: Physics,
  { name, shell }: PlacedShell,
  bodies: ReadonlyMap<string, number>,
  options: AddSceneOptions,
): { eid: number; vertices: Float64Array } {
  const { name: _, file, vertices: own, triangles: faces, surface, position, rotation, pins, ...spec } = shell;
  try {
    const mesh =
      file === undefined ? { vertices: (own ?? []).flat(), triangles: (faces ?? []).flat() } : read(file, options);
    const vertices = place(mesh.vertices, shell);
    const drawn = surface && { vertices: place(surface.vertices.flat(), shell), triangles: surface.triangles };
    const held = pins.map((pin) =>
      typeof pin === 'number' || pin.body === undefined
        ? { vertex: typeof pin === 'number' ? pin : pin.vertex }
        : { vertex: pin.vertex, body: bodies.get(pin.body) },
    );
    const all = { ...spec, vertices, triangles: mesh.triangles, pins: held, ...(drawn && { surface: drawn }) };
    return { eid: addShell(physics, all), vertices };
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`addScene: shell ${JSON.stringify(name)}: ${error.message}`);
    throw error;
  }
}

/** Points of a shell's own frame in the world. */
function place(points: ArrayLike<number>, { position, rotation }: SceneShell): Float64Array {
  const placed = Float64Array.from(points);
  for (let v = 0; v < placed.length; v += 3) {
    rotateVector(placed, v, rotation, 0, placed, v);
    for (let k = 0; k < 3; k++) placed[v + k] += position[k];
  }
  return placed;
}

function read(file: string, { readFile }: AddSceneOptions) {
  if (typeof readFile !== 'function')
    refuse('addScene', 'options.readFile must be given for a scene with shells from files', readFile);
  return readTriangleMesh(readFile(file), file);
}

/** A pinned vertex along a track. */
interface Driven {
  readonly eid: number;
  readonly vertex: number;
  readonly track: Track;
}

const now = new Float64Array(7);
const next = new Float64Array(7);

/** Drives pins along their tracks from now on. */
function movePins(physics: Physics, all: readonly Driven[]): void {
  const { world, components } = physics;
  const { timeStep } = physics.settings;
  const start = physics.stepCount;
  let driven = all;

  const moveScenePins = (): void => {
    const taken = physics.stepCount - start;
    for (const { eid, vertex, track } of driven) {
      poseAt(next, 0, track, (taken + 1) * timeStep);
      poseAt(now, 0, track, taken * timeStep);
      // What rests may sleep.
      if (taken > 0 && now[0] === next[0] && now[1] === next[1] && now[2] === next[2]) continue;
      pinVertex(physics, eid, vertex, { point: next.subarray(0, 3) });
    }
  };
  const stop = physics.schedule.before('copy-in', moveScenePins, 'move-scene-pins');

  // A removed entity's id may be given to another one, which must not inherit the motion.
  const forget = observe(world, onRemove(components.Shell), (eid: number) => {
    driven = driven.filter((one) => one.eid !== eid);
    if (driven.length > 0) return;
    stop();
    forget();
  });
}
