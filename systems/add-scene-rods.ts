// Rods and grooms of a scene into a world, and the scripted motions of their clamps.

import { observe, onRemove } from 'bitecs';
import { refuse, UsageError } from '../src/core/errors';
import { isClamped, placeClamp } from '../src/dynamics/elastic/clamp-rows';
import { expandRods, type PlacedGroom, type PlacedRod } from '../src/scene/expand-rods';
import type { Bytes } from '../src/scene/grooms/groom';
import { resampleGroom } from '../src/scene/grooms/resample-groom';
import { strandsOf } from '../src/scene/grooms/scene-strands';
import { poseAt, type Track } from '../src/scene/motions';
import type { Scene } from '../src/scene/scene-types';
import { addGroom } from './grooms';
import type { Physics } from './physics';
import { removeRigidBody } from './rigid-body';
import { addRod, removeRod } from './rods';

export interface AddSceneOptions {
  /** Bytes of a groom's or a mesh's file, by its name in the scene. Needed for scenes that name files. */
  readFile?: (file: string) => Bytes;
}

/** Adds rods and grooms; if one is refused, takes out all that the scene added, `bodies` too. Returns them by name. */
export function addSceneRods(
  physics: Physics,
  scene: Scene,
  bodies: ReadonlyMap<string, number>,
  options: AddSceneOptions,
): Map<string, number> {
  const added = new Map<string, number>();
  const driven: Driven[] = [];
  try {
    const { rods, grooms } = placeRods(scene);
    for (const placed of rods) {
      const eid = named('rod', placed.name, () => addPlacedRod(physics, placed, bodies));
      added.set(placed.name, eid);
      if (placed.start) driven.push({ eid, end: 0, track: placed.start, isPlaced: false });
      if (placed.end) driven.push({ eid, end: 1, track: placed.end, isPlaced: false });
    }
    for (const placed of grooms) {
      added.set(
        placed.name,
        named('groom', placed.name, () => addPlacedGroom(physics, placed, bodies, options)),
      );
    }
  } catch (error) {
    for (const eid of added.values()) removeRod(physics, eid);
    for (const eid of bodies.values()) removeRigidBody(physics, eid);
    throw error;
  }
  if (driven.length > 0) moveClamps(physics, driven);
  return added;
}

/** The rods and grooms to add; a scene made by hand that lacks something is refused as a whole. */
function placeRods(scene: Scene): ReturnType<typeof expandRods> {
  try {
    return expandRods(scene);
  } catch {
    return refuse('addScene', 'scene must come from readScene', scene);
  }
}

function named(kind: string, name: string, add: () => number): number {
  try {
    return add();
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(`addScene: ${kind} ${JSON.stringify(name)}: ${error.message}`);
    throw error;
  }
}

function addPlacedRod(physics: Physics, { rod }: PlacedRod, bodies: ReadonlyMap<string, number>): number {
  const { name, attachStart, attachEnd, growOn: _, ...spec } = rod;
  return addRod(physics, { ...spec, ...attachedTo(attachStart, attachEnd, bodies) });
}

function addPlacedGroom(
  physics: Physics,
  { groom }: PlacedGroom,
  bodies: ReadonlyMap<string, number>,
  { readFile }: AddSceneOptions,
): number {
  const { file, vertices, maxStrands, seed, scale, position, rotation } = groom;
  const read = strandsOf(groom, (name) => {
    if (typeof readFile === 'function') return readFile(name);
    return refuse('addScene', 'options.readFile must be given for a scene with grooms from files', readFile);
  });
  const { attachStart, attachEnd, growOn: _, ...spec } = groom.rod;
  const options = { ...spec, ...attachedTo(attachStart, attachEnd, bodies) };
  const { sagFree } = groom;
  if (read.rest !== undefined) {
    // Baked strands stand where they were baked, as they were.
    const placed = position.some((x) => x !== 0) || rotation.some((x, k) => x !== (k === 3 ? 1 : 0)) || scale !== 1;
    if (placed || vertices !== undefined || maxStrands !== undefined)
      refuse('addScene', 'a baked groom must have no vertices, maxStrands, scale, position or rotation', file);
    return addGroom(physics, { ...options, strands: read, ...(sagFree === undefined ? {} : { sagFree }) });
  }
  const strands = resampleGroom(read, {
    ...(vertices === undefined ? {} : { vertices }),
    ...(maxStrands === undefined ? {} : { maxStrands }),
    seed,
    scale,
    position,
    rotation,
  });
  return addGroom(physics, { ...options, strands, ...(sagFree === undefined ? {} : { sagFree }) });
}

function attachedTo(
  start: string | undefined,
  end: string | undefined,
  bodies: ReadonlyMap<string, number>,
): { attachStart?: number; attachEnd?: number } {
  return {
    ...(start === undefined ? {} : { attachStart: bodies.get(start) }),
    ...(end === undefined ? {} : { attachEnd: bodies.get(end) }),
  };
}

/** A clamp along a track. */
interface Driven {
  readonly eid: number;
  readonly end: number;
  readonly track: Track;
  /** Whether it has been put on its track at all. */
  isPlaced: boolean;
}

const now = new Float64Array(7);
const next = new Float64Array(7);
const position = next.subarray(0, 3);
const rotation = next.subarray(3, 7);

/** Drives clamps along their tracks from now on, as long as they are held by the world. */
function moveClamps(physics: Physics, all: readonly Driven[]): void {
  const { world, components, internal } = physics;
  const { timeStep } = physics.settings;
  const start = physics.stepCount;
  let driven = all;

  const moveSceneClamps = (): void => {
    const { tables } = internal.engine;
    const taken = physics.stepCount - start;
    for (let i = 0; i < driven.length; i++) {
      const { eid, end, track } = driven[i];
      poseAt(next, 0, track, (taken + 1) * timeStep);
      const slot = internal.rods.slotOf[eid] ?? -1;
      if (slot < 0) continue;
      const strand = tables.rods.strandStart[slot];
      // A game may have released the clamp or given it to a body.
      if (!isClamped(tables, strand, end) || tables.strands.attach[2 * strand + end] >= 0) continue;
      poseAt(now, 0, track, taken * timeStep);
      if (driven[i].isPlaced && isSamePose()) continue;
      placeClamp(tables, strand, end, position, rotation);
      driven[i].isPlaced = true;
    }
  };
  const stop = physics.schedule.before('predict-motion', moveSceneClamps, 'move-scene-clamps');

  // A removed entity's id may be given to another one, which must not inherit the motion.
  const forget = observe(world, onRemove(components.Rod), (eid: number) => {
    driven = driven.filter((one) => one.eid !== eid);
    if (driven.length > 0) return;
    stop();
    forget();
  });
}

function isSamePose(): boolean {
  for (let k = 0; k < 7; k++) if (now[k] !== next[k]) return false;
  return true;
}
