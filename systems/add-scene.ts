// A scene into a world: its bodies by the public calls, its scripted motions as a system of the schedule.
//
// In: physics and a scene from readScene. Out: entities and their specs by name. Motions are pure functions of
// the steps taken since the scene was added, so they repeat after a snapshot is restored; a key's pose is reached
// exactly at the end of the step that ends at its time.

import { hasComponent, observe, onRemove } from 'bitecs';
import { refuse, UsageError } from '../src/core/errors';
import { expandScene, type PlacedBody } from '../src/scene/expand';
import { poseAt, type Track } from '../src/scene/motions';
import type { Scene, SceneShape } from '../src/scene/scene-types';
import type { ElasticSettings } from '../src/state/elastic-settings';
import type { PhysicsSettings } from '../src/state/settings';
import { addSceneActs, addSceneFigures } from './add-scene-actors';
import { addSceneJoints } from './add-scene-joints';
import { type AddedMeshes, addSceneMeshes, growSceneRods, removeSceneMeshes } from './add-scene-meshes';
import { type AddSceneOptions, addSceneRods } from './add-scene-rods';
import type { ContactEvents } from './contact-events';
import { type Physics, requirePhysics, type Step } from './physics';
import { addRigidBody, type RigidBodySpec, removeRigidBody, setKinematicTarget } from './rigid-body';
import { removeRod } from './rods';
import { shapeAt } from './shape-book';
import { findShape } from './shapes';

/** What `addScene` added, by name, in the order of the file. */
export interface AddedScene extends AddedMeshes {
  readonly entities: Map<string, number>;
  /** With shapes in full, for rendering (`shapeMesh`). */
  readonly specs: Map<string, RigidBodySpec>;
  /** Entities of the rods and grooms. */
  readonly rods: Map<string, number>;
  /** Entities of the joints of bodies (Joint). */
  readonly joints: Map<string, number>;
  /** Entities of the joints of nodes and vertices (Attachment). */
  readonly attachments: Map<string, number>;
  /** Entities of the characters, which are among `entities` too, as the bones of ragdolls are. */
  readonly characters: Map<string, number>;
  /** Wheels of the vehicles by the name of their body. */
  readonly vehicles: Map<string, number[]>;
  /** Contact events of the watches. */
  readonly watches: Map<string, ContactEvents>;
}

/**
 * Settings that the scene asks for, to hand to createPhysics: gravity, time step, rigid solver, tolerance, and those of
 * the elastic solve. Backend `webgpu` counts as `auto` (`enableGpuStrands` takes strands there).
 * Throws UsageError for what is no scene.
 */
export function sceneSettings(scene: Scene): PhysicsSettings {
  if (typeof scene?.solver !== 'object' || scene.solver === null) refuseScene('sceneSettings', scene);
  const settings: PhysicsSettings = { gravity: scene.gravity, timeStep: scene.timeStep };
  const { rigid, tolerance } = scene.solver;
  if (rigid !== undefined) settings.solver = rigid;
  if (tolerance !== undefined) settings.tolerance = tolerance;
  const elastic = elasticSettings(scene);
  if (Object.keys(elastic).length > 0) settings.elastic = elastic;
  return settings;
}

function elasticSettings({ solver }: Scene): ElasticSettings {
  const { tolerance, admmIterations, sweeps, newtonIterations, backend, budget, elastic: kind, profile } = solver;
  const elastic: ElasticSettings = {};
  if (kind !== undefined) elastic.solver = kind;
  if (profile !== undefined) elastic.profile = profile;
  if (tolerance !== undefined) elastic.tolerance = tolerance;
  if (admmIterations !== undefined) elastic.iterations = admmIterations;
  if (sweeps !== undefined) elastic.sweeps = sweeps;
  if (newtonIterations !== undefined) elastic.newtonIterations = newtonIterations;
  if (backend !== undefined && backend !== 'webgpu') elastic.backend = backend;
  if (budget !== undefined) elastic.budget = budget;
  return elastic;
}

/**
 * Adds everything in the scene to the world; motions run as a system until their bodies and rods are gone. Files of
 * grooms come from `options.readFile`: in a browser, fetch them first (scene.grooms names them).
 * Throws UsageError, with nothing added, if something is beyond what the engine can hold, a call refuses it, or a
 * groom's file is no groom.
 */
