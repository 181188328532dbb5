// Characters, vehicles, ragdolls, volumes, explosions and watches of a scene, by the public calls.

import { written } from '../components/columns';
import { UsageError } from '../src/core/errors';
import { actorName, boneName } from '../src/scene/check-actors';
import type { SceneVolume } from '../src/scene/scene-actors';
import type { Scene } from '../src/scene/scene-types';
import { addCharacter } from './characters';
import { type ContactEvents, watchContacts } from './contact-events';
import type { Physics } from './physics';
import { addRagdoll, type BoneSpec, boneShape, personBones } from './ragdolls';
import type { RigidBodySpec } from './rigid-body';
import { addVehicle } from './vehicles';
import { addGravityVolume, addWater, addWindVolume, explode } from './volumes';

type Names = Map<string, number>;
type Specs = Map<string, RigidBodySpec>;

/** Runs `make`; what it refuses is said with what it was for. */
function told<T>(what: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`addScene: ${what}: ${error.message}`);
    throw error;
  }
}

/** Adds characters and ragdolls, whose bodies go into `entities` and `specs`. Throws UsageError. */
export function addSceneFigures(physics: Physics, scene: Scene, entities: Names, specs: Specs): Names {
  const characters: Names = new Map();
  (scene.characters ?? []).forEach((character, i) => {
    const name = actorName('character', character, i);
    const { name: _, move, ...spec } = character;
    const eid = told(`character ${JSON.stringify(name)}`, () => addCharacter(physics, spec));
    characters.set(name, eid);
    entities.set(name, eid);
    const { radius = 0.3, height = 1.8 } = spec;
    const capsule = { shape: { capsule: [radius, height / 2 - radius] as const }, position: [0, height / 2, 0] };
    specs.set(name, { type: 'kinematic', shape: { compound: [capsule] }, position: spec.position ?? [0, 0, 0] });
    const { x, y, z } = physics.components.Character.move;
    if (move) [x[eid], y[eid], z[eid]] = move;
  });
  (scene.ragdolls ?? []).forEach((ragdoll, i) => {
    const name = actorName('ragdoll', ragdoll, i);
    const { name: _, bones: own, person, ...options } = ragdoll;
    told(`ragdoll ${JSON.stringify(name)}`, () => {
      const bones: readonly BoneSpec[] = own ?? personBones(person?.feet ?? [0, 0, 0], person?.height);
      const { bodies } = addRagdoll(physics, bones, options);
      for (const bone of bones) {
        entities.set(boneName(name, bone.name), bodies.get(bone.name) as number);
        specs.set(boneName(name, bone.name), { shape: boneShape(bone) });
      }
    });
  });
  return characters;
}

/** What acts on a scene's bodies, by name or place. */
export interface SceneActs {
  /** Wheels by the name of the body. */
  vehicles: Map<string, number[]>;
  watches: Map<string, ContactEvents>;
}

/** Adds vehicles, volumes, explosions and watches. Throws UsageError. */
export function addSceneActs(physics: Physics, scene: Scene, entities: ReadonlyMap<string, number>): SceneActs {
  const vehicles = new Map<string, number[]>();
  (scene.vehicles ?? []).forEach(({ body, throttle, steer, brake, handbrake, ...spec }) => {
    const chassis = entities.get(body) ?? 0;
    vehicles.set(
      body,
      told(`vehicle ${JSON.stringify(body)}`, () => addVehicle(physics, { ...spec, chassis })),
    );
    const Vehicle = written(physics.components.Vehicle);
    Vehicle.throttle[chassis] = throttle ?? 0;
    Vehicle.steer[chassis] = steer ?? 0;
    Vehicle.brake[chassis] = brake ?? 0;
    Vehicle.handbrake[chassis] = handbrake ?? 0;
  });
  (scene.volumes ?? []).forEach((volume, i) => {
    told(`volumes[${i}]`, () => addSceneVolume(physics, volume));
  });
  addExplosions(physics, scene);
  const watches = new Map<string, ContactEvents>();
  (scene.watches ?? []).forEach((watch, i) => {
    const { body, minImpulse, stay = false } = watch;
    const options = {
      stay,
      ...(body !== undefined && { entity: entities.get(body) ?? 0 }),
      ...(minImpulse !== undefined && { minImpulse }),
    };
    watches.set(actorName('watch', watch, i), watchContacts(physics, options));
  });
  return { vehicles, watches };
}

function addSceneVolume(physics: Physics, volume: SceneVolume): void {
  const { type, min, max, center, radius, velocity, ...spec } = volume;
  const box = { min: min ?? [0, 0, 0], max: max ?? [0, 0, 0] };
  const region = center ? { center, radius: radius ?? 0 } : box;
  if (type === 'water') addWater(physics, { ...spec, region: box });
  else if (type === 'wind') addWindVolume(physics, { ...spec, region, velocity: velocity ?? [0, 0, 0] });
  else addGravityVolume(physics, { ...spec, region });
}

/** Explosions are functions of the steps taken since the scene was added, so that they repeat after a restore. */
function addExplosions(physics: Physics, scene: Scene): void {
  const explosions = scene.explosions ?? [];
  if (explosions.length === 0) return;
  const start = physics.stepCount;
  const steps = explosions.map(({ time }) => Math.round(time / physics.settings.timeStep));
  const explodeInTime = () => {
    const taken = physics.stepCount - start;
    explosions.forEach(({ time: _, center, ...options }, i) => {
      if (steps[i] === taken) explode(physics, center, options);
    });
  };
  physics.schedule.before('predict-motion', explodeInTime, 'explode-scene');
}
