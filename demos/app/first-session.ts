// Worlds of the scenes that a page may open with, by the part of the engine that bodies need: it is a third of all, and
// the rest is fetched while the first scene moves.

import { createWorld, removeEntity } from 'bitecs';
import { addRigidBody, createPhysics, type RigidBodySpec, type Scene } from '../../src/index';
import type { BodyFile, SceneFile } from '../scenes/demo-scene';
import { type Session, startsOf, type Worlds } from './session';

/** What such a scene consists of: bodies with names, and their materials. */
const KNOWN: readonly string[] = [
  'version',
  'title',
  'description',
  'materials',
  'bodies',
] satisfies (keyof SceneFile)[];

/** The scene's file itself: what it leaves out, bodies have by default. */
function load(source: unknown): Scene {
  const unknown = Object.keys(source as SceneFile).filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0) throw new Error(`This scene needs all of the engine: it has ${unknown.join(', ')}.`);
  return source as Scene;
}

/** Adds the bodies as `addScene` does. */
function open(scene: Scene, overrides: Parameters<Worlds['open']>[1] = {}): Session {
  const { bodies = [], materials = {} } = scene as unknown as SceneFile;
  const world = createWorld();
  const physics = createPhysics(world, overrides);
  const entities = new Map<string, number>();
  const specs = new Map<string, RigidBodySpec>();
  const named = new Map<string, string>();
  for (const { name, material, ...body } of bodies as (BodyFile & { name: string })[]) {
    const spec = { ...body, ...(material && materials[material]) } as RigidBodySpec;
    entities.set(name, addRigidBody(physics, spec));
    specs.set(name, spec);
    if (material) named.set(name, material);
  }
  return {
    ...{ scene, physics, entities, specs, materials: named, gpu: null, isStarting: false },
    ...startsOf(physics, entities, specs),
    ...{ rods: new Map(), rodStarts: new Map(), shells: new Map(), solids: new Map() },
    points: (name) => refuse(`nothing bends that is called ${name}`),
    tuner: () => refuse('it has nothing to tune'),
    close() {
      physics.dispose();
      for (const eid of entities.values()) removeEntity(world, eid);
    },
  };
}

function refuse(why: string): never {
  throw new Error(`scene: ${why}`);
}

export const firstWorlds: Worlds = { load, settings: () => ({}), open };