export function addScene(physics: Physics, scene: Scene, options: AddSceneOptions = {}): AddedScene {
  requirePhysics(physics, 'addScene');
  const entities = new Map<string, number>();
  const specs = new Map<string, RigidBodySpec>();
  const shapes = new Map<SceneShape, number>();
  const moved: [number, Track][] = [];
  for (const body of placeBodies(scene)) {
    const eid = addBody(physics, body, shapes, entities);
    entities.set(body.name, eid);
    specs.set(body.name, body.spec as RigidBodySpec);
    if (body.track) moved.push([eid, body.track]);
  }
  const rods = addSceneRods(physics, scene, entities, options);
  let meshes: AddedMeshes | null = null;
  try {
    meshes = addSceneMeshes(physics, scene, entities, options);
    growSceneRods(physics, scene, rods, meshes);
    const added = { entities, specs, rods, ...meshes };
    const characters = addSceneFigures(physics, scene, entities, specs);
    const { joints, attachments } = addSceneJoints(physics, scene, added);
    const acts = addSceneActs(physics, scene, entities);
    if (moved.length > 0) addMotions(physics, moved);
    return { ...added, joints, attachments, characters, ...acts };
  } catch (error) {
    if (meshes) removeSceneMeshes(physics, meshes);
    for (const eid of rods.values()) removeRod(physics, eid);
    for (const eid of entities.values()) removeRigidBody(physics, eid);
    throw error;
  }
}

function refuseScene(where: string, scene: unknown): never {
  refuse(where, 'scene must come from readScene', scene);
}

/** The bodies to add; a scene made by hand that lacks something is refused as a whole. */
function placeBodies(scene: Scene): PlacedBody[] {
  try {
    return expandScene(scene);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return refuseScene('addScene', scene);
  }
}

/** Adds one body; if it is refused, takes out the ones before it. */
function addBody(
  physics: Physics,
  { name, spec }: PlacedBody,
  shapes: Map<SceneShape, number>,
  entities: ReadonlyMap<string, number>,
): number {
  try {
    // Copies share one shape object: looked up here, so that a thousand copies describe their hull once.
    let shape = shapes.get(spec.shape);
    if (shape === undefined || !shapeAt(physics.internal, shape)) {
      shape = findShape(physics, spec.shape as RigidBodySpec['shape'] & object, 'addScene');
      shapes.set(spec.shape, shape);
    }
    return addRigidBody(physics, { ...spec, shape });
  } catch (error) {
    for (const eid of entities.values()) removeRigidBody(physics, eid);
    if (error instanceof UsageError) throw new UsageError(`addScene: body ${JSON.stringify(name)}: ${error.message}`);
    throw error;
  }
}

const now = new Float64Array(7);
const next = new Float64Array(7);
const position = next.subarray(0, 3);
const rotation = next.subarray(3, 7);

/** Drives the bodies along their tracks from now on. */
function addMotions(physics: Physics, moved: [number, Track][]): void {
  const { world, components } = physics;
  const { timeStep } = physics.settings;
  const start = physics.stepCount;
  const driven = new Map(moved);

  const moveSceneBodies = (_step: Step): void => {
    const taken = physics.stepCount - start;
    for (const [eid, track] of driven) {
      poseAt(next, 0, track, (taken + 1) * timeStep);
      poseAt(now, 0, track, taken * timeStep);
      // A body that rests gets no target: it may sleep, and what lies on it, too.
      if (samePose() || !hasComponent(world, eid, components.Kinematic)) continue;
      setKinematicTarget(physics, eid, position, rotation);
    }
  };
  const stop = physics.schedule.before('predict-motion', moveSceneBodies, 'move-scene-bodies');

  // A removed entity's id may be given to another one, which must not inherit the motion.
  const forget = observe(world, onRemove(components.RigidBody), (eid: number) => {
    if (driven.delete(eid) && driven.size === 0) {
      stop();
      forget();
    }
  });
}

function samePose(): boolean {
  for (let k = 0; k < 7; k++) if (now[k] !== next[k]) return false;
  return true;
}
